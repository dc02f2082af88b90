/* Address spaces over time: mappings found by (process, position in its history, address). */
#include "profile/space.h"

#include <linux/perf_event.h>
#include <string.h>

#include "base/hash.h"
#include "base/intern.h"
#include "base/memory.h"
#include "perfdata/record.h"
#include "profile/index.h"
#include "profile/range_tree.h"
#include "profile/task.h"

enum change_kind { CHANGE_MAP, CHANGE_EXEC, CHANGE_FORK };

/* One step in a process's history; the fingerprint stands for all mappings in force after it. */
struct change {
	struct moment when;
	enum change_kind kind;
	uint32_t epoch;                       /* change that began this space: the last EXEC or FORK, or 0 */
	uint32_t parent, parent_position;     /* FORK: whose mappings it shares; INDEX_NONE: nobody's */
	uint64_t fingerprint;
};

struct process {
	uint32_t pid;
	struct change *changes;
	size_t count, capacity;
	struct range_tree ranges;
	size_t last; /* change found last */
};

/* A gathered record, before space_seal() orders them. */
struct side_band {
	struct moment when;
	uint32_t type, pid, tid, parent_pid, parent_tid;
	bool is_exec; /* COMM: new program; FORK: written by the recorder, mappings follow */
	uint32_t object;
	uint64_t start, end, file_offset;
	const char *comm;
};

struct space {
	struct objects *objects;
	struct intern *names;
	struct side_band *gathered;
	size_t gathered_count, gathered_capacity;
	struct process *processes;
	size_t process_count, process_capacity;
	struct index by_pid;
	uint32_t last_pid, last_process, kernel;
	struct tasks tasks;
	bool has_kernel_mapping;
	uint32_t default_kernel;
};

static struct side_band *gather(struct space *space, const struct record *record)
{
	array_grow(&space->gathered, space->gathered_count, &space->gathered_capacity);

	struct side_band *added = &space->gathered[space->gathered_count++];

	*added = (struct side_band){ .when = { record->time_ns, record->file_offset }, .type = record->type };
	return added;
}

static bool record_is_kernel(const struct record *record, uint32_t pid)
{
	unsigned mode = record->misc & PERF_RECORD_MISC_CPUMODE_MASK;

	return mode == PERF_RECORD_MISC_KERNEL || (pid == SPACE_KERNEL_PID && mode != PERF_RECORD_MISC_GUEST_KERNEL);
}

static struct error *gather_mapping(struct space *space, const struct record *record)
{
	struct mapping_record mapping;
	struct error *err = mapping_record_decode(record, &mapping);

	if (err)
		return err;

	unsigned mode = record->misc & PERF_RECORD_MISC_CPUMODE_MASK;

	if (mode == PERF_RECORD_MISC_GUEST_KERNEL || mode == PERF_RECORD_MISC_GUEST_USER ||
	    record->misc & PERF_RECORD_MISC_MMAP_DATA) /* no code is in it */
		return NULL;

	bool is_kernel = record_is_kernel(record, mapping.pid);
	struct side_band *added = gather(space, record);

	added->object = objects_of_mapping(space->objects, &mapping, is_kernel);

	enum object_kind kind = space->objects->items[added->object].kind;

	added->type = PERF_RECORD_MMAP;
	added->pid = is_kernel ? SPACE_KERNEL_PID : mapping.pid;
	added->start = mapping.address;
	added->end = mapping.address + mapping.length;
	if (added->end < added->start)
		added->end = UINT64_MAX;
	added->file_offset = mapping.file_offset;
	if (kind == OBJECT_KERNEL || kind == OBJECT_SPECIAL || kind == OBJECT_ANONYMOUS)
		added->file_offset = mapping.address;
	else if (!strcmp(mapping.path, "[vdso]"))
		added->file_offset = 0;
	space->has_kernel_mapping |= kind == OBJECT_KERNEL;
	return NULL;
}

static struct error *gather_comm(struct space *space, const struct record *record)
{
	struct comm_record comm;
	struct error *err = comm_record_decode(record, &comm);

	if (err)
		return err;

