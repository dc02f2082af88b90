/* Load a recording: first its side-band records, then its samples, each aggregated at once. */
#include "profile/profile.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/intern.h"
#include "base/memory.h"
#include "perfdata/format.h"
#include "profile/group.h"
#include "profile/sites.h"

enum { DEFAULT_STACK = 127, PROGRESS_EVERY = 1 << 16 };

/* Whether a sample's fields can be picked at their places, without decoding all of it. */
static bool is_plain(const struct profile *profile, const struct profile_event *event)
{
	uint64_t type = event->attr.sample_type;
	bool wants_stack = profile->word_of[ROW_STACK] >= 0 && event->has_stacks;

	return !(type & (PERF_SAMPLE_READ | PERF_SAMPLE_STACK_USER)) && profile->word_of[ROW_BRANCH] < 0 && !profile->is_walked &&
	       profile->word_of[ROW_WEIGHT] < 0 && (!wants_stack || event->layout.callchain >= 0);
}

static void add_events(struct profile *profile)
{
	size_t count = perfdata_event_count(profile->reader);

	while (profile->event_count < count) {
		const struct perfdata_event *from = perfdata_event_at(profile->reader, profile->event_count);

		array_grow(&profile->events, profile->event_count, &profile->event_capacity);
		profile->events[profile->event_count] = (struct profile_event){
			.attr = from->attr,
			.name = intern_text(profile->names, from->name),
			.leader = profile->event_count,
			.has_stacks = from->attr.sample_type & PERF_SAMPLE_CALLCHAIN,
			.has_branches = from->attr.sample_type & PERF_SAMPLE_BRANCH_STACK,
			.layout = from->layout,
		};
		profile->events[profile->event_count].is_plain =
			is_plain(profile, &profile->events[profile->event_count]);
		profile->event_count++;
	}
}

/* One pass over all records. consume decides what to do with each. */
struct pass {
	struct profile *profile;
	const struct profile_setup *setup;
	struct group_reads *reads;
	struct error *(*consume)(struct pass *pass, const struct record *record);
	uint64_t half; /* of the progress: bytes that lie before this pass */
};

static struct error *show_progress(const struct pass *pass)
{
	const struct perfdata_reader *reader = pass->profile->reader;

	if (!pass->setup->progress)
		return NULL;
	if (!pass->setup->progress(pass->setup->progress_data, pass->half + perfdata_position(reader) / 2,
				   perfdata_size(reader)))
		return error_os(ECANCELED, "read %s", pass->profile->path);
	return NULL;
}

/* With force, remember the first damage and go on; without, it is the result. */
static struct error *damaged(struct pass *pass, struct error *err)
{
	if (!pass->setup->force)
		return err;
	if (pass->profile->damage)
		error_destroy(err);
	else
		pass->profile->damage = err;
	return NULL;
}

static struct error *run_pass(struct pass *pass)
{
	for (size_t count = 1;; count++) {
		struct record record;
		bool done = false;
		struct error *err = perfdata_next(pass->profile->reader, &record, &done);

		if (!err && done)
			return NULL;
		if (!err)
			err = pass->consume(pass, &record);
		if (err)
			err = damaged(pass, err);
		if (err)
			return err;
		if (count % PROGRESS_EVERY == 0 && (err = show_progress(pass)))
			return err;
	}
}

static struct error *take_side_band(struct pass *pass, const struct record *record)
{
	return record->type == PERF_RECORD_SAMPLE ? NULL : space_add(pass->profile->space, record);
}

static bool contains(const uint32_t *items, size_t count, uint32_t item)
{
	for (size_t i = 0; i < count; i++)
		if (items[i] == item)
			return true;
	return !count;
}

bool sample_filter_passes(const struct sample_filter *filter, const struct sample *sample)
{
	return contains(filter->cpus, filter->cpu_count, sample->cpu) && sample->time_ns >= filter->first_ns &&
	       (!filter->last_ns || sample->time_ns <= filter->last_ns) &&
	       contains(filter->pids, filter->pid_count, sample->pid) &&
	       contains(filter->tids, filter->tid_count, sample->tid);
}

