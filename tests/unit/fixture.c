/* Making and removing a test's directory tree. */
#include "unit/fixture.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/file.h"
#include "base/memory.h"
#include "unit/test.h"

struct fixture fixture_create(void)
{
	struct fixture fixture = { "/tmp/perfmini-fixture-XXXXXX" };

	assert_non_null(mkdtemp(fixture.path));
	return fixture;
}

char *fixture_path(const struct fixture *fixture, const char *file)
{
	return memory_format("%s/%s", fixture->path, file);
}

void fixture_write(const struct fixture *fixture, const char *file, const char *text)
{
	auto_free char *path = fixture_path(fixture, file);
	char *slash = strrchr(path, '/');

	*slash = '\0';
	assert_success(file_make_directories(path, 0755));
	*slash = '/';

	auto_fclose FILE *stream = fopen(path, "w");

	assert_non_null(stream);
	assert_true(fputs(text, stream) >= 0);
}

static int remove_one(const char *path, const struct stat *status, int type, struct FTW *walk)
{
	(void)status;
	(void)type;
	(void)walk;
	return remove(path);
}

void fixture_remove(struct fixture *fixture)
{
	nftw(fixture->path, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}