	struct side_band *added = gather(space, record);

	added->pid = comm.pid;
	added->tid = comm.tid;
	added->is_exec = comm.is_exec;
	added->comm = intern_text(space->names, comm.comm);
	return NULL;
}

static struct error *gather_task(struct space *space, const struct record *record)
{
	struct task_record task;
	struct error *err = task_record_decode(record, &task);

	if (err)
		return err;

	struct side_band *added = gather(space, record);

	added->pid = task.pid;
	added->tid = task.tid;
	added->parent_pid = task.parent_pid;
	added->parent_tid = task.parent_tid;
	added->is_exec = record->misc & (1 << 13); /* PERF_RECORD_MISC_FORK_EXEC, set by recorders only */
	return NULL;
}

static struct error *gather_ksymbol(struct space *space, const struct record *record)
{
	struct ksymbol_record symbol;
	struct error *err = ksymbol_record_decode(record, &symbol);

	if (err || symbol.flags & PERF_RECORD_KSYMBOL_FLAGS_UNREGISTER)
		return err;

	struct side_band *added = gather(space, record);

	added->type = PERF_RECORD_MMAP;
	added->object = objects_of_ksymbol(space->objects, &symbol);
	added->pid = SPACE_KERNEL_PID;
	added->start = added->file_offset = symbol.address;
	added->end = symbol.address + symbol.length;
	return NULL;
}

struct error *space_add(struct space *space, const struct record *record)
{
	switch (record->type) {
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
		return gather_mapping(space, record);
	case PERF_RECORD_COMM:
		return gather_comm(space, record);
	case PERF_RECORD_FORK:
		return gather_task(space, record);
	case PERF_RECORD_KSYMBOL:
		return gather_ksymbol(space, record);
	default:
		return NULL;
	}
}

static uint32_t process_find_or_add(struct space *space, uint32_t pid)
{
	uint32_t found = index_find(&space->by_pid, pid);

	if (found != INDEX_NONE)
		return found;
	array_grow(&space->processes, space->process_count, &space->process_capacity);
	found = (uint32_t)space->process_count++;
	space->processes[found] = (struct process){ .pid = pid };
	index_add(&space->by_pid, pid, found);
	return found;
}

/* Until the new program maps something, its kernel stacks still lead to the old one. */
static uint64_t starting_fingerprint(const struct change *last, enum change_kind kind)
{
	if (!last || kind == CHANGE_FORK)
		return 1;
	if (kind == CHANGE_EXEC)
		return hash_combine(last->fingerprint, CHANGE_EXEC);
	return last->kind == CHANGE_EXEC ? 1 : last->fingerprint;
}

static struct change *process_change(struct process *process, struct moment when, enum change_kind kind)
{
	array_grow(&process->changes, process->count, &process->capacity);

	struct change *last = process->count ? &process->changes[process->count - 1] : NULL;
	struct change *added = &process->changes[process->count];

	*added = (struct change){ .when = when, .kind = kind, .parent = INDEX_NONE };
	added->epoch = kind == CHANGE_MAP ? (last ? last->epoch : 0) : (uint32_t)process->count;
	added->fingerprint = starting_fingerprint(last, kind);
	process->count++;
	return added;
}

static void replay_mapping(struct space *space, const struct side_band *event)
{
	uint32_t number = process_find_or_add(space, event->pid);
	struct process *process = &space->processes[number];
	struct change *change = process_change(process, event->when, CHANGE_MAP);

	change->fingerprint = hash_combine(change->fingerprint, event->object);
	change->fingerprint = hash_combine(change->fingerprint, event->start);
	change->fingerprint = hash_combine(change->fingerprint, event->end);
	change->fingerprint = hash_combine(change->fingerprint, event->file_offset);
	range_tree_add(&process->ranges, &(struct range){ event->start, event->end, event->file_offset, event->object,
							   (uint32_t)process->count - 1, change->epoch });
}

