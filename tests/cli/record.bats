load lib

# Keep the build-id cache of whoever runs the tests out of this.
export PERFMINI_BUILD_ID_DIR=${BATS_TMPDIR:-/tmp}/perfmini-record-cache

# Busy for about a tenth of a second.
busy() {
	printf 'i=0; while [ $i -lt 30000 ]; do i=$((i+1)); done'
}

need_perf() {
	command -v perf >/dev/null || skip 'no perf'
}

# samples_by_perf FILE
samples_by_perf() {
	perf report --stats -i "$1" 2>/dev/null | awk '/SAMPLE events/ { print $3; exit }'
}

# samples_told: what our closing message says
samples_told() {
	sed -n 's/.*(\([0-9]*\) samples).*/\1/p' <<<"$stderr"
}

# agrees FILE: perf finds as many samples as we told
agrees() {
	local told seen
	told=$(samples_told)
	seen=$(samples_by_perf "$1")
	[ "$told" -gt 0 ] && [ "$told" = "$seen" ] || { echo "told $told, perf reads $seen"; return 1; }
}

@test "perf reads as many samples as were told" {
	need_perf
	expect 0 record -e cpu-clock -F 999 sh -c "$(busy)"
	holds "$stderr" '[ perfmini record: Woken up'
	agrees perf.data
}

@test "perf script and buildid-list read our files" {
	need_perf
	expect 0 record -e cpu-clock -F 999 sh -c "$(busy)"
	[ "$(perf script -i perf.data 2>/dev/null | wc -l)" = "$(samples_told)" ]
	binary=$(readlink -f /bin/sh)
	id=$(perf buildid-list -i perf.data | awk -v b="$binary" '$2 == b { print $1 }')
	[ -n "$id" ]
	[ "$id" = "$(readelf -n "$binary" | awk '/Build ID/ { print $3 }')" ]
}

@test "several events, each with its samples" {
	need_perf
	expect 0 record -e cpu-clock,page-faults -c 1000 -e context-switches true
	expect 0 record -e cpu-clock -e page-faults -F 999 sh -c "$(busy)"
	[ "$(perf evlist -i perf.data | sort | tr '\n' ' ')" = 'cpu-clock page-faults ' ]
	perf report --stats -i perf.data 2>/dev/null | grep -q 'page-faults stats'
}

@test "call graphs by frame pointers and by stack copies" {
	need_perf
	expect 0 record -e cpu-clock -F 999 -g sh -c "$(busy)"
	agrees perf.data
	perf evlist -v -i perf.data | grep -q CALLCHAIN
	expect 0 record -e cpu-clock -F 999 --call-graph dwarf,4096 sh -c "$(busy)"
	agrees perf.data
	perf evlist -v -i perf.data | grep -q 'STACK_USER'
}

@test "packed records unpack to the same count" {
	need_perf
	expect 0 record -z -e cpu-clock -F 9999 -g sh -c "$(busy)"
	agrees perf.data
}

@test "through a pipe" {
	need_perf
	"$PERFMINI" record -q -o - -e cpu-clock -F 999 sh -c "$(busy)" >piped
	[ "$(samples_by_perf - <piped)" -gt 0 ]
}

@test "children are recorded, and not with -i" {
	need_perf
	expect 0 record -e cpu-clock -F 999 sh -c "sh -c '$(busy)'; :"
	with=$(samples_told)
	agrees perf.data
	expect 0 record -i -e cpu-clock -F 999 sh -c "sh -c '$(busy)'; :"
	[ "$(samples_told)" -lt $((with / 2)) ]
}

@test "a running process, until it ends" {
	need_perf
	sh -c "sleep 2; $(busy)" &
	expect 0 record -e cpu-clock -F 999 -p $!
	wait
	agrees perf.data
	[ "$(perf script -i perf.data -F comm 2>/dev/null | sort -u | tr -d ' ')" = sh ]
}

@test "all CPUs while a command runs" {
	need_perf
	expect 0 record -a -e cpu-clock -F 499 sh -c "$(busy)"
	agrees perf.data
}

@test "the command's exit status is ours" {
	expect 3 record -e cpu-clock sh -c 'exit 3'
	run -127 "$PERFMINI" record -e cpu-clock /no/such/command
}

@test "the old file is kept, the new one is private" {
	echo old >perf.data
	expect 0 record -e cpu-clock true
	[ "$(cat perf.data.old)" = old ]
	[ "$(stat -c %a perf.data)" = 600 ]
}

