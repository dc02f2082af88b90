load lib

# says_operations LINE ARGUMENT...: the workload succeeds and its only output is that line.
says_operations() {
	local line=$1
	shift
	expect 0 workload "$@"
	[ "$output" = "$line" ] || { printf 'printed: %s\n' "$output"; return 1; }
}

@test "workload: each says its exact number of operations" {
	says_operations "1000 loop iterations" spin 1000
	says_operations "1000 loop iterations" fill 1000
	says_operations "10 round trips" pipe 10
	says_operations "1 round trips" pipe 1
	says_operations "2 rounds" calls 2
}

@test "workload pipe: system calls are those of N round trips" {
	command -v strace >/dev/null || skip "no strace"
	strace -f -e trace=read,write -o trace "$PERFMINI" workload pipe 50 >/dev/null
	[ "$(grep -c 'read(.*"x", 1).*= 1\|<... read resumed>"x", 1).*= 1' trace)" -eq 100 ]
	[ "$(grep -c 'write([0-9]*, "x", 1' trace)" -eq 100 ]
}

@test "workload pipe: --pin keeps it on one CPU" {
	says_operations "10 round trips" pipe --pin 0 10
	expect 1 workload pipe --pin 100000 10
	holds "$stderr" "run on CPU 100000"
}

@test "workload: --list names each with its unit" {
	expect 0 workload --list
	holds "$output" "pipe [--pin CPU] [N]"
	holds "$output" "N: round trips, default 100000"
}

@test "workload: an unknown name suggests a near one" {
	expect 129 workload pip 5
	holds "$stderr" "unknown workload 'pip'"
	holds "$stderr" "did you mean 'pipe'?"
	expect 129 workload
	holds "$stderr" "no workload named"
}

@test "workload: counts that make no sense are refused" {
	expect 129 workload spin 0
	holds "$stderr" "0 loop iterations is nothing to measure"
	expect 129 workload spin -- -5
	holds "$stderr" "'-5' is no number of loop iterations"
	expect 129 workload spin 5x
	holds "$stderr" "'5x' is no number of loop iterations"
	expect 129 workload spin 99999999999999999999999
	holds "$stderr" "more than the limit of 1000000000000000"
	expect 129 workload spin 5 6
	holds "$stderr" "unexpected argument '6'"
}

@test "workload: an option without use is refused" {
	expect 129 workload spin --threads 2 5
	holds "$stderr" "spin has no use for --threads"
	expect 129 workload pipe --array 1M 5
	holds "$stderr" "pipe has no use for --array"
}
