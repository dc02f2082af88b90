load lib

# value EVENT: the value of an event in the CSV on $stderr.
value() {
	printf '%s\n' "$stderr" | awk -F, -v event="$1" '$6 == event { print $4 }'
}

@test "stat: prints the classic table to standard error" {
	expect 0 stat true
	[ -z "$output" ]
	holds "$stderr" "Performance counter stats for 'true':"
	holds "$stderr" "msec task-clock"
	holds "$stderr" "CPUs utilized"
	holds "$stderr" "seconds time elapsed"
	holds "$stderr" "seconds user"
	holds "$stderr" "MiB peak memory"
}

@test "stat: the command's exit status passes through" {
	expect 3 stat -e task-clock sh -c 'exit 3'
	expect 137 stat -e task-clock sh -c 'kill -9 $$'
}

@test "stat: an unknown event is named, with a near one" {
	expect 1 stat -e cycels true
	holds "$stderr" "cycels"
	holds "$stderr" "cycles"
}

@test "stat: an event of another CPU is an error of one line" {
	run --separate-stderr "$PERFMINI" stat -e arm_n1::INST_RETIRED true
	[ "$status" -ne 0 ]
	holds "$stderr" "INST_RETIRED"
}

@test "stat: an empty group" {
	expect 129 stat -e '{}' true
}

@test "stat: a negative number of runs" {
	expect 129 stat -r -1 true
	holds "$stderr" "--repeat: '-1'"
}

@test "stat: a command that is not there, or cannot be executed" {
	expect 127 stat /nonexistent/command
	holds "$stderr" "/nonexistent/command: command not found"
	touch plain
	expect 126 stat ./plain
	holds "$stderr" "Permission denied"
}

@test "stat: options that contradict each other" {
	expect 129 stat -x, -j true
	holds "$stderr" "--field-separator and --json-output"
	expect 129 stat
	holds "$stderr" "nothing to measure"
}

@test "stat: an output file that cannot be written stops before the run" {
	expect 1 stat -o /nonexistent/file touch ran
	holds "$stderr" "/nonexistent/file"
	[ ! -e ran ]
}

@test "stat: a full disk while saving leaves the old file" {
	[ "$(id -u)" = 0 ] || skip "needs root to mount"
	mkdir small
	mount -t tmpfs -o size=64k none small || skip "cannot mount"
	echo old >small/runs
	head -c 56k /dev/zero >small/fill || true
	run "$PERFMINI" stat --quiet -r 100 --save small/runs true
	local kept
	kept=$(cat small/runs)
	umount small
	[ "$status" -eq 1 ]
	holds "$output" "No space left"
	[ "$kept" = old ]
}

@test "stat: a process and a thread that are gone" {
	expect 1 stat -p 4194000 sleep 0
	holds "$stderr" "no process 4194000"
	expect 1 stat -t 4194000 sleep 0
	holds "$stderr" "no thread 4194000"
	expect 129 stat -p 12x sleep 0
}

@test "stat: a process that ends while attached ends the measuring" {
	sleep 3 &
	expect 0 stat -e task-clock -p $!
	holds "$stderr" "process id"
}

# Debian's kernel refuses everything at 3; others treat it as 2, which leaves user mode free.
@test "stat: as an ordinary user under perf_event_paranoid 3: user mode only, or the reason" {
	[ "$(id -u)" = 0 ] || skip "needs root"
	local old
	old=$(cat /proc/sys/kernel/perf_event_paranoid)
	echo 3 >/proc/sys/kernel/perf_event_paranoid || skip "cannot set it"
	chmod 755 . && cp "$PERFMINI" ./perfmini
	run setpriv --reuid 65534 --clear-groups ./perfmini stat -e task-clock true
	echo "$old" >/proc/sys/kernel/perf_event_paranoid
	case $output in *task-clock:u*) ;; *) holds "$output" "paranoid" ;; esac
	case $output in *context-switches:u*) return 1 ;; esac
}

