/* `perfmini stat`: where the result goes, intervals, progress, and the command's own output. */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <time.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/text.h"
#include "cmd/stat.h"

enum { HEADING_EVERY = 25, NS_PER_S = 1000000000 };

static unsigned terminal_columns(FILE *out)
{
	struct winsize size;

	return isatty(fileno(out)) && !ioctl(fileno(out), TIOCGWINSZ, &size) ? size.ws_col : 0;
}

struct error *stat_open_output(struct stat_session *session)
{
	const struct stat_options *options = session->options;
	const char *mode = options->append ? "ae" : "we";

	session->out = stderr;
	if (options->output)
		session->out = fopen(options->output, mode);
	else if (options->log_fd >= 0)
		session->out = fdopen(fcntl((int)options->log_fd, F_DUPFD_CLOEXEC, 3), "w");
	if (!session->out)
		return options->output ? error_os(errno, "open %s", options->output) :
					 error_os(errno, "--log-fd: %d", (int)options->log_fd);
	session->columns = terminal_columns(session->out);
	return NULL;
}

static struct stat_view make_view(const struct stat_session *session, const struct stat_figures *figures)
{
	const struct stat_options *options = session->options;

	return (struct stat_view){
		.figures = figures, .separator = options->separator, .plain_numbers = !options->big_num,
		.stats = options->stats, .table = options->table, .raw = options->verbose > 0,
		.metric_only = options->metric_only, .heading = true, .columns = session->columns,
	};
}

static void print_view(const struct stat_session *session, const struct stat_view *view)
{
	if (session->options->quiet)
		return;
	if (session->options->json)
		stat_print_json(view, session->out);
	else if (session->options->separator)
		stat_print_csv(view, session->out);
	else if (session->options->metric_only)
		stat_print_metrics(view, session->out);
	else
		stat_print_text(view, session->out);
}

struct error *stat_print_result(const struct stat_session *session, const struct runs *runs)
{
	struct stat_setup setup = { .metrics = session->metrics, .raw = !session->options->scale, .level = 0.95 };
	cleanup(stat_figures_guard) struct stat_figures *figures = stat_figures_create(runs, &setup);
	struct stat_view view = make_view(session, figures);

	print_view(session, &view);
	/* A reader that went away wants no more; a full disk is an error. */
	if (fflush(session->out) && errno != EPIPE)
		return error_os(errno, "write %s", session->options->output ? session->options->output : "the result");
	return NULL;
}

void stat_print_utilization(const struct stat_session *session, const struct stat_utilization *row,
			    const uint64_t *interval_ns)
{
	struct stat_view view = make_view(session, NULL);

	view.is_interval = interval_ns != NULL;
	view.time_ns = interval_ns ? *interval_ns : 0;
	if (session->options->json)
		stat_print_utilization_json(&view, row, session->out);
	else if (session->options->separator)
		stat_print_utilization_csv(&view, row, session->out);
	else
		stat_print_utilization_text(&view, row, session->out);
}

/* A run of its own that holds what was counted since the last interval. */
static struct runs *interval_runs(const struct stat_session *session, size_t set, uint64_t now_ns)
{
	size_t count = event_list_count(session->events) * session->place_count;
	auto_free struct count *since = memory_zeroed(count, sizeof(*since));
	struct runs *runs = runs_create("stat");

	for (size_t i = 0; i < count; i++) {
		since[i].value = session->counts[i].value - session->last_counts[i].value;
		since[i].enabled_ns = session->counts[i].enabled_ns - session->last_counts[i].enabled_ns;
		since[i].running_ns = session->counts[i].running_ns - session->last_counts[i].running_ns;
	}
	runs->events = session->runs->events;
	runs->event_count = session->runs->event_count;
	runs->plan = session->runs->plan;
	runs->plan_count = session->runs->plan_count;

	struct run *run = runs_add(runs);

