/* Records of running tasks, from /proc. */
#include "capture/synthesis.h"

#include <ctype.h>
#include <dirent.h>
#include <linux/perf_event.h>
#include <string.h>
#include <sys/mman.h>

#include "base/file.h"

/* A record is a header, fields and text padded to 8, and the sample_id of the recording. */
static void append_record(struct text *records, size_t tail_bytes, uint32_t type, uint16_t misc,
			  const struct text *body)
{
	static const char zeros[128];
	size_t padding = -body->length & 7;
	struct perf_event_header header = { type, misc,
					    (uint16_t)(sizeof(header) + body->length + padding + tail_bytes) };

	text_append_bytes(records, (const char *)&header, sizeof(header));
	text_append_bytes(records, body->bytes, body->length);
	text_append_bytes(records, zeros, padding + tail_bytes);
}

static void append_words(struct text *body, const void *words, size_t size)
{
	text_append_bytes(body, words, size);
}

static void append_comm(struct text *records, size_t tail_bytes, pid_t pid, pid_t tid, const char *comm)
{
	auto_text struct text body = { 0 };
	uint32_t ids[2] = { (uint32_t)pid, (uint32_t)tid };

	append_words(&body, ids, sizeof(ids));
	text_append_bytes(&body, comm, strlen(comm) + 1);
	append_record(records, tail_bytes, PERF_RECORD_COMM, 0, &body);
}

void append_mapping(struct text *records, size_t tail_bytes, uint16_t misc, uint32_t pid, uint64_t address,
		    uint64_t length, uint64_t offset, const char *path)
{
	auto_text struct text body = { 0 };
	uint32_t ids[2] = { pid, misc == PERF_RECORD_MISC_KERNEL ? 0 : pid };
	uint64_t place[3] = { address, length, offset };

	append_words(&body, ids, sizeof(ids));
	append_words(&body, place, sizeof(place));
	text_append_bytes(&body, path, strlen(path) + 1);
	append_record(records, tail_bytes, PERF_RECORD_MMAP, misc, &body);
}

/* One line of /proc/PID/maps. */
struct map_line {
	uint64_t start, end, offset, inode;
	unsigned device_major, device_minor;
	char permissions[5];
	const char *path;
};

static bool parse_map_line(const char *line, struct map_line *ret)
{
	int used = 0;
	unsigned long long start, end, offset, inode;

	if (sscanf(line, "%llx-%llx %4s %llx %x:%x %llu %n", &start, &end, ret->permissions, &offset,
		   &ret->device_major, &ret->device_minor, &inode, &used) < 7 || !used)
		return false;
	ret->start = start;
	ret->end = end;
	ret->offset = offset;
	ret->inode = inode;
	/* The kernel's own records name memory without a file so. */
	ret->path = line[used] ? line + used : "//anon";
	return true;
}

static void append_map_line(struct text *records, size_t tail_bytes, pid_t pid, const struct map_line *map)
{
	auto_text struct text body = { 0 };
	uint32_t ids[2] = { (uint32_t)pid, (uint32_t)pid };
	uint64_t place[3] = { map->start, map->end - map->start, map->offset };
	uint32_t device[2] = { map->device_major, map->device_minor };
	uint64_t inode[2] = { map->inode, 0 };
	uint32_t protection[2] = { 0, map->permissions[3] == 's' ? MAP_SHARED : MAP_PRIVATE };

	protection[0] = (map->permissions[0] == 'r' ? PROT_READ : 0) | (map->permissions[1] == 'w' ? PROT_WRITE : 0) |
			(map->permissions[2] == 'x' ? PROT_EXEC : 0);
	append_words(&body, ids, sizeof(ids));
	append_words(&body, place, sizeof(place));
	append_words(&body, device, sizeof(device));
	append_words(&body, inode, sizeof(inode));
	append_words(&body, protection, sizeof(protection));
	text_append_bytes(&body, map->path, strlen(map->path) + 1);
	append_record(records, tail_bytes, PERF_RECORD_MMAP2, PERF_RECORD_MISC_USER, &body);
}

static void append_maps(struct text *records, size_t tail_bytes, pid_t pid)
{
	char path[64];
	auto_free char *maps = NULL;
	char *rest, *line;
	struct map_line map;

	snprintf(path, sizeof(path), "/proc/%d/maps", (int)pid);

	struct error *err = file_read(path, &maps, NULL);

	/* Gone, or not ours to look at: its samples will have no symbols, and the report says so. */
	error_destroy(err);
	rest = maps;
	while (rest && (line = strsep(&rest, "\n"))) {
		if (parse_map_line(line, &map) && map.permissions[2] == 'x')
			append_map_line(records, tail_bytes, pid, &map);
	}
}

static void closedir_guard(DIR **dir)
{
	if (*dir)
		closedir(*dir);
}

static void append_thread(struct text *records, size_t tail_bytes, pid_t pid, pid_t tid)
{
	char path[64];
	auto_free char *comm = NULL;

	snprintf(path, sizeof(path), "/proc/%d/task/%d/comm", (int)pid, (int)tid);

	struct error *err = file_read_line(path, &comm);

	if (!err)
		append_comm(records, tail_bytes, pid, tid, comm);
	error_destroy(err);
}

void synthesize_process(struct text *records, size_t tail_bytes, pid_t pid)
{
	char path[64];
	struct dirent *entry;

	snprintf(path, sizeof(path), "/proc/%d/task", (int)pid);

	cleanup(closedir_guard) DIR *dir = opendir(path);

	if (!dir)
		return;
	append_thread(records, tail_bytes, pid, pid);
	append_maps(records, tail_bytes, pid);
	while ((entry = readdir(dir))) {
		pid_t tid = atoi(entry->d_name);

		if (tid > 0 && tid != pid)
			append_thread(records, tail_bytes, pid, tid);
	}
}

struct error *synthesize_processes(struct text *records, size_t tail_bytes)
{
	cleanup(closedir_guard) DIR *dir = opendir("/proc");
	struct dirent *entry;

	if (!dir)
		return error_new(ERROR_OS, "open /proc: it tells which processes run");
	while ((entry = readdir(dir))) {
		if (isdigit((unsigned char)entry->d_name[0]))
			synthesize_process(records, tail_bytes, atoi(entry->d_name));
	}
	return NULL;
}

pid_t process_of_thread(pid_t tid)
{
	char path[64];
	auto_free char *status = NULL;

	snprintf(path, sizeof(path), "/proc/%d/status", (int)tid);

	struct error *err = file_read(path, &status, NULL);
	const char *line = err ? NULL : strstr(status, "\nTgid:");

	error_destroy(err);
	return line ? atoi(line + strlen("\nTgid:")) : 0;
}