@test "stat: nothing counted for want of rights is an error, and the command does not run" {
	[ "$(id -u)" = 0 ] || skip "needs root"
	local old
	old=$(cat /proc/sys/kernel/perf_event_paranoid)
	[ "$old" -ge 2 ] || echo 2 >/proc/sys/kernel/perf_event_paranoid || skip "cannot set it"
	chmod 755 . && cp "$PERFMINI" ./perfmini
	as_nobody() { setpriv --reuid 65534 --clear-groups ./perfmini stat "$@"; }
	run as_nobody -e task-clock:k echo started
	[ "$status" -eq 1 ]
	holds "$output" "task-clock:k: kernel.perf_event_paranoid forbids"
	case $output in *started*) return 1 ;; esac
	run as_nobody -r 3 -e task-clock:k,page-faults:k echo started
	[ "$status" -eq 1 ]
	case $output in *started*) return 1 ;; esac
	run as_nobody -n echo started
	[ "$status" -eq 0 ]
	holds "$output" "started"
	echo "$old" >/proc/sys/kernel/perf_event_paranoid
}

@test "stat: ten thousand runs" {
	[ -n "${SLOW:-}" ] || skip "set SLOW=1 to run it"
	expect 0 stat -x, -e task-clock -r 10000 true
	[ -n "$(value task-clock)" ]
}

@test "stat: children left behind are not counted in the next run" {
	expect 0 stat -x, -r 4 -e page-faults sh -c '(sleep 0.3; head -c 30000000 /dev/zero | tail -c 20000000) >/dev/null 2>&1 &'
	[ "$(value page-faults | cut -d. -f1)" -lt 2000 ]
	expect 0 stat -r 2 -e page-faults sh -c 'sleep 0.2 &'
	holds "$stderr" "left processes behind"
}

@test "stat: a command that changes its credentials" {
	[ "$(id -u)" = 0 ] || skip "needs root"
	expect 0 stat -e task-clock setpriv --reuid 65534 --clear-groups true
	holds "$stderr" "task-clock"
}

@test "stat: Ctrl-C in run 3 prints the two runs before" {
	cat >run.sh <<-'EOS'
		echo x >>runs
		if [ "$(wc -l <runs)" -ge 3 ]; then kill -INT $PPID; sleep 5; fi
	EOS
	expect 130 stat -r 10 -e task-clock sh ./run.sh
	holds "$stderr" "(2 runs)"
	holds "$stderr" "run 3 is left out: interrupted"
}

@test "stat: a reader that closes standard output costs no data" {
	run bash -c "'$PERFMINI' stat -e task-clock -o kept seq 1000000 | head -1"
	[ "$(grep -c task-clock kept)" -eq 1 ]
	run bash -c "'$PERFMINI' stat -e task-clock -o kept2 true >&-"
	[ "$status" -eq 0 ]
	[ "$(grep -c task-clock kept2)" -eq 1 ]
}

@test "stat: a closed pipe still ends the command" {
	run bash -c "'$PERFMINI' stat -o kept yes | head -1; echo \${PIPESTATUS[0]}"
	holds "$output" 141
}

@test "stat: a terminal of 40 columns" {
	command -v script >/dev/null || skip "no script(1)"
	run script -qec "stty cols 40; '$PERFMINI' stat -e task-clock,page-faults true" /dev/null
	[ "$status" -eq 0 ]
	holds "$output" "task-clock"
	! printf '%s\n' "$output" | tr -d '\r' | grep -E '(task-clock|page-faults|utilized|/sec).{40}' || false
}

@test "stat: an event name that holds the separator is quoted" {
	expect 0 stat -x: -e task-clock:u true
	holds "$stderr" '"task-clock:u"'
}

@test "stat: CSV has the same columns in every line" {
	expect 0 stat -x, -r 2 -e task-clock,page-faults,cycles true
	holds "$stderr" "interval,place,cpus,value,unit,event,standard-error-%"
	[ "$(printf '%s\n' "$stderr" | awk -F, '{ print NF }' | sort -u)" = 12 ]
	holds "$stderr" "duration_time"
	holds "$stderr" "user_time"
	holds "$stderr" "system_time"
}

