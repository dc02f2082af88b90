/* What the kernel says of a command that ended, kept in its run. */
#include "ab/run_result.h"

void run_keep_result(struct run *run, const struct command_result *result)
{
	run->status = result->status;
	run->cpu = result->cpu;
	run->start_ns = result->start_ns;
	run->wall_ns = result->wall_ns;
	run->user_ns = result->user_ns;
	run->sys_ns = result->sys_ns;
	run->peak_bytes = result->peak_bytes;
	run->minor_faults = result->minor_faults;
	run->major_faults = result->major_faults;
	run->voluntary_switches = result->voluntary_switches;
	run->involuntary_switches = result->involuntary_switches;
}
