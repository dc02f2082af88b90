/* The real kernel's perf interface: each function is its system call and nothing more. */
#include "measure/kernel.h"

#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static int linux_open(struct perf_event_attr *attr, pid_t pid, int cpu, int group_fd, unsigned long flags)
{
	return (int)syscall(SYS_perf_event_open, attr, pid, cpu, group_fd, flags);
}

static int linux_control(int fd, unsigned long request, unsigned long argument)
{
	return ioctl(fd, request, argument);
}

static void *linux_map(int fd, size_t size)
{
	void *pages = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

	return pages == MAP_FAILED ? NULL : pages;
}

static void linux_close(int fd)
{
	close(fd);
}

const struct kernel kernel_linux = {
	.open = linux_open,
	.read = read,
	.control = linux_control,
	.map = linux_map,
	.close = linux_close,
};