@test "stat: CSV and JSON do not depend on the locale" {
	LC_ALL=de_DE.UTF-8 expect 0 stat -x';' -e task-clock true
	! printf '%s\n' "$stderr" | grep -q '[0-9],[0-9]' || false
}

@test "stat: JSON is one object a line, numbers are numbers" {
	expect 0 stat -j -e task-clock,page-faults true
	printf '%s\n' "$stderr" | jq -es 'length == 6 and all(.[]; type == "object") and
		(map(select(.event == "page-faults"))[0]["counter-value"] | type == "number")' >/dev/null
}

@test "stat: --save and --replay print the same table" {
	expect 0 stat -r 3 --stats --table -v --save runs -e task-clock,page-faults,cycles,instructions true
	local live=$stderr
	expect 0 stat --replay runs --stats --table -v
	[ "$stderr" = "$live" ]
	expect 0 stat --replay runs -j
	[ "$(printf '%s\n' "$stderr" | jq -s 'map(select(.event == "task-clock"))[0].runs')" = 3 ]
}

@test "stat: a failing run is named, left out, and the status tells" {
	cat >run.sh <<-'EOS'
		echo x >>runs
		[ "$(wc -l <runs)" -ne 2 ]
	EOS
	expect 1 stat -r 4 -e task-clock sh ./run.sh
	holds "$stderr" "(3 runs)"
	holds "$stderr" "run 2 is left out: exit status 1"
}

@test "stat: page faults and context switches agree with getrusage" {
	expect 0 stat -x, -e page-faults,context-switches --save runs head -c 20000000 /dev/zero
	local counted usage
	counted=$(value page-faults)
	usage=$(jq -r 'select(.minor_faults) | .minor_faults + (.major_faults // 0)' runs | tail -1)
	# The kernel's own account also holds the faults before the exec.
	[ "$((usage - counted))" -ge 0 ] && [ "$((usage - counted))" -lt 60 ]
}

@test "stat: the wall clock is never below the command's own time" {
	expect 0 stat -j -n -r 300 --table true
	printf '%s\n' "$stderr" | jq -es '
		(map(select(.event == "duration_time"))[0]["each-run"]) as $wall | ($wall | length) == 300 and
		all($wall[]; . > 200000)' >/dev/null
	expect 0 stat -j -e task-clock -r 100 --table --save runs true
	printf '%s\n' "$stderr" | jq -es '
		(map(select(.event == "duration_time"))[0]["each-run"]) as $wall |
		(map(select(.event == "task-clock"))[0]["each-run"]) as $clock |
		[range($wall | length) | $wall[.] >= $clock[.] * 1000000] | all' >/dev/null
}

@test "stat: intervals add up to the whole" {
	expect 0 stat -x, -I 50 --summary -e page-faults sh -c 'for i in 1 2 3 4 5; do true | cat; sleep 0.03; done'
	printf '%s\n' "$stderr" | awk -F, '$6 == "page-faults" { if ($1 != "") sum += $4; else whole = $4 }
		END { exit !(sum == whole && whole > 0) }'
}

@test "stat: all CPUs, each apart, while a command runs" {
	expect 0 stat -a -A -x, -e context-switches -r 2 sleep 0.02
	holds "$stderr" ",CPU0,1,"
	expect 0 stat --per-socket -x, -e cpu-clock sleep 0.01
	holds "$stderr" ",S0,"
}

@test "stat: a delay leaves out the start" {
	expect 0 stat -x, -D 150 -e task-clock sh -c 'i=0; while [ $i -lt 20000 ]; do i=$((i + 1)); done; sleep 0.3'
	local late
	late=$(value task-clock)
	expect 0 stat -x, -e task-clock sh -c 'i=0; while [ $i -lt 20000 ]; do i=$((i + 1)); done; sleep 0.3'
	awk -v late="${late:-0}" -v all="$(value task-clock)" 'BEGIN { exit !(late + 0 < all + 0) }'
}