@test "a start that fails leaves the old file alone" {
	echo old >perf.data
	expect 1 record -e no-such-event true
	[ "$(cat perf.data)" = old ]
}

@test "Ctrl-C leaves a complete file" {
	need_perf
	"$PERFMINI" record -e cpu-clock -F 999 sh -c 'while :; do :; done' 2>told &
	until [ -s perf.data ]; do sleep 0.1; done
	sleep 0.4
	kill -INT $!
	run wait $!
	stderr=$(cat told)
	agrees perf.data
}

@test "kill -9 leaves a readable file" {
	need_perf
	"$PERFMINI" record -e cpu-clock -F 20000 -m 16 -g sh -c 'echo $$ >pid; while :; do :; done' &
	until [ "$(stat -c %s perf.data 2>/dev/null || echo 0)" -gt 100000 ]; do sleep 0.1; done
	kill -9 $!
	wait $! || :
	kill "$(cat pid)"
	[ "$(samples_by_perf perf.data)" -gt 10 ]
}

@test "a full disk is told" {
	run --separate-stderr "$PERFMINI" record -o /dev/full -e cpu-clock -F 999 sh -c "$(busy)"
	[ "$status" -ne 0 ]
	holds "$stderr" 'No space left'
}

@test "control switches events, answers, clears and stops" {
	need_perf
	mkfifo commands answers
	"$PERFMINI" record -D -1 --control fifo:commands,answers -e cpu-clock -F 999 \
		sh -c 'while :; do :; done' 2>told &
	recorder=$!
	exec 7<>commands 8<>answers
	for word in ping enable; do
		echo $word >&7
		read -r -t 60 answer <&8
		[ "${answer#$'\0'}" = ack ]
	done
	sleep 1
	for word in disable snapshot clear; do
		echo $word >&7
		read -r -t 60 answer <&8
	done
	echo stop >&7
	wait $recorder || :
	exec 7>&- 8>&-
	[ "$(samples_by_perf perf.data.1)" -gt 20 ]
	[ -z "$(samples_by_perf perf.data)" ] || [ "$(samples_by_perf perf.data)" = 0 ]
}

@test "a delay leaves the start out, --timeout the end" {
	expect 0 record -D 5000 -e cpu-clock -F 999 sh -c "$(busy)"
	[ "$(samples_told)" = 0 ]
	run --separate-stderr "$PERFMINI" record --timeout 100 -a -e cpu-clock
	[ "$status" -eq 0 ]
}

@test "bad command lines are told" {
	expect 129 record
	expect 129 record -a -p 1 true
	expect 129 record -F 10 -c 10 true
	expect 129 record --call-graph lbr2 true
	expect 129 record -D 20-10 true
	expect 129 record -m 3x true
	expect 129 record --control nowhere true
}

@test "a default event that this machine lacks is replaced, and why is said" {
	expect 0 record true
	if [ ! -e /sys/bus/event_source/devices/cpu ]; then
		holds "$stderr" 'sampling cpu-clock instead of cycles'
	fi
}

@test "record: what the command prints does not lie between a pipe's records" {
	"$PERFMINI" record -q -o - -e cpu-clock -F 999 sh -c "$(busy); printf 'w%s\\n' ords" >piped 2>printed
	grep -qx words printed
	! grep -q words piped || false
	expect 0 report --stdio -i piped
	holds "$output" sh
}

@test "record: perf reads a pipe with all its features" {
	command -v perf >/dev/null || skip "no perf"
	"$PERFMINI" record -q -g -o - -e cpu-clock -F 999 sh -c "$(busy)" >piped
	perf report --stdio --header -g none -i piped >theirs 2>errors
	grep -q '^# cmdline : ' theirs
	grep -q '^ .*%.* sh ' theirs
	! grep -q failed errors || false
}

@test "record: each occurrence of a tracepoint is a sample, and perf has its fields" {
	[ -r /sys/kernel/tracing/events/sched/sched_process_exec/format ] || skip "no tracepoints"
	expect 0 record -q -o t.data -e sched:sched_process_exec -e sched:sched_process_fork:k sh -c '/bin/true; /bin/true; :'
	expect 0 script -i t.data
	[ "$(grep -c sched_process_exec: <<<"$output")" -eq 3 ]
	command -v perf >/dev/null || skip "no perf"
	perf script -i t.data >theirs
	[ "$(grep -c 'filename=/bin/true' theirs)" -eq 2 ]
	"$PERFMINI" record -q -o - -e sched:sched_process_exec /bin/true >piped
	perf script -i piped >theirs
	grep -q 'filename=/bin/true' theirs
}
