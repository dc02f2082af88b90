/* debuginfod, loaded when first asked: linked in, its HTTP library would slow every start. */
#include "symbol/debuginfod.h"

#include <dlfcn.h>
#include <elfutils/debuginfod.h>
#include <string.h>
#include <time.h>

#include "base/log.h"
#include "base/memory.h"
#include "symbol/binary.h"
#include "symbol/debug_file.h"

static int64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* Called by the library about once a second; not 0 stops it. */
static int is_too_late(debuginfod_client *client, long a unused, long b unused)
{
	typeof(debuginfod_get_user_data) *get = dlsym(RTLD_DEFAULT, "debuginfod_get_user_data");
	const struct debug_search *search = get ? get(client) : NULL;

	return !search || now_ns() > search->download_deadline_ns;
}

struct library {
	typeof(debuginfod_begin) *begin;
	typeof(debuginfod_end) *end;
	typeof(debuginfod_set_progressfn) *set_progress;
	typeof(debuginfod_set_user_data) *set_data;
	typeof(debuginfod_find_debuginfo) *find_debuginfo, *find_executable;
};

static bool load(struct library *library)
{
	void *handle = dlopen("libdebuginfod.so.1", RTLD_LAZY | RTLD_GLOBAL);

	if (!handle)
		return false;
	library->begin = dlsym(handle, "debuginfod_begin");
	library->end = dlsym(handle, "debuginfod_end");
	library->set_progress = dlsym(handle, "debuginfod_set_progressfn");
	library->set_data = dlsym(handle, "debuginfod_set_user_data");
	library->find_debuginfo = dlsym(handle, "debuginfod_find_debuginfo");
	library->find_executable = dlsym(handle, "debuginfod_find_executable");
	return library->begin && library->end && library->set_progress && library->set_data &&
	       library->find_debuginfo && library->find_executable;
}

char *debuginfod_fetch(const struct debug_search *search, const char *kind)
{
	struct library library;
	debuginfod_client *client;
	char *path = NULL;
	int fd;

	if (!search->download_deadline_ns || !search->build_id_size || now_ns() > search->download_deadline_ns ||
	    !getenv("DEBUGINFOD_URLS") || !load(&library))
		return NULL;
	client = library.begin();
	if (!client)
		return NULL;
	log_verbose("asking debuginfod for the %s of %s", kind, search->path);
	library.set_data(client, (void *)search);
	library.set_progress(client, is_too_late);
	fd = (strcmp(kind, "debuginfo") ? library.find_executable : library.find_debuginfo)(
		client, search->build_id, (int)search->build_id_size, &path);
	library.end(client);
	if (fd < 0)
		return NULL;
	close(fd);
	return path;
}