static void add_row(struct profile *profile, const uint64_t *words, uint64_t period)
{
	uint32_t row = tuples_intern(&profile->rows, words);

	if (row >= profile->total_capacity) {
		size_t old = profile->total_capacity;

		profile->total_capacity = old ? old * 2 : 64;
		profile->totals = memory_resize(profile->totals, profile->total_capacity, sizeof(*profile->totals));
		memset(profile->totals + old, 0, (profile->total_capacity - old) * sizeof(*profile->totals));
	}
	profile->totals[row].samples++;
	profile->totals[row].period += period;
}

static uint32_t stack_of(struct pass *pass, const struct space_view *view, size_t event, const struct sample *sample)
{
	struct profile *profile = pass->profile;

	if (!sample->callchain_length && !sample->user_stack_size)
		return 0;

	uint64_t more[DEFAULT_STACK];
	struct chain chain = { .words = sample->callchain, .count = sample->callchain_length,
			       .limit = pass->setup->max_stack ? pass->setup->max_stack : DEFAULT_STACK };

	if (pass->setup->unwind && sample->user_stack_size && sample->user_regs) {
		chain.more = more;
		chain.more_count = pass->setup->unwind(pass->setup->unwind_data, profile, view,
						       &profile->events[event].attr, sample, more,
						       DEFAULT_STACK);
	}
	return profile_stack(profile, view, &chain);
}

static void set_word(const struct profile *profile, uint64_t *words, enum row_field field, uint64_t value)
{
	if (profile->word_of[field] >= 0)
		words[profile->word_of[field]] = value;
}

/* A row for each branch of the sample, counted by branches. */
static void add_branches(struct profile *profile, const struct space_view *view, uint64_t *words,
			 const struct sample *sample)
{
	for (size_t i = 0; i < sample->branch_count; i++) {
		const struct perf_branch_entry *branch = &sample->branches[i];
		bool from_kernel = (int64_t)branch->from < 0, to_kernel = (int64_t)branch->to < 0;
		uint64_t from = profile_site(profile, view, from_kernel ? 1 : 2, branch->from);
		uint64_t to = profile_site(profile, view, to_kernel ? 1 : 2, branch->to);

		words[0] = words[0] >> 32 << 32 | to;
		words[profile->word_of[ROW_BRANCH]] = from << 32 | to;
		add_row(profile, words, 1);
		profile->branch_count++;
	}
}

static struct error *hand_over(struct pass *pass, const struct record *record, size_t event,
			       const struct sample *sample)
{
	struct profile *profile = pass->profile;
	struct moment when = { record->time_ns, record->file_offset };
	struct space_view view;
	struct profile_sample given = { record, sample, event, &view, 0, 0 };

	space_look(profile->space, sample->pid, when, &view);
	given.site = profile_site(profile, &view, record->misc & PERF_RECORD_MISC_CPUMODE_MASK, sample->ip);
	if (profile->word_of[ROW_STACK] >= 0)
		given.stack = stack_of(pass, &view, event, sample);
	profile->events[event].samples++;
	return pass->setup->each(pass->setup->each_data, profile, &given);
}

static void aggregate(struct pass *pass, const struct record *record, size_t event, const struct sample *sample)
{
	struct profile *profile = pass->profile;
	struct moment when = { record->time_ns, record->file_offset };
	struct space_view view;
	uint64_t words[ROW_FIELDS] = { 0 };

	space_look(profile->space, sample->pid, when, &view);
	words[0] = (uint64_t)event << 32 |
		   profile_site(profile, &view, record->misc & PERF_RECORD_MISC_CPUMODE_MASK, sample->ip);
	if (profile->word_of[ROW_COMM] >= 0)
		set_word(profile, words, ROW_COMM, (uintptr_t)space_comm(profile->space, sample->tid, when, true));
	set_word(profile, words, ROW_TASK, (uint64_t)sample->pid << 32 | sample->tid);
	set_word(profile, words, ROW_PID, sample->pid);
	set_word(profile, words, ROW_CPU, sample->cpu);
	set_word(profile, words, ROW_WEIGHT, sample->weight);
	if (profile->word_of[ROW_STACK] >= 0)
		set_word(profile, words, ROW_STACK, stack_of(pass, &view, event, sample));
	profile->events[event].samples++;
	if (profile->word_of[ROW_BRANCH] >= 0) {
		profile->events[event].period += sample->branch_count;
		add_branches(profile, &view, words, sample);
		return;
	}
	profile->events[event].period += sample->period;
	add_row(profile, words, sample->period);
}

