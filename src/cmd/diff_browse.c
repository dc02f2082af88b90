/* A diff on a terminal: worked out in the background, then walked through. */
#include "cmd/diff_browse.h"

#include <string.h>

#include "base/memory.h"
#include "tui/diff_list.h"
#include "tui/loading.h"

void diff_comparison_destroy(struct diff_comparison *comparison)
{
	if (!comparison)
		return;
	diff_destroy(comparison->diff);
	comparability_release(&comparison->warnings);
	diff_machines_release(&comparison->machines);
	free(comparison);
}

void diff_keep_gathering(struct diff_kept *kept, struct gathering *gathering)
{
	array_grow(&kept->gatherings, kept->gathering_count, &kept->gathering_capacity);
	kept->gatherings[kept->gathering_count++] = gathering;
}

void diff_keep(struct diff_kept *kept, struct diff_comparison *comparison)
{
	array_grow(&kept->comparisons, kept->count, &kept->capacity);
	kept->comparisons[kept->count++] = comparison;
}

void diff_kept_release(struct diff_kept *kept)
{
	for (size_t i = 0; i < kept->count; i++)
		diff_comparison_destroy(kept->comparisons[i]);
	for (size_t i = 0; i < kept->gathering_count; i++)
		gathering_destroy(kept->gatherings[i]);
	free(kept->comparisons);
	free(kept->gatherings);
}

bool diff_is_browsed(const struct diff_options *chosen, char *const *operands)
{
	bool is_text = chosen->stdio || chosen->json || chosen->csv || chosen->html || chosen->separator || chosen->gate ||
		       chosen->formula || chosen->quiet || chosen->axis;

	for (size_t i = 0; operands[i]; i++)
		is_text |= !strcmp(operands[i], "-");
	return !is_text && tui_is_possible();
}

struct browse {
	struct diff_command *command;
	struct error *(*compare)(struct diff_command *command);
	struct diff_kept kept;
	struct diff_list_item *items; /* of the kept comparisons */
};

static struct error *load(void *data, struct loading *loading)
{
	struct browse *browse = data;

	(void)loading;
	return browse->compare(browse->command);
}

static void show(void *data, struct tui *tui)
{
	struct browse *browse = data;
	struct diff_kept *kept = &browse->kept;

	browse->items = memory_zeroed(kept->count + 1, sizeof(*browse->items));
	for (size_t i = 0; i < kept->count; i++) {
		const struct diff_comparison *made = kept->comparisons[i];

		browse->items[i] = (struct diff_list_item){
			&made->view, { made->gatherings[0], made->gatherings[1] },
			{ made->events[0], made->events[1] }, &made->setup,
		};
	}
	if (!kept->count)
		return;
	tui_push(tui, diff_list_create(browse->items, kept->count));
	if (kept->comparisons[0]->view.warning_count)
		tui_say(tui, "%zu warnings: i shows them", kept->comparisons[0]->view.warning_count);
}

static struct error *show_views(struct browse *browse)
{
	cleanup(tui_guard) struct tui *tui = NULL;
	struct loading_setup setup = { "Comparing", browse->command->sides.items[0].label, load, show, browse };
	struct error *err = tui_open(&tui);

	if (err)
		return err;
	tui_push(tui, loading_create(&setup));
	return tui_run(tui);
}

struct error *diff_browse(struct diff_command *command, struct error *(*compare)(struct diff_command *command))
{
	struct browse browse = { .command = command, .compare = compare };
	struct error *err;

	command->kept = &browse.kept;
	err = show_views(&browse);
	free(browse.items);
	diff_kept_release(&browse.kept);
	command->kept = NULL;
	return err;
}
