/* One machine's share of an experiment over several: its blocks, its seed, its name. */
#include "cmd/ab_share.h"

#include <string.h>
#include <zlib.h>

#include "base/file.h"
#include "base/log.h"
#include "base/memory.h"
#include "stats/random.h"

enum { SEED_BITS = 53, MOST_BLOCKS = 1000000 /* as of --blocks */ };

uint64_t ab_share_seed(const struct ab_share *share)
{
	struct random random;
	uint64_t seed = 0;

	random_seed(&random, share->seed);
	for (uint64_t i = 0; i < share->part.index; i++)
		seed = random_next(&random) >> (64 - SEED_BITS);
	return seed;
}

/* Of a total, as even as can be. */
static uint64_t blocks_of(uint64_t total, const struct machine_share *share)
{
	return total * share->index / share->count - total * (share->index - 1) / share->count;
}

static struct error *check_combination(const struct ab_options *chosen)
{
	if (chosen->per_machine && chosen->blocks)
		return error_new(ERROR_USAGE, "--per-machine and --blocks: choose one");
	if (chosen->per_machine > MOST_BLOCKS)
		return error_new(ERROR_USAGE, "--per-machine is too large");
	if (!chosen->share && chosen->per_machine && !chosen->slurm)
		return error_new(ERROR_USAGE, "--per-machine without --share or --slurm");
	if (chosen->ship && !chosen->slurm)
		return error_new(ERROR_USAGE, "--ship without --slurm");
	if (!chosen->share)
		return chosen->machines && !chosen->slurm ? error_new(ERROR_USAGE, "--machines without --slurm") : NULL;
	if (!chosen->seed)
		return error_hint(error_new(ERROR_USAGE, "--share without --seed: the parts would not belong together"),
				  "give all parts the same, such as --seed 42");
	if (chosen->until)
		return error_hint(error_new(ERROR_USAGE, "--until with --share: one machine cannot know when all have enough"),
				  "give --blocks for all parts, or --per-machine for each");
	return NULL;
}

struct error *ab_share_apply(const struct ab_options *chosen, struct plan *plan, struct ab_share *share)
{
	struct error *err = check_combination(chosen);

	if (err || !chosen->share)
		return err;
	if (!machine_share_parse(chosen->share, &share->part))
		return error_hint(error_new(ERROR_USAGE, "--share '%s' is not I/N", chosen->share),
				  "such as: --share 3/8, the third of eight parts");
	share->seed = plan->seed;
	plan->seed = ab_share_seed(share);
	if (chosen->per_machine)
		plan->blocks = chosen->per_machine;
	else if (chosen->blocks)
		plan->blocks = blocks_of(chosen->blocks, &share->part);
	if (chosen->blocks && !plan->blocks)
		return error_new(ERROR_USAGE, "--blocks %llu leaves none for part %s", (unsigned long long)chosen->blocks,
				 chosen->share);
	if (plan->is_abba && plan->blocks % 2)
		plan->blocks++;
	return NULL;
}

/* Tells machines of one name apart without giving their machine id away: machine-id(5) asks for that. */
static char *machine_identity(void)
{
	static const char *const files[] = { "/etc/machine-id", "/proc/sys/kernel/random/boot_id" };

	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		auto_free char *line = NULL;
		struct error *err = file_read_line(files[i], &line);

		if (!err && *line)
			return memory_format("%08lx", crc32_z(crc32(0, NULL, 0), (const Bytef *)line, strlen(line)));
		error_destroy(err);
	}
	return NULL;
}

static const char *machine_name(const struct ab_options *chosen)
{
	const char *node = getenv("SLURMD_NODENAME");

	if (chosen->machine)
		return chosen->machine;
	return chosen->share && node && *node ? node : NULL;
}

void ab_share_describe(const struct ab_options *chosen, const struct ab_share *share, struct runs *runs)
{
	const char *name = machine_name(chosen);
	auto_free char *identity = machine_identity();
	const char **plan = runs_alloc(runs, runs->plan_count + 3, sizeof(*plan));
	size_t count = runs->plan_count;

	if (name)
		runs->host = runs_text(runs, name);
	if (!share->part.count)
		return;

	auto_free char *part = memory_format("share=%llu/%llu", (unsigned long long)share->part.index,
					     (unsigned long long)share->part.count);
	auto_free char *seed = memory_format("experiment-seed=%llu", (unsigned long long)share->seed);
	auto_free char *id = memory_format("machine-id=%s", identity ? identity : "unknown");

	if (count)
		memcpy(plan, runs->plan, count * sizeof(*plan));
	plan[count++] = runs_text(runs, part);
	plan[count++] = runs_text(runs, seed);
	plan[count++] = runs_text(runs, id);
	runs->plan = plan;
	runs->plan_count = count;
}

bool ab_share_moved(const struct ab_share *share, const char *path, const struct runs *now)
{
	cleanup(runs_guard) struct runs *old = NULL;
	struct error *err = share->part.count ? runs_load(path, &old) : NULL;
	bool is_absent = err != NULL;

	error_destroy(err);
	if (!share->part.count)
		return false;
	if (is_absent || !old->host || !now->host || strcmp(old->host, now->host)) {
		log_note("%s is begun on %s", path, now->host ? now->host : "this machine");
		return true;
	}
	return false;
}

struct error *ab_share_check(const char *path, const struct plan *plan, const struct runs *runs)
{
	cleanup(runs_guard) struct runs *wanted = NULL;
	struct error *err = runs_load(path, &wanted);
	const char *why;

	if (err)
		return error_wrap(err, "--like");
	why = ab_why_other_arms(plan, runs, wanted);
	return why ? error_new(ERROR_USAGE, "--like %s: this is another experiment: %s", path, why) : NULL;
}
