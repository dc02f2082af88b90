load lib

@test "list: the kernel's events, grouped, and whether they open" {
	expect 0 list
	holds "$output" "Software events:"
	[[ $output =~ yes\ 0\ \ task-clock ]]
	holds "$output" "Metrics:"
	[[ $output =~ [0-9]+\ events,\ [0-9]+\ of\ them\ open\ here ]]
}

@test "list: a glob chooses, in any case, by an alias too" {
	expect 0 list CPU-CYCLES
	holds "$output" "cycles, cpu-cycles"
	! holds "$output" "task-clock" >/dev/null || false
}

@test "list: nothing matches is an error" {
	expect 1 list no-such-event
	holds "$stderr" "no event matches 'no-such-event'"
}

@test "list --details: says why an event does not open" {
	expect 0 list --details bpf-output
	expect 0 list --details --json cycles
	jq -e '.[0] | .opens or (.why | length > 10)' <<<"$output"
}

@test "list --json: one array, numbers as numbers" {
	expect 0 list --json
	jq -e 'length > 40 and all(.[]; has("name") and has("group"))' <<<"$output"
	jq -e '.[] | select(.name == "task-clock") | .opens == true and .counters == 0' <<<"$output"
}

@test "list --check: every row of events/ encodes to the code its source names" {
	expect 0 list --check
	[[ $output =~ ^[1-9][0-9]+\ encodings\ checked,\ 0\ wrong ]]
}

@test "list --check: a wrong code, a wrong name and a wrong expression are found" {
	[ "$(uname -m)" = x86_64 ] || skip "rows of x86"
	mkdir t
	printf 'stalls\tx86_64/skl\tskl::CYCLE_ACTIVITY:STALLS_TOTAL\t0x1\tbook\twords\n' >t/aliases.tsv
	printf 'stalls\tx86_64/skl\tskl::NO_SUCH_EVENT\t-\tbook\twords\n' >>t/aliases.tsv
	printf 'm\tx86_64/skl\t-\tNO_SUCH / cycles\t2\tx\tnone\twords\n' >t/metrics.tsv
	PERFMINI_EVENTS=t expect 1 list --check
	holds "$output" "encodes to 0x40004a3, its source says 0x1"
	holds "$output" "NO_SUCH_EVENT"
	holds "$output" "metrics.tsv: m on x86_64/skl"
	printf 'm\t*\t-\ta /\t2\tx\tnone\twords\n' >t/metrics.tsv
	PERFMINI_EVENTS=t expect 1 list --check
	holds "$stderr" "metrics.tsv:1: expression: event name or number expected at column 4"
	printf 'm\t*\n' >t/metrics.tsv
	PERFMINI_EVENTS=t expect 1 list --check
	holds "$stderr" "metrics.tsv:1: 2 columns, 8 wanted"
}

@test "list: tracepoints by glob" {
	[ -r /sys/kernel/tracing/events/sched ] || skip "no tracefs that may be read"
	expect 0 list 'sched:sched_switch'
	holds "$output" "Tracepoints:"
}
