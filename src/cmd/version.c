/* perfmini version: what this build is. */
#include "cmd/cmd.h"

#include <elfutils/version.h>
#include <gsl/gsl_version.h>
#include <jansson.h>
#include <perfmon/pfmlib.h>
#include <zstd.h>

struct version_options {
	bool libraries;
};

static const struct option options[] = {
	{ 'l', "libraries", OPTION_FLAG, offsetof(struct version_options, libraries), NULL,
	  "also print the versions of the libraries", NULL, NULL },
	{ .type = OPTION_END },
};

static void print_libraries(void)
{
	int pfm = pfm_get_version();

	printf("elfutils %d\ngsl %s\njansson %s\nlibpfm %d.%d\nzstd %s\n", _ELFUTILS_VERSION, gsl_version,
	       JANSSON_VERSION, PFM_MAJ_VERSION(pfm), PFM_MIN_VERSION(pfm), ZSTD_versionString());
}

static struct error *run(int argc, char **argv, int *status)
{
	struct version_options chosen = { 0 };
	struct options_parse parse = { options, &chosen, false, argc, argv };
	auto_free char **operands = NULL;
	bool helped;
	struct error *err = command_parse(&command_version, &parse, &operands, &helped);

	if (err)
		return err;
	*status = 0;
	if (helped)
		return NULL;
	if (operands[0])
		return error_new(ERROR_USAGE, "unexpected argument '%s'", operands[0]);
	printf("perfmini %s\n", PERFMINI_VERSION);
	if (chosen.libraries)
		print_libraries();
	return NULL;
}

const struct command command_version = { "version", "print the version and the libraries in use", run, options,
					 "[OPTIONS]" };
