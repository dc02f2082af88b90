/* The two builds of a patch: a worktree for each commit, built once and kept. */
#include "ab/patch_builds.h"

#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <zlib.h>

#include "ab/shell.h"
#include "base/file.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/text.h"

struct side {
	char *commit;    /* 40 digits */
	char *label;
	char *worktree;
	char *directory; /* in the worktree, where we stand in the repository */
};

struct patch_builds {
	struct side sides[2];
	char *keep, *prefix;
};

/* git with one text given as $TEXT, so that no name is shell. */
static struct error *git(const char *command, const char *text, char **ret)
{
	auto_free char *variable = memory_format("TEXT=%s", text ? text : "");
	const char *const variables[] = { variable, NULL };
	struct shell shell = { "git", NULL, variables };

	return shell_line(&shell, command, ret);
}

static struct error *find_commit(const char *name, char **ret)
{
	struct error *err = git("git rev-parse --quiet --verify \"$TEXT^{commit}\"", name, ret);

	if (!err)
		return NULL;
	error_destroy(err);
	return error_new(ERROR_USAGE, "--git: '%s' is no commit of this repository", name);
}

/* What is not committed would be in neither build: the answer would be about something else. */
static struct error *refuse_dirty(void)
{
	auto_free char *first = NULL;
	struct error *err = git("git status --porcelain --untracked-files=no", NULL, &first);

	if (err)
		return err;
	if (!*first)
		return NULL;
	return error_hint(error_new(ERROR_USAGE, "the working tree has changes that are not committed ('%s'): "
				    "they would be in neither build", first),
			  "git commit or git stash them first");
}

static struct error *find_sides(struct patch_builds *builds, const struct patch_setup *setup)
{
	const char *dots = setup->range ? strstr(setup->range, "..") : NULL;
	auto_free char *base = memory_strdup("HEAD");
	const char *change = setup->patch ? "HEAD" : dots ? dots + 2 : "";

	if (setup->range && (!dots || dots == setup->range || dots[2] == '.'))
		return error_hint(error_new(ERROR_USAGE, "--git '%s' is not BASE..CHANGE", setup->range),
				  "such as: --git main..HEAD, or v1.0.. for what is checked out");
	if (setup->range && setup->patch)
		return error_new(ERROR_USAGE, "--git and --patch: choose one");
	if (dots) {
		free(base);
		base = memory_strndup(setup->range, (size_t)(dots - setup->range));
	}

	struct error *err = find_commit(base, &builds->sides[0].commit);

	if (!err)
		err = find_commit(*change ? change : "HEAD", &builds->sides[1].commit);
	if (!err && dots && !strcmp(builds->sides[0].commit, builds->sides[1].commit))
		err = error_new(ERROR_USAGE, "--git '%s': both sides are the same commit", setup->range);
	return err;
}

/* What tells builds of one commit apart: the build command and the patch. Names have one length, so that the
 * paths of both sides have too. */
static struct error *name_side(struct patch_builds *builds, const struct patch_setup *setup, size_t which)
{
	struct side *side = &builds->sides[which];
	const char *build = setup->build ? setup->build : "";
	uLong hash = crc32(crc32(0, NULL, 0), (const Bytef *)build, (uInt)strlen(build));
	bool patched = which == 1 && setup->patch;

	if (patched) {
		auto_free char *patch = NULL;
		size_t size;
		struct error *err = file_read(setup->patch, &patch, &size);

		if (err)
			return err;
		hash = crc32_z(hash, (const Bytef *)patch, size);
	}
	side->label = memory_format("%.12s%s", side->commit, patched ? "+patch" : "");
	side->worktree = memory_format("%s/%.20s-%08lx", builds->keep, side->commit, hash);
	side->directory = memory_format("%s/%s", side->worktree, builds->prefix);
	return NULL;
}

