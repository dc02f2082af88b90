load lib

@test "doctor: says whether events open, and the PMU or why there is none" {
	expect 0 doctor
	[[ $output =~ perf-events ]]
	[[ $output =~ pmu\ +[a-z] ]]
	[[ $output =~ [0-9]+\ checks:\ [0-9]+\ warnings ]]
}

@test "doctor --all: shows what is as it should be, too" {
	expect 0 doctor --all
	holds "$output" "clocksource"
	holds "$output" "stack-limit"
}

@test "doctor --json: one object; a warning that a command mends carries it" {
	expect 0 doctor --json
	jq -e '.version == 1 and (.checks | length > 15)' <<<"$output"
	jq -e '.checks[] | select(.name == "perf-event-paranoid") | .value' <<<"$output" | grep -x "\"$(cat /proc/sys/kernel/perf_event_paranoid)\""
	jq -e 'all(.checks[] | select(.level == "warn"); .finding | length > 10)' <<<"$output"
}

@test "doctor: the environment is looked at" {
	MALLOC_ARENA_MAX=1 expect 0 doctor
	holds "$output" "MALLOC_ARENA_MAX: set: programs load or allocate otherwise than usual"
}

@test "doctor: randomization switched off is seen" {
	command -v setarch >/dev/null || skip "no setarch"
	run setarch -R "$PERFMINI" doctor
	holds "$output" "address randomization is off for this process"
}

@test "doctor: an argument is refused" {
	expect 129 doctor now
	holds "$stderr" "unexpected argument 'now'"
}
