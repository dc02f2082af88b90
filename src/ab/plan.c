/* The plan of an experiment: which arms, under which conditions, in which order, until when. */
#include "ab/plan.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "base/text.h"
#include "stats/random.h"
#include "stats/sequential.h"

/* Independent sequences drawn from one seed. */
enum stream { STREAM_ORDER = 1, STREAM_PADDING, STREAM_CONDITION, STREAM_GROUP, STREAM_LAYOUT, STREAM_LAYOUT_PADDING };

static struct random stream(const struct plan *plan, enum stream purpose, uint64_t index)
{
	struct random random;

	random_seed(&random, hash_combine(hash_combine(plan->seed, purpose), index));
	return random;
}

struct plan *plan_create(void)
{
	struct plan *plan = memory_zeroed(1, sizeof(*plan));

	plan->arena = arena_create();
	plan->warmup = 1;
	plan->budget_seconds = 30;
	plan->padding = true;
	plan->group_count = 1;
	return plan;
}

void plan_destroy(struct plan *plan)
{
	if (!plan)
		return;
	arena_destroy(plan->arena);
	free(plan);
}

static struct error *bad_until(const char *text)
{
	return error_hint(error_new(ERROR_USAGE, "--until '%s' is neither decided[:MAX] nor +-X%%", text),
			  "such as: --until decided, --until decided:40, --until '+-0.5%%'");
}

static struct error *set_decided(struct plan *plan, const char *maximum, const char *text)
{
	char *end;
	unsigned long blocks = PLAN_MAX_LOOK;

	errno = 0;
	if (*maximum == ':')
		blocks = strtoul(maximum + 1, &end, 10);
	if (*maximum && (*maximum != ':' || !maximum[1] || *end || errno))
		return bad_until(text);
	if (blocks < PLAN_MIN_BLOCKS || blocks > PLAN_MOST_BLOCKS)
		return error_new(ERROR_USAGE, "--until '%s': from %d to %d blocks", text, PLAN_MIN_BLOCKS,
				 PLAN_MOST_BLOCKS);
	plan->until = UNTIL_DECIDED;
	plan->blocks = blocks;
	return NULL;
}

struct error *plan_set_until(struct plan *plan, const char *text)
{
	char *end;

	if (text_starts_with(text, "decided"))
		return set_decided(plan, text + strlen("decided"), text);
	if (text_starts_with(text, "±"))
		text += strlen("±") - 2;
	else if (!text_starts_with(text, "+-"))
		return bad_until(text);

	double percent = strtod(text + 2, &end);

	if (end == text + 2 || strcmp(end, "%") || !(percent > 0 && percent < 100))
		return bad_until(text);
	plan->until = UNTIL_PRECISE;
	plan->precision = percent / 100;
	plan->blocks = PLAN_MAX_LOOK;
	return NULL;
}

size_t plan_conditions(const struct plan *plan)
{
	return plan->background ? 2 : 1;
}

void plan_choose_blocks(struct plan *plan, double block_seconds)
{
	double wanted = plan->budget_seconds / (fmax(block_seconds, 1e-6) * (double)plan_conditions(plan));
	uint64_t least = PLAN_MIN_BLOCKS, groups = plan->group_count;

	if (plan->blocks)
		return;
	if (least < 6 * groups)
		least = 6 * groups;
	plan->blocks = (uint64_t)fmin(fmax(wanted, (double)least), fmax(PLAN_MAX_BLOCKS, (double)least));
	if (plan->is_abba)
		groups *= 2;
	plan->blocks = (plan->blocks + groups - 1) / groups * groups;
}

/* The index-th of an endless row of 0..count-1 in which each stretch of count holds each number once. */
static size_t balanced(const struct plan *plan, enum stream purpose, uint64_t index, size_t count)
{
	struct random random = stream(plan, purpose, index / count);
	auto_free size_t *order = memory_zeroed(count, sizeof(*order));

	if (count < 2)
		return 0;
	random_permutation(&random, order, count);
	return order[index % count];
}

struct plan_cell plan_cell(const struct plan *plan, uint64_t slot)
{
	size_t conditions = plan_conditions(plan), layouts = plan->layouts ? plan->layouts : 1;
	uint64_t unit = plan->is_abba ? slot / 2 : slot, round = unit / conditions;
	struct plan_cell cell = {
		.unit = unit, .is_reversed = plan->is_abba && slot % 2,
		.group = balanced(plan, STREAM_GROUP, round, plan->group_count),
		.layout = (uint32_t)balanced(plan, STREAM_LAYOUT, round, layouts),
	};

	if (plan->background)
		cell.condition = balanced(plan, STREAM_CONDITION, unit, 2) ? "pressure" : "quiet";
	return cell;
}

void plan_order(const struct plan *plan, uint64_t block, const struct plan_cell *cell, size_t *order)
{
	struct random random = stream(plan, STREAM_ORDER, plan->is_abba ? cell->unit : block);
	size_t last = plan->arm_count - 1;

	random_permutation(&random, order, plan->arm_count);
	for (size_t i = 0; cell->is_reversed && i < plan->arm_count / 2; i++) {
		size_t kept = order[i];

		order[i] = order[last - i];
		order[last - i] = kept;
	}
}

uint32_t plan_padding(const struct plan *plan, uint64_t block, uint32_t layout)
{
	struct random random = plan->layouts ? stream(plan, STREAM_LAYOUT_PADDING, layout) :
					       stream(plan, STREAM_PADDING, block);

	return plan->padding ? (uint32_t)random_below(&random, PLAN_PADDING) : 0;
}

uint64_t plan_next_look(const struct plan *plan, uint64_t slots_done)
{
	size_t conditions = plan_conditions(plan);
	struct look looks[SEQUENTIAL_LOOKS];

	sequential_plan(plan->blocks, 1, looks);
	for (size_t i = 0; plan->until != UNTIL_BLOCKS && i < SEQUENTIAL_LOOKS; i++)
		if (looks[i].blocks * conditions > slots_done)
			return looks[i].blocks * conditions;
	return plan->blocks * conditions > slots_done ? plan->blocks * conditions : 0;
}
