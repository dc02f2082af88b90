/* User stacks unwound by symbol/unwind, with one unwinder for each layout of an address space. */
#include "profile/unwinders.h"

#include "arch/arch.h"
#include "base/memory.h"
#include "perfdata/format.h"
#include "profile/index.h"
#include "symbol/unwind.h"

enum { UNWINDERS_KEPT = 64 };

struct unwinders {
	struct symbolizer *symbolizer;
	const struct arch *arch;
	struct index by_layout;
	struct unwinder *items[UNWINDERS_KEPT];
	size_t count;
};

static void forget_all(struct unwinders *unwinders)
{
	for (size_t i = 0; i < unwinders->count; i++)
		unwinder_destroy(unwinders->items[i]);
	unwinders->count = 0;
	index_release(&unwinders->by_layout);
}

struct mapper {
	struct unwinders *unwinders;
	struct unwinder *unwinder;
	const struct profile *profile;
};

static bool map_object(void *data, uint32_t number, uint64_t start, uint64_t end, uint64_t file_offset)
{
	struct mapper *mapper = data;
	const struct object *object = &mapper->profile->objects->items[number];
	struct binary_name name = { .path = object->path, .build_id = object->build_id,
				    .build_id_size = object->build_id_size, .pid = object->pid };

	if (object->kind == OBJECT_FILE)
		unwinder_map(mapper->unwinder, symbolizer_binary(mapper->unwinders->symbolizer, &name), start, end,
			     file_offset);
	return true;
}

static struct unwinder *unwinder_of(struct unwinders *unwinders, const struct profile *profile,
				    const struct space_view *view)
{
	uint32_t found = index_find(&unwinders->by_layout, view->layout);
	struct mapper mapper = { unwinders, NULL, profile };

	if (found != INDEX_NONE)
		return unwinders->items[found];
	if (unwinders->count == UNWINDERS_KEPT)
		forget_all(unwinders);

	struct error *err = unwinder_create(unwinders->arch, unwinders->symbolizer, &mapper.unwinder);

	if (err) {
		error_destroy(err);
		return NULL;
	}
	space_each_mapping(profile->space, view, map_object, &mapper);
	unwinders->items[unwinders->count] = mapper.unwinder;
	index_add(&unwinders->by_layout, view->layout, (uint32_t)unwinders->count++);
	return mapper.unwinder;
}

static size_t unwind_sample(void *data, struct profile *profile, const struct space_view *view,
			    const struct perf_event_attr *attr, const struct sample *sample, uint64_t *addresses,
			    size_t limit)
{
	struct unwinders *unwinders = data;

	if (!unwinders->arch) {
		const char *machine = perfdata_feature_text(profile->reader, PERFDATA_FEATURE_ARCH);

		unwinders->arch = machine ? arch_by_name(machine) : arch_host();
		if (!unwinders->arch)
			unwinders->arch = arch_host();
	}

	struct stack_snapshot stack = { sample->user_regs, attr->sample_regs_user, sample->user_stack,
					sample->user_stack_size };
	struct unwinder *unwinder = unwinder_of(unwinders, profile, view);

	return unwinder ? unwind(unwinder, &stack, addresses, limit) : 0;
}

struct error *unwinders_attach(const struct symbolizer_setup *symbols, struct profile_setup *setup,
			       struct unwinders **ret)
{
	struct symbolizer *symbolizer;
	struct error *err = symbolizer_create(symbols, &symbolizer);

	if (err)
		return err;

	struct unwinders *unwinders = memory_zeroed(1, sizeof(*unwinders));

	unwinders->symbolizer = symbolizer;
	setup->unwind = unwind_sample;
	setup->unwind_data = unwinders;
	*ret = unwinders;
	return NULL;
}

void unwinders_destroy(struct unwinders *unwinders)
{
	if (!unwinders)
		return;
	forget_all(unwinders);
	symbolizer_destroy(unwinders->symbolizer);
	free(unwinders);
}
