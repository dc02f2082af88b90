/* perfmini annotate: a function's instructions, what each cost, and the source they come from. */
#include "cmd/annotate.h"

#include <string.h>
#include <sys/stat.h>

#include "base/log.h"
#include "base/memory.h"
#include "cmd/cmd.h"

static struct error *load(struct annotate *annotate)
{
	const struct annotate_options *chosen = &annotate->options;
	struct symbolizer_setup symbols = recording_symbols(&chosen->recording, true);
	struct progress progress;
	struct profile_setup setup = {
		.force = chosen->recording.force,
		.filter = annotate->filter.sample,
		.progress = progress_show,
		.progress_data = &progress,
	};
	struct error *err;

	progress_start(&progress);
	err = profile_load(chosen->recording.input, &setup, &annotate->profile);
	progress_end(&progress);
	if (!err)
		err = resolver_create(annotate->profile, &symbols, &annotate->resolver);
	if (!err)
		annotate->functions = hot_functions_create(annotate->resolver);
	return err;
}

bool annotate_is_named(const char *name, const char *shown, const char *wanted)
{
	size_t length = strlen(wanted);

	return !strcmp(shown, wanted) || !strcmp(name, wanted) ||
	       (!strncmp(shown, wanted, length) && shown[length] == '(');
}

static bool is_among(const struct word_list *words, const char *shown, const char *path)
{
	for (size_t i = 0; i < words->count; i++)
		if (!strcmp(words->items[i], shown) || !strcmp(words->items[i], path))
			return true;
	return !words->count;
}

static bool is_wanted(const struct annotate *annotate, const struct hot_function *function)
{
	const struct place *place = resolver_place_at(annotate->resolver, function->place);
	const struct object *object = &annotate->profile->objects->items[place->object];

	return is_among(&annotate->dsos, object->shown, object->path) &&
	       (!annotate->options.symbol ||
		annotate_is_named(place->function->name, place->function->shown, annotate->options.symbol));
}

static struct error *nothing_found(const struct annotate *annotate)
{
	const struct hot_functions *functions = annotate->functions;
	auto_free const char **names = memory_zeroed(functions->count + 1, sizeof(*names));
	const char *symbol = annotate->options.symbol, *near;
	struct error *err;

	if (!symbol)
		return error_hint(error_new(ERROR_NOT_FOUND, "%s: no sample is in a function%s", annotate->profile->path,
					    annotate->dsos.count ? " of these objects" : ""),
				  "'perfmini report' shows what there is, and why symbols are missing");
	for (size_t i = 0; i < functions->count; i++)
		names[i] = place_name(resolver_place_at(annotate->resolver, functions->items[i].place));
	near = text_nearest(symbol, names, functions->count);
	err = error_new(ERROR_NOT_FOUND, "%s: no sample is in a function '%s'", annotate->profile->path, symbol);
	return near ? error_hint(err, "did you mean '%s'?", near)
		    : error_hint(err, "'perfmini report' lists the functions that have samples");
}

/* What the reader must know to trust the source shown. */
static void tell_sources(const struct annotate *annotate, const struct annotation *annotation)
{
	const char *told = NULL;
	struct stat status;

	if (annotate->options.quiet || !annotate->view.source || stat(annotate->profile->path, &status))
		return;
	for (size_t i = 0; i < annotation->count; i++) {
		const char *file = annotation->items[i].frames[0].file;

		if (!file || file == told || !source_file_is_newer(annotate->view.sources, file, status.st_mtim.tv_sec))
			continue;
		log_warning("%s was written after the recording: its lines may be others", file);
		told = file;
	}
}

static struct error *show_function(struct annotate *annotate, const struct hot_function *function)
{
	cleanup(annotation_guard) struct annotation *annotation = NULL;
	struct error *err = annotation_create(annotate->functions, function, &annotate->disassembly, &annotation);