	run->wall_ns = now_ns - session->last_ns;
	stat_fill_run(session, set, since, run);
	/* A task that slept through the interval was not on, and did nothing: that is a count. */
	for (size_t i = 0; i < runs->event_count; i++)
		if (run->counts[i].state == COUNT_NOT_COUNTED && !run->counts[i].enabled_ns)
			run->counts[i].state = COUNT_OK;
	return runs;
}

void stat_print_interval(struct stat_session *session, size_t set, uint64_t now_ns)
{
	size_t count = event_list_count(session->events) * session->place_count;
	struct stat_setup setup = { .metrics = session->metrics, .raw = !session->options->scale, .level = 0.95 };
	cleanup(runs_guard) struct runs *runs = interval_runs(session, set, now_ns);
	cleanup(stat_figures_guard) struct stat_figures *figures = stat_figures_create(runs, &setup);
	struct stat_view view = make_view(session, figures);
	bool is_csv = session->options->separator != NULL;

	view.is_interval = true;
	view.time_ns = now_ns;
	view.heading = session->intervals_done % HEADING_EVERY == 0 && (!is_csv || !session->intervals_done);
	print_view(session, &view);
	stat_cpu_time_print_interval(session, now_ns);
	fflush(session->out);
	memcpy(session->last_counts, session->counts, count * sizeof(*session->counts));
	session->last_ns = now_ns;
	session->intervals_done++;
}

static bool shows_progress(const struct stat_session *session)
{
	return session->options->repeat != 1 && !session->options->quiet && isatty(STDERR_FILENO);
}

void stat_show_progress(const struct stat_session *session, uint64_t done, uint64_t started_ns)
{
	uint64_t total = session->options->repeat;
	struct timespec now;

	if (!shows_progress(session))
		return;
	fprintf(stderr, "\rrun %llu", (unsigned long long)done + 1);
	if (total)
		fprintf(stderr, " of %llu", (unsigned long long)total);
	if (total && done && started_ns) {
		clock_gettime(CLOCK_REALTIME, &now);

		double spent = (double)now.tv_sec + (double)now.tv_nsec / NS_PER_S - (double)started_ns / NS_PER_S;

		fprintf(stderr, ", %.0f s left", spent / (double)done * (double)(total - done));
	}
	fputs("\033[K\r", stderr);
	fflush(stderr);
}

void stat_end_progress(const struct stat_session *session)
{
	if (shows_progress(session))
		fputs("\r\033[K", stderr);
}

struct error *stat_take_output(struct stat_session *session, struct command_setup *setup)
{
	if (!session->options->ops_from)
		return NULL;
	if (session->output_fd < 0)
		session->output_fd = memfd_create("output", MFD_CLOEXEC);
	if (session->output_fd < 0)
		return error_os(errno, "make room for the command's output");
	if (ftruncate(session->output_fd, 0) || lseek(session->output_fd, 0, SEEK_SET) < 0)
		return error_os(errno, "empty the command's output");
	setup->stdout_fd = session->output_fd;
	return NULL;
}

/* The first number in what the pattern matched: of its first group, when it has one. */
static double number_in(const char *text, const regmatch_t *match)
{
	regoff_t start = match[1].rm_so >= 0 ? match[1].rm_so : match[0].rm_so;
	const char *at = text + start + strcspn(text + start, "0123456789");
	char *end;
	double number = strtod(at, &end);

	return end == at || number <= 0 ? NAN : number;
}

double stat_find_operations(struct stat_session *session)
{
	off_t size = lseek(session->output_fd, 0, SEEK_END);
	auto_free char *text = memory_zeroed((size_t)(size > 0 ? size : 0) + 1, 1);
	regmatch_t match[2] = { { -1, -1 }, { -1, -1 } };

	if (size <= 0 || pread(session->output_fd, text, (size_t)size, 0) != size)
		return NAN;
	fwrite(text, 1, (size_t)size, stdout);
	fflush(stdout);
	if (regexec(&session->ops_pattern, text, ARRAY_SIZE(match), match, 0))
		return NAN;
	return number_in(text, match);
}