static struct error *add_sample(struct pass *pass, const struct record *record, size_t event,
				const struct sample *sample)
{
	if (pass->setup->each)
		return hand_over(pass, record, event, sample);
	aggregate(pass, record, event, sample);
	return NULL;
}

/* The fields of a plain sample; false when its chain overruns the record. */
static bool pick_fields(const struct profile_event *event, const struct record *record, struct sample *ret)
{
	const struct sample_layout *at = &event->layout;

	ret->ip = sample_word(record->body, at->ip);
	ret->pid = sample_half(record->body, at->tid, 0);
	ret->tid = sample_half(record->body, at->tid, 1);
	ret->cpu = sample_half(record->body, at->cpu, 0);
	ret->period = sample_word(record->body, at->period);
	ret->time_ns = record->time_ns;
	ret->callchain = NULL;
	ret->callchain_length = 0;
	ret->user_stack_size = 0;
	if (at->callchain < 0)
		return true;
	ret->callchain_length = sample_word(record->body, at->callchain);
	ret->callchain = (const uint64_t *)((const char *)record->body + at->callchain + 8);
	return ret->callchain_length <= (record->size - 16 - (size_t)at->callchain) / 8;
}

/* A sample of its own for each event that was read with it. */
static struct error *add_shares(struct pass *pass, const struct record *record, const struct perf_event_attr *attr,
				struct sample *sample)
{
	struct error *err = NULL;
	struct group_share share;

	for (size_t i = 0; !err && group_reads_next(pass->reads, attr, sample, i, &share); i++) {
		if (!share.period || share.event >= pass->profile->event_count)
			continue;
		sample->period = share.period;
		err = add_sample(pass, record, share.event, sample);
	}
	return err;
}

static struct error *take_sample(struct pass *pass, const struct record *record)
{
	struct profile *profile = pass->profile;
	size_t event = record->attr_index;
	struct sample sample;

	if (record->type != PERF_RECORD_SAMPLE && pass->setup->each_other)
		return pass->setup->each_other(pass->setup->each_data, profile, record);
	if (record->type != PERF_RECORD_SAMPLE || event >= profile->event_count)
		return NULL;

	const struct perf_event_attr *attr = &profile->events[event].attr;

	if (!profile->events[event].is_plain || !pick_fields(&profile->events[event], record, &sample)) {
		struct error *err = sample_decode(attr, record, &sample);

		if (err)
			return err;
	}
	if (!(attr->sample_type & PERF_SAMPLE_PERIOD))
		sample.period = attr->sample_period;
	if (!(attr->sample_type & PERF_SAMPLE_CPU))
		sample.cpu = UINT32_MAX;
	if (!sample_filter_passes(&pass->setup->filter, &sample))
		return NULL;
	if (sample.time_ns && (!profile->first_ns || sample.time_ns < profile->first_ns))
		profile->first_ns = sample.time_ns;
	if (sample.time_ns > profile->last_ns)
		profile->last_ns = sample.time_ns;
	if (attr->sample_type & PERF_SAMPLE_READ)
		return add_shares(pass, record, attr, &sample);
	return add_sample(pass, record, event, &sample);
}

static void choose_words(struct profile *profile, uint32_t fields)
{
	profile->rows.words = 0;
	for (int field = 0; field < ROW_FIELDS; field++)
		profile->word_of[field] =
			field == ROW_SITE || fields & (1u << field) ? (int)profile->rows.words++ : -1;
}

static void name_build_ids(struct profile *profile)
{
	const struct perfdata_build_id *ids;
	size_t count = perfdata_build_ids(profile->reader, &ids);

	for (size_t i = 0; i < count; i++)
		objects_set_build_id(profile->objects, ids[i].path, ids[i].bytes, ids[i].size);
}

