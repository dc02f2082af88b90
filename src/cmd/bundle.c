/* The directory of one experiment of `ab`: which path is what. */
#include "cmd/bundle.h"

#include <ctype.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"

bool bundle_is(const char *path)
{
	auto_free char *runs = bundle_runs(path);

	return !access(runs, R_OK);
}

char *bundle_runs(const char *directory)
{
	return memory_format("%s/ab.runs", directory);
}

char *bundle_binaries(const char *directory)
{
	return memory_format("%s/binaries", directory);
}

static bool is_plain(const char *name)
{
	for (const char *c = name; *c; c++)
		if (!isalnum((unsigned char)*c) && !strchr("._-=+", *c))
			return false;
	return *name && *name != '.';
}

/* A name that is no file name is replaced by the arm's number, which no letter of A, B, … is. */
char *bundle_profiles(const char *directory, size_t arm, const char *arm_name)
{
	return is_plain(arm_name) ? memory_format("%s/profiles/%s", directory, arm_name) :
				    memory_format("%s/profiles/.arm%zu", directory, arm + 1);
}

char *bundle_profile(const char *directory, size_t arm, const char *arm_name, uint32_t block)
{
	auto_free char *profiles = bundle_profiles(directory, arm, arm_name);

	return memory_format("%s/%03u.data", profiles, block);
}

static void release_paths(char **paths, size_t count)
{
	for (size_t i = 0; i < count; i++)
		free(paths[i]);
}

/* Paths of every arm in one block; false when one has no recording. */
static bool find_block(const char *directory, const struct runs *runs, uint32_t block, char **ret)
{
	for (size_t arm = 0; arm < runs->arm_count; arm++) {
		ret[arm] = bundle_profile(directory, arm, runs->arms[arm].name, block);
		if (access(ret[arm], R_OK)) {
			release_paths(ret, arm + 1);
			return false;
		}
	}
	return true;
}

void bundle_recordings(const char *directory, const struct runs *runs, struct bundle_recordings *ret)
{
	size_t room = runs->count + 1;
	auto_free char **block = memory_zeroed(runs->arm_count + 1, sizeof(*block));
	struct bundle_recordings found = { .paths = memory_zeroed(runs->arm_count * room + 1, sizeof(*found.paths)),
					   .arm_count = runs->arm_count };

	for (size_t i = 0; i < runs->count; i++) {
		const struct run *run = &runs->items[i];

		if (run->is_void || (i && runs->items[i - 1].block == run->block) ||
		    !find_block(directory, runs, run->block, block))
			continue;
		for (size_t arm = 0; arm < runs->arm_count; arm++)
			found.paths[arm * room + found.count] = block[arm];
		found.count++;
	}
	for (size_t arm = 1; arm < runs->arm_count; arm++)
		memmove(found.paths + arm * found.count, found.paths + arm * room, found.count * sizeof(*found.paths));
	*ret = found;
}

struct error *bundle_load(const char *directory, struct runs **runs, struct bundle_recordings *recordings)
{
	auto_free char *path = bundle_runs(directory);
	struct error *err = runs_load(path, runs);

	if (err)
		return err;
	bundle_recordings(directory, *runs, recordings);
	if (recordings->count)
		return NULL;
	return error_hint(error_new(ERROR_NOT_FOUND, "%s holds no recordings", directory),
			  "perfmini ab --record -o %s makes them", directory);
}

const char *const *bundle_recordings_of(const struct bundle_recordings *recordings, size_t arm)
{
	return (const char *const *)recordings->paths + arm * recordings->count;
}

void bundle_recordings_release(struct bundle_recordings *recordings)
{
	if (recordings->paths)
		release_paths(recordings->paths, recordings->arm_count * recordings->count);
	free(recordings->paths);
	*recordings = (struct bundle_recordings){ 0 };
}