	if (err)
		return err;
	if (annotate->is_browsed)
		err = annotate_browse(take(annotation));
	else if (annotate->options.json) {
		json_array_append_new(annotate->json, annotate_json(annotation));
	} else {
		if (annotate->shown)
			putchar('\n');
		annotate_text(annotation, &annotate->view, &annotate->out);
		print_text(&annotate->out);
		tell_sources(annotate, annotation);
	}
	annotate->shown++;
	return err;
}

/* Functions whose code is not there are told of; only when none could be shown it is an error. */
static struct error *show_functions(struct annotate *annotate)
{
	cleanup(error_guard) struct error *first = NULL;
	size_t found = 0;

	for (size_t i = 0; i < annotate->functions->count && !(annotate->is_browsed && annotate->shown); i++) {
		const struct hot_function *function = &annotate->functions->items[i];
		struct error *err;

		if (!is_wanted(annotate, function))
			continue;
		found++;
		err = show_function(annotate, function);
		if (err && !annotate->options.quiet && (first || annotate->shown))
			log_warning("%s", error_message(err));
		if (first)
			error_destroy(err);
		else
			first = err;
	}
	if (!found)
		return nothing_found(annotate);
	if (!annotate->shown)
		return take(first);
	if (first && !annotate->options.quiet)
		log_warning("%s", error_message(first));
	return NULL;
}

static void tell_missing_sources(const struct annotate *annotate)
{
	const char *const *missing;
	size_t count = source_files_missing(annotate->view.sources, &missing);

	for (size_t i = 0; i < count && !annotate->options.quiet && !annotate->options.json && !annotate->is_browsed; i++)
		log_warning("source file %s is not there: its lines are shown by number (--prefix DIR looks elsewhere)",
			    missing[i]);
}

static struct error *show_recording(struct annotate *annotate)
{
	struct error *err = load(annotate);

	return err ? err : show_functions(annotate);
}

static struct error *run_annotate(struct annotate *annotate, char *const *operands)
{
	struct error *err = annotate_options_prepare(annotate);

	if (!err)
		err = annotate->options.diff ? annotate_compare(annotate, operands) : show_recording(annotate);
	fflush(stdout);
	if (err)
		return err;
	if (annotate->options.json)
		json_dumpf(annotate->json, stdout, JSON_INDENT(1) | JSON_REAL_PRECISION(17)), putchar('\n');
	tell_missing_sources(annotate);
	return NULL;
}

static void annotate_release(struct annotate *annotate)
{
	hot_functions_destroy(annotate->functions);
	resolver_destroy(annotate->resolver);
	profile_destroy(annotate->profile);
	recording_filter_release(&annotate->filter);
	word_list_release(&annotate->dsos);
	source_files_destroy(annotate->view.sources);
	text_release(&annotate->out);
	json_decref(annotate->json);
}

/* The operand behind the sides of a comparison. */
static struct error *choose_symbol(struct annotate_options *chosen, char *const *operands)
{
	size_t before = chosen->diff && operands[0] ? operands[1] ? 2 : 1 : 0;
	const char *symbol = operands[before];

	if (symbol && (chosen->symbol || operands[before + 1]))
		return error_new(ERROR_USAGE, "one function at a time, not also '%s'",
				 operands[before + 1] ? operands[before + 1] : symbol);
	if (symbol)
		chosen->symbol = symbol;
	return NULL;
}

static struct error *run(int argc, char **argv, int *status)
{
	cleanup(annotate_release) struct annotate annotate = {
		.options = { .recording = RECORDING_DEFAULTS, .source = true, .jumps = true },
		.json = json_array(),
	};
	struct options_parse parse = { annotate_option_table, &annotate.options, false, argc, argv };
	auto_free char **operands = NULL;
	bool helped;
	struct error *err = command_parse(&command_annotate, &parse, &operands, &helped);

	if (err)
		return err;
	*status = 0;
	if (helped)
		return NULL;
	annotate.is_browsed = annotate_is_browsed(&annotate.options);
	err = choose_symbol(&annotate.options, operands);
	return err ? err : run_annotate(&annotate, operands);
}

const struct command command_annotate = { "annotate", "show what each instruction of a function cost", run,
					  annotate_option_table, "[OPTIONS] [--diff A B] [SYMBOL]" };