@test "stat: --timeout ends a command that would not" {
	run timeout 10 "$PERFMINI" stat --timeout 100 -e task-clock sleep 60
	[ "$status" -eq 143 ]
}

@test "stat: --control switches the counting" {
	mkfifo control ack
	expect 0 stat -x, -D -1 --control fifo:control,ack -e page-faults \
		sh -c 'true | cat; echo enable >control; read answer <ack; true | cat; [ "$answer" = ack ]'
	[ "$(value page-faults)" -gt 0 ]
	expect 129 stat --control nothing true
}

@test "stat: --ops and --ops-from count one operation" {
	expect 0 stat -e page-faults --ops 10 true
	holds "$stderr" "per operation"
	expect 0 stat -r 2 -e page-faults --ops-from 'did ([0-9]+)' echo 'did 7 things'
	[ "$output" = "did 7 things
did 7 things" ]
	holds "$stderr" "per operation"
}

@test "stat: --pre and --post run uncounted around each run" {
	expect 0 stat -r 2 -e task-clock --pre 'echo pre >>log' --post 'echo post >>log' sh -c 'echo run >>log'
	[ "$(tr '\n' ' ' <log)" = "pre run post pre run post " ]
	expect 1 stat --pre false true
	holds "$stderr" "--pre: 'false' ended with status 1"
}

@test "stat: metrics alone, also with repeats" {
	expect 0 stat --metric-only -r 3 -e task-clock true
	holds "$stderr" "CPUs utilized"
	holds "$stderr" "+-"
	expect 0 stat -M cpus-utilized true
	holds "$stderr" "CPUs utilized"
	expect 1 stat -M nosuch true
}

@test "stat: nothing is counted with --null, nothing printed with --quiet" {
	expect 0 stat -n true
	holds "$stderr" "seconds time elapsed"
	expect 0 stat --quiet true
	[ -z "$stderr" ]
}

@test "stat: intervals of CPUs kept apart show how their time went, in every form" {
	expect 0 stat -a -A -I 50 --interval-count 2 -e context-switches -o out
	[ "$(grep -c '% user' out)" -ge 2 ]
	[ "$(grep -c average out)" -ge 1 ]
	expect 0 stat -A -x, -I 50 -e context-switches sleep 0.12
	holds "$stderr" ",cpu-idle,"
	[ "$(printf '%s\n' "$stderr" | awk -F, '{ print NF }' | sort -u)" = 12 ]
	expect 0 stat -A -j -I 50 -e context-switches sleep 0.12
	printf '%s\n' "$stderr" | jq -es 'map(select(.event == "cpu-utilization" and (.interval | not))) |
		length >= 1 and all(.[]; has("steal"))' >/dev/null
	# Not asked for: CPUs taken together, or no intervals.
	expect 0 stat -a -I 50 -e context-switches sleep 0.1
	[[ $stderr != *user* ]]
}

@test "stat: --save keeps which program ran, and where it ran last" {
	expect 0 stat -r 2 --quiet --save runs -e task-clock taskset -c 0 true
	jq -ne '[inputs | select(.counts)] | length == 2 and all(.[]; .cpu == 0)' runs >/dev/null
	[ "$(jq -nr '[inputs][0].arms[0].build_id' runs)" = "$(readelf -n "$(type -P taskset)" | sed -n 's/.*Build ID: //p')" ]
	jq -ne '[inputs][0].arms[0].content_hash | length > 16' runs >/dev/null
}

@test "stat: a core and a socket say how many CPUs are in them, a CPU does not" {
	expect 0 stat -a --per-socket -e context-switches true
	grep -qE '^S0 +[0-9]+ +[0-9,]+ +context-switches' <<<"$stderr"
	expect 0 stat -a --per-core -e context-switches true
	grep -qE '^S0-D0-C0 +[12] +[0-9,]+ +context-switches' <<<"$stderr"
	expect 0 stat -a -A -e context-switches true
	grep -qE '^CPU0 +[0-9,]+ +context-switches' <<<"$stderr"
}