static struct error *check_out(const struct side *side, const char *patch)
{
	auto_free char *directory = memory_format("DIRECTORY=%s", side->worktree);
	auto_free char *commit = memory_format("COMMIT=%s", side->commit);
	auto_free char *file = memory_format("PATCH=%s", patch ? patch : "");
	const char *const variables[] = { directory, commit, file, NULL };
	struct shell shell = { "git", NULL, variables };
	auto_free char *absolute = NULL;
	struct error *err = shell_run(&shell, "git worktree prune && { [ -d \"$DIRECTORY\" ] || "
					      "git worktree add --quiet --detach --force \"$DIRECTORY\" \"$COMMIT\"; }");

	if (err || !patch)
		return err;
	absolute = realpath(patch, NULL);
	if (!absolute)
		return error_new(ERROR_USAGE, "--patch: there is no %s", patch);

	auto_free char *given = memory_format("PATCH=%s", absolute);
	const char *const in_worktree[] = { given, NULL };

	shell = (struct shell){ "git", side->worktree, in_worktree };
	err = shell_run(&shell, "git checkout --quiet --force . && git apply \"$PATCH\"");
	return err ? error_wrap(err, "--patch %s does not apply", patch) : NULL;
}

/* The mark of a finished build stands beside the worktree, so that a build cut short is done again. */
static struct error *make_side(const struct side *side, const struct patch_setup *setup, const char *patch)
{
	auto_free char *mark = memory_format("%s.built", side->worktree);
	auto_free char *what = memory_format("build of %s:", side->label);
	struct shell shell = { what, side->directory, NULL };
	struct error *err = NULL;

	if (!access(mark, F_OK) && !access(side->worktree, F_OK))
		return NULL;
	err = check_out(side, patch);
	if (!err && setup->build) {
		log_note("building %s in %s", side->label, side->worktree);
		err = shell_run(&shell, setup->build);
	}
	if (err)
		return err;

	int fd = open(mark, O_CREAT | O_WRONLY | O_CLOEXEC, 0644);

	if (fd >= 0)
		close(fd);
	return NULL;
}

static struct error *find_places(struct patch_builds *builds, const struct patch_setup *setup)
{
	struct error *err = git("git rev-parse --show-prefix", NULL, &builds->prefix);
	auto_free char *git_directory = NULL;

	if (!err)
		err = git("git rev-parse --path-format=absolute --git-common-dir", NULL, &git_directory);
	if (err) {
		error_destroy(err);
		return error_new(ERROR_USAGE, "--git and --patch work inside a git repository only");
	}
	if (setup->keep) {
		err = file_make_directories(setup->keep, 0755);
		builds->keep = err ? NULL : realpath(setup->keep, NULL);
	} else {
		builds->keep = memory_format("%s/perfmini-builds", git_directory);
		err = file_make_directories(builds->keep, 0755);
	}
	return err;
}

struct error *patch_builds_create(const struct patch_setup *setup, struct patch_builds **ret)
{
	cleanup(patch_builds_guard) struct patch_builds *builds = memory_zeroed(1, sizeof(*builds));
	struct error *err = find_places(builds, setup);

	if (!err)
		err = refuse_dirty();
	if (!err)
		err = find_sides(builds, setup);
	for (size_t i = 0; i < 2 && !err; i++)
		err = name_side(builds, setup, i);
	for (size_t i = 0; i < 2 && !err; i++)
		err = make_side(&builds->sides[i], setup, i ? setup->patch : NULL);
	if (!err)
		*ret = take(builds);
	return err;
}

const char *patch_builds_directory(const struct patch_builds *builds, size_t side)
{
	return builds->sides[side].directory;
}

const char *patch_builds_commit(const struct patch_builds *builds, size_t side)
{
	return builds->sides[side].label;
}

void patch_builds_destroy(struct patch_builds *builds)
{
	if (!builds)
		return;
	for (size_t i = 0; i < 2; i++) {
		free(builds->sides[i].commit);
		free(builds->sides[i].label);
		free(builds->sides[i].worktree);
		free(builds->sides[i].directory);
	}
	free(builds->keep);
	free(builds->prefix);
	free(builds);
}
