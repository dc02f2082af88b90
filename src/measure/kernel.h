/* The only door to the kernel's perf interface; tests put a fake behind it. */
#ifndef MEASURE_KERNEL_H
#define MEASURE_KERNEL_H

#include <linux/perf_event.h>
#include <stddef.h>
#include <sys/types.h>

/* Each call is its system call: -1 (map: NULL) and errno on failure. Source: perf_event_open(2). */
struct kernel {
	int (*open)(struct perf_event_attr *attr, pid_t pid, int cpu, int group_fd, unsigned long flags);
	ssize_t (*read)(int fd, void *buffer, size_t size);
	int (*control)(int fd, unsigned long request, unsigned long argument);
	void *(*map)(int fd, size_t size);
	void (*close)(int fd);
};

extern const struct kernel kernel_linux;

#endif