/* stdin is read twice: a pipe goes to a file first. ret: -1 when path is not "-". */
static struct error *spool_stdin(const char *path, int *ret)
{
	static const char *const places[] = { NULL, "/var/tmp", "/tmp" };
	char buffer[1 << 16];
	auto_close int spool = -1;
	ssize_t got;

	if (strcmp(path, "-") != 0)
		return NULL;
	for (size_t i = 0; i < ARRAY_SIZE(places) && spool < 0; i++) {
		const char *place = i ? places[i] : getenv("TMPDIR");

		if (place)
			spool = open(place, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	}
	if (spool < 0)
		return error_os(errno, "standard input: no place to keep it; set TMPDIR");
	while ((got = read(STDIN_FILENO, buffer, sizeof(buffer))) > 0)
		if (write(spool, buffer, (size_t)got) != got)
			return error_os(errno, "standard input: keep it in a temporary file");
	if (got < 0)
		return error_os(errno, "read standard input");
	*ret = spool;
	spool = -1;
	return NULL;
}

static struct error *open_reader(struct profile *profile, const char *path, enum perfdata_order order)
{
	auto_close int spool = -1;
	auto_free char *spooled = NULL;
	struct error *err = spool_stdin(path, &spool);

	if (err)
		return err;
	if (spool >= 0)
		spooled = memory_format("/proc/self/fd/%d", spool);
	return perfdata_open(spooled ? spooled : path, order, &profile->reader);
}

static struct error *load(struct profile *profile, const struct profile_setup *setup)
{
	struct pass pass = { profile, setup, NULL, take_side_band, 0 };
	struct error *err = run_pass(&pass);

	if (err)
		return err;
	profile->losses = *perfdata_losses(profile->reader);
	add_events(profile);
	group_describe(profile);
	name_build_ids(profile);
	space_seal(profile->space);
	err = perfdata_rewind(profile->reader);
	if (err)
		return err;
	pass.consume = take_sample;
	pass.half = perfdata_size(profile->reader) / 2;

	cleanup(group_reads_guard) struct group_reads *reads = group_reads_create(profile->reader);

	pass.reads = reads;
	err = run_pass(&pass);
	group_note_lost(profile, reads);
	return err;
}

static struct profile *profile_create(const char *path, const struct profile_setup *setup)
{
	struct profile *profile = memory_zeroed(1, sizeof(*profile));
	uint64_t nothing = UINT64_MAX;

	profile->path = path;
	profile->names = intern_create();
	profile->objects = objects_create(profile->names);
	profile->space = space_create(profile->objects, profile->names);
	profile->scratch = profile_scratch_create();
	profile->stacks.words = 1;
	tuples_intern(&profile->stacks, &nothing);
	profile->is_walked = setup->each != NULL;
	choose_words(profile, setup->fields);
	return profile;
}

struct error *profile_load(const char *path, const struct profile_setup *setup, struct profile **ret)
{
	cleanup(profile_guard) struct profile *profile = profile_create(path, setup);
	struct error *err = open_reader(profile, path, setup->each ? PERFDATA_TIME_ORDER : PERFDATA_FILE_ORDER);

	if (!err)
		err = load(profile, setup);
	if (err)
		return err;
	profile_scratch_destroy(take(profile->scratch));
	*ret = take(profile);
	return NULL;
}

size_t profile_event_leader(const struct profile *profile, size_t event, bool group)
{
	return group ? profile->events[event].leader : event;
}

void profile_destroy(struct profile *profile)
{
	if (!profile)
		return;
	profile_scratch_destroy(profile->scratch);
	tuples_release(&profile->rows);
	tuples_release(&profile->stacks);
	free(profile->totals);
	free(profile->sites);
	free(profile->events);
	error_destroy(profile->damage);
	space_destroy(profile->space);
	objects_destroy(profile->objects);
	perfdata_reader_destroy(profile->reader);
	intern_destroy(profile->names);
	free(profile);
}