static void replay_fork(struct space *space, const struct side_band *event)
{
	tasks_fork(&space->tasks, event->tid, event->parent_tid, event->when);
	if (event->pid == event->parent_pid)
		return; /* a thread: it shares its leader's space */

	uint32_t parent = process_find_or_add(space, event->parent_pid);
	uint32_t child = process_find_or_add(space, event->pid);
	const struct process *from = &space->processes[parent];
	struct change *change = process_change(&space->processes[child], event->when, CHANGE_FORK);

	/* The recorder writes FORK for processes that ran already: their mappings follow. */
	if (event->is_exec || !from->count)
		return;
	change->parent = parent;
	change->parent_position = (uint32_t)from->count - 1;
	change->fingerprint = from->changes[change->parent_position].fingerprint;
}

static void replay_comm(struct space *space, const struct side_band *event)
{
	tasks_name(&space->tasks, event->tid, event->comm, event->when);
	if (!event->is_exec)
		return;

	uint32_t number = process_find_or_add(space, event->pid);

	process_change(&space->processes[number], event->when, CHANGE_EXEC);
}

static int moment_compare(const struct moment *a, const struct moment *b)
{
	if (a->time_ns != b->time_ns)
		return a->time_ns < b->time_ns ? -1 : 1;
	return a->file_offset < b->file_offset ? -1 : a->file_offset > b->file_offset;
}

static int side_band_compare(const void *a, const void *b)
{
	return moment_compare(&((const struct side_band *)a)->when, &((const struct side_band *)b)->when);
}

void space_seal(struct space *space)
{
	if (space->gathered_count)
		qsort(space->gathered, space->gathered_count, sizeof(*space->gathered), side_band_compare);
	for (size_t i = 0; i < space->gathered_count; i++) {
		const struct side_band *event = &space->gathered[i];

		if (event->type == PERF_RECORD_MMAP)
			replay_mapping(space, event);
		else if (event->type == PERF_RECORD_FORK)
			replay_fork(space, event);
		else if (event->type == PERF_RECORD_COMM)
			replay_comm(space, event);
	}
	free(take(space->gathered));
	space->gathered_count = space->gathered_capacity = 0;
	for (size_t i = 0; i < space->process_count; i++)
		range_tree_seal(&space->processes[i].ranges);
	space->kernel = process_find_or_add(space, SPACE_KERNEL_PID);
	space->default_kernel = space->has_kernel_mapping ? 0 : objects_kernel(space->objects);
}

/* The last change not after the moment, or INDEX_NONE. */
static uint32_t process_position(struct process *process, const struct moment *when)
{
	size_t low = 0, high = process->count;

	if (process->last < high && moment_compare(&process->changes[process->last].when, when) <= 0) {
		low = process->last + 1;
		if (low == high || moment_compare(&process->changes[low].when, when) > 0)
			return (uint32_t)process->last;
	}
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (moment_compare(&process->changes[middle].when, when) <= 0)
			low = middle + 1;
		else
			high = middle;
	}
	if (!low)
		return INDEX_NONE;
	process->last = low - 1;
	return (uint32_t)low - 1;
}

void space_look(struct space *space, uint32_t pid, struct moment when, struct space_view *ret)
{
	if (pid != space->last_pid) {
		space->last_process = index_find(&space->by_pid, pid);
		space->last_pid = pid;
	}

	struct process *kernel = &space->processes[space->kernel];
	struct space_view view = { .process = space->last_process, .position = INDEX_NONE };
	uint64_t user = 0, host = 0;

	if (view.process != INDEX_NONE) {
		struct process *process = &space->processes[view.process];

		view.position = process_position(process, &when);
		if (view.position != INDEX_NONE)
			user = process->changes[view.position].fingerprint;
	}
	view.kernel_position = process_position(kernel, &when);
	if (view.kernel_position != INDEX_NONE)
		host = kernel->changes[view.kernel_position].fingerprint;
	view.layout = user * 0x9e3779b97f4a7c15u + host;
	*ret = view;
}

