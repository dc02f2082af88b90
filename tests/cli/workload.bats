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
	under_strace -f -e trace=read,write -o trace "$PERFMINI" workload pipe 50 >/dev/null
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

@test "workload: the kinds and threads of each do exactly N operations" {
	for kind in base imm l1 mem; do
		says_operations "1000 branches" branch $kind --array 64K 1000
	done
	for kind in clock syscall counter; do
		says_operations "10 readings" timestamp $kind 10
	done
	says_operations "3 turns" burn --threads 7 3
	says_operations "1000 acquisitions" lock --threads 3 1000
	says_operations "5 calls" syscall --markers imm --pressure random 5
}

@test "workload syscall: N calls of getppid" {
	under_strace -e trace=getppid -o trace "$PERFMINI" workload syscall --markers global --pressure sweep --array 4K 37
	[ "$(grep -c '^getppid()' trace)" -eq 37 ]
}

@test "workload burn: has the threads that were asked for" {
	under_strace -f -e trace=clone,clone3 -o trace "$PERFMINI" workload burn --threads 5 100
	[ "$(grep -c 'clone.*CLONE_THREAD' trace)" -eq 4 ]
}

@test "workload: a kind is needed, and must be one there is" {
	expect 129 workload branch
	holds "$stderr" "branch needs its kind: one of base, imm, l1, mem"
	expect 129 workload branch l3
	holds "$stderr" "unknown kind 'l3': it is one of base, imm, l1, mem"
	expect 129 workload syscall --markers two
	holds "$stderr" "unknown --markers 'two': it is one of none, global, imm"
}

@test "workload: sizes that make no sense are refused" {
	expect 1 workload branch mem --array 4096G
	holds "$stderr" "does not fit into the"
	holds "$stderr" "hint: choose a smaller one: --array"
	expect 129 workload branch mem --array 0
	holds "$stderr" "0 bytes are less than a page"
	expect 129 workload burn --threads 0
	holds "$stderr" "0 is not from 1 to 4096"
	expect 129 workload lock --threads 100000
	holds "$stderr" "100000 is not from 1 to 4096"
}

@test "workload: threads beyond the limit of the machine are an error, not a hang" {
	nm "$PERFMINI" | grep -q __asan_init && skip "a sanitized program has no limit of its memory"
	run -1 timeout 20 bash -c "ulimit -v 300000; '$PERFMINI' workload burn --threads 1000 1000"
	holds "$output" "start thread"
}

@test "workload: kinds as programs of their own share the name of the measured function" {
	local programs=${PERFMINI%/perfmini}/workloads
	[ "$("$programs/branch-l1" --array 64K 10)" = "10 branches" ]
	[ "$("$programs/syscall-imm" 10)" = "10 calls" ]
	nm "$programs/branch-l1" | grep -q ' branch_loop$'
	nm "$programs/branch-imm" | grep -q ' branch_loop$'
	! cmp -s "$programs/branch-imm" "$programs/branch-l1" || false
}
