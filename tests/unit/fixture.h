/* A directory tree made for one test, such as a /proc or /sys of another machine. */
#ifndef TESTS_UNIT_FIXTURE_H
#define TESTS_UNIT_FIXTURE_H

struct fixture {
	char path[64]; /* its top */
};

struct fixture fixture_create(void);
/* Write a file, its directories made as needed. */
void fixture_write(const struct fixture *fixture, const char *file, const char *text);
/* PATH/file; the caller frees. */
char *fixture_path(const struct fixture *fixture, const char *file);
void fixture_remove(struct fixture *fixture);
#define auto_fixture __attribute__((__cleanup__(fixture_remove)))

#endif
