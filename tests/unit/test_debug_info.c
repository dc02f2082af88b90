#include <stdio.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/text.h"
#include "symbol/symbolizer.h"
#include "unit/test.h"

static const struct symbolizer_setup with_lines = { .cache = "/nonexistent", .inlines = true, .lines = true };

enum { ADDRESSES = 400 };

/* What both tools say of an address: "function file:line" a frame, directories and compiler suffixes left out. */
static void append_frame(struct text *out, const char *function, const char *file, unsigned line)
{
	const char *base = file ? strrchr(file, '/') : NULL;

	text_format(out, "%.*s %s:%u\n", (int)strcspn(function, "."), function, base ? base + 1 : "?", line);
}

static void ours(struct binary *binary, uint64_t address, struct text *out)
{
	const struct frame *frames;
	size_t count = binary_frames(binary, address, &frames);

	for (size_t i = 0; i < count; i++)
		append_frame(out, frames[i].function ? frames[i].function->name : "?", frames[i].file, frames[i].line);
}

/* One address: its own line "0x…", then a line with the function and one with file:line for each frame. */
static void theirs(FILE *addr2line, struct text *out)
{
	char function[1024], place[1024];
	int c;

	while ((c = fgetc(addr2line)) != EOF && ungetc(c, addr2line) != '0') {
		char *colon;

		if (!fgets(function, sizeof(function), addr2line) || !fgets(place, sizeof(place), addr2line))
			return;
		function[strcspn(function, "\n")] = '\0';
		colon = strrchr(place, ':');
		*colon = '\0';
		append_frame(out, function, *place == '?' ? NULL : place, (unsigned)strtoul(colon + 1, NULL, 10));
	}
}

static void ask_addr2line(const char *path, const uint64_t *addresses)
{
	auto_fclose FILE *list = fopen("/tmp/perfmini-test-addresses", "w");

	for (size_t i = 0; i < ADDRESSES; i++)
		fprintf(list, "0x%lx\n", (unsigned long)addresses[i]);
	(void)path;
}

/* Each answer of ours, and how many differ from addr2line's. */
static size_t count_differences(struct binary *binary, const char *path, const uint64_t *addresses, size_t *inlined)
{
	auto_free char *command = memory_format("addr2line -a -i -f -e %s < /tmp/perfmini-test-addresses", path);
	char line[256];
	size_t differences = 0;
	FILE *addr2line;

	ask_addr2line(path, addresses);
	addr2line = popen(command, "r");
	for (size_t i = 0; i < ADDRESSES && fgets(line, sizeof(line), addr2line); i++) {
		auto_text struct text mine = { 0 }, other = { 0 };
		const struct frame *frames;

		*inlined += binary_frames(binary, addresses[i], &frames) > 1;
		ours(binary, addresses[i], &mine);
		theirs(addr2line, &other);
		if (other.bytes && !strcmp(mine.bytes, other.bytes))
			continue;
		differences++;
		print_message("0x%lx\nours:\n%saddr2line:\n%s", (unsigned long)addresses[i], mine.bytes, other.bytes);
	}
	pclose(addr2line);
	unlink("/tmp/perfmini-test-addresses");
	return differences;
}

static bool pick_addresses(struct binary *binary, uint64_t *addresses)
{
	const struct function *const *functions;
	size_t count = binary_functions(binary, &functions);
	uint64_t random = 1;

	for (size_t i = 0; i < ADDRESSES && count; i++) {
		const struct function *function;

		random = random * 6364136223846793005u + 1442695040888963407u;
		function = functions[(random >> 33) % count];
		addresses[i] = function->start + (random >> 20) % (function->end - function->start);
	}
	return count;
}

/* Start-up code of the C library has no debug information; what falls there is the same "?" in both. */
void test_debug_info__frames_and_lines_are_those_of_addr2line(void **state)
{
	(void)state;
	cleanup(symbolizer_guard) struct symbolizer *symbolizer = NULL;
	uint64_t addresses[ADDRESSES];
	char path[512] = "";
	struct binary *binary;
	size_t inlined = 0;

	if (system("command -v addr2line >/dev/null"))
		skip();
	assert_true(readlink("/proc/self/exe", path, sizeof(path) - 1) > 0);
	assert_success(symbolizer_create(&with_lines, &symbolizer));
	binary = symbolizer_binary(symbolizer, &(struct binary_name){ .path = path });
	assert_true(pick_addresses(binary, addresses));
	assert_in_range(count_differences(binary, path, addresses, &inlined), 0, ADDRESSES / 100);
#ifdef __OPTIMIZE__
	assert_true(inlined > ADDRESSES / 50);
#endif
}