/* The range that held an address, asking the parents a process was forked from in turn. */
static const struct range *find_range(const struct space *space, uint32_t at, uint32_t position, uint64_t address)
{
	while (at != INDEX_NONE && position != INDEX_NONE) {
		const struct process *process = &space->processes[at];
		uint32_t epoch = process->changes[position].epoch;
		const struct range *range = range_tree_find(&process->ranges, address, epoch, position);

		if (range)
			return range;

		const struct change *begin = &process->changes[epoch];

		if (begin->kind == CHANGE_FORK) {
			at = begin->parent;
			position = begin->parent_position;
		} else if (begin->kind == CHANGE_EXEC && position == epoch && epoch) {
			position = epoch - 1;
		} else {
			return NULL;
		}
	}
	return NULL;
}

static void locate(const struct range *range, uint64_t address, struct location *ret)
{
	if (!range)
		return;
	ret->object = range->object;
	ret->offset = address - range->start + range->file_offset;
}

void space_find(struct space *space, const struct space_view *view, unsigned cpumode, uint64_t address,
		struct location *ret)
{
	static const char marks[] = { 'H', 'k', '.', 'H', 'g', 'u', 'H', 'H' };

	*ret = (struct location){ 0, address, marks[cpumode & 7] };
	if (cpumode == PERF_RECORD_MISC_USER) {
		locate(find_range(space, view->process, view->position, address), address, ret);
	} else if (cpumode == PERF_RECORD_MISC_KERNEL) {
		locate(find_range(space, space->kernel, view->kernel_position, address), address, ret);
		if (!ret->object)
			ret->object = space->default_kernel;
	}
}

const char *space_comm(struct space *space, uint32_t tid, struct moment when, bool foresee)
{
	return tasks_comm(&space->tasks, tid, when, foresee);
}

static int by_position(const void *one, const void *other)
{
	const struct range *const *a = one, *const *b = other;

	return (*a)->position < (*b)->position ? -1 : (*a)->position > (*b)->position;
}

/* The ranges of an epoch up to a position, oldest first. */
static size_t ranges_until(const struct process *process, uint32_t position, const struct range ***ret)
{
	uint32_t epoch = process->changes[position].epoch;
	auto_free const struct range **found = memory_zeroed(process->ranges.count, sizeof(*found));
	size_t count = 0;

	for (size_t i = 0; i < process->ranges.count; i++) {
		const struct range *range = &process->ranges.items[i];

		if (range->epoch == epoch && range->position <= position)
			found[count++] = range;
	}
	qsort(found, count, sizeof(*found), by_position);
	*ret = take(found);
	return count;
}

void space_each_mapping(struct space *space, const struct space_view *view, space_mapping_call *call, void *data)
{
	uint32_t at = view->process, position = view->position;
	struct range_chain {
		uint32_t at, position;
	} *chain = NULL;
	size_t depth = 0, capacity = 0;
	auto_free void *owned = NULL;

	while (at != INDEX_NONE && position != INDEX_NONE) {
		const struct process *process = &space->processes[at];
		const struct change *begin = &process->changes[process->changes[position].epoch];

		array_grow(&chain, depth, &capacity);
		chain[depth++] = (struct range_chain){ at, position };
		if (begin->kind != CHANGE_FORK)
			break;
		at = begin->parent;
		position = begin->parent_position;
	}
	owned = chain;
	while (depth--) {
		auto_free const struct range **ranges = NULL;
		size_t count = ranges_until(&space->processes[chain[depth].at], chain[depth].position, &ranges);

		for (size_t i = 0; i < count; i++)
			if (!call(data, ranges[i]->object, ranges[i]->start, ranges[i]->end, ranges[i]->file_offset))
				return;
	}
}

struct space *space_create(struct objects *objects, struct intern *names)
{
	struct space *space = memory_zeroed(1, sizeof(*space));

	space->objects = objects;
	space->names = names;
	space->last_process = INDEX_NONE;
	tasks_init(&space->tasks, names);
	return space;
}

void space_destroy(struct space *space)
{
	if (!space)
		return;
	for (size_t i = 0; i < space->process_count; i++) {
		free(space->processes[i].changes);
		range_tree_release(&space->processes[i].ranges);
	}
	free(space->processes);
	free(space->gathered);
	index_release(&space->by_pid);
	tasks_release(&space->tasks);
	free(space);
}
