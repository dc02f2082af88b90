# What stat counts, beside what perf, the kernel's own accounts and plain arithmetic say of the same workload.
load lib

setup_file() {
	perf stat -x, -o /dev/null -e task-clock true 2>/dev/null || touch "$BATS_FILE_TMPDIR/no-perf"
}

needs_perf() {
	[ ! -e "$BATS_FILE_TMPDIR/no-perf" ] || skip "no perf"
}

# ours FILE EVENT, theirs FILE EVENT: its value in CSV
ours() {
	awk -F, -v event="$2" '$6 == event { print $4 }' "$1"
}

theirs() {
	awk -F, -v event="$2" '$3 == event { print $1 }' "$1"
}

# least FIELD EVENT BASE COUNT: the smallest value over BASE.1 … BASE.COUNT, which load disturbs least
least() {
	for i in $(seq "$4"); do
		"$1" "$3.$i" "$2"
	done | sort -n | head -1
}

# near ONE OTHER PERCENT
near() {
	awk -v a="$1" -v b="$2" -v percent="$3" 'BEGIN {
		off = b ? 100 * (a - b) / b : 100
		if (a == "" || off > percent || off < -percent) { print "ours " a ", theirs " b; exit 1 }
	}'
}

# usage FILE FIELD: of the saved run, 0 when absent
usage() {
	jq -n "[inputs | select(.counts)][0].$2 // 0" "$1"
}

@test "stat_perf: the mean and its error are those of the raw counts in the saved file" {
	expect 0 stat -x, -r 7 --save runs -o out -e page-faults,task-clock,context-switches \
		sh -c 'n=$(($$ % 7 + 1))00000; head -c $n /dev/zero | tail -c $n >/dev/null'
	# As perf defines a count: value x enabled / running. Columns of the raw file: one row a run, in the order of -e.
	jq -n '[inputs | select(.counts) | [.counts[] | .[0] * .[1] / .[2]]] | length as $n | transpose[] |
		(add / $n) as $mean | (map((. - $mean) * (. - $mean)) | add / ($n - 1) / $n | sqrt) as $error |
		"\($mean) \(if $mean > 0 then 100 * $error / $mean else 0 end)"' -r runs >raw
	local i=0 event mean error
	while read -r mean error; do
		i=$((i + 1))
		event=$(printf 'page-faults\ntask-clock\ncontext-switches\n' | sed -n "${i}p")
		awk -F, -v event="$event" -v mean="$mean" -v error="$error" '$6 == event {
			scale = event == "task-clock" ? 1e-6 : 1
			if (($4 - mean * scale) ^ 2 > 1e-10 || ($7 - error) ^ 2 > 0.0051 ^ 2) exit 1
			found = 1
		} END { exit !found }' out || { echo "$event: mean $mean, error $error %"; cat out; return 1; }
	done <raw
	[ "$i" -eq 3 ]
}

@test "stat_perf: page faults and task-clock of one workload are perf's" {
	needs_perf
	for i in 1 2 3 4; do
		"$PERFMINI" stat -x, -o ours.$i -e page-faults,task-clock "$PERFMINI" workload spin 100000000 >/dev/null
		perf stat -x, -o theirs.$i -e page-faults,task-clock "$PERFMINI" workload spin 100000000 >/dev/null
	done
	local mine perfs
	mine=$(least ours page-faults ours 4) perfs=$(least theirs page-faults theirs 4)
	[ "$((mine - perfs))" -le 3 ] && [ "$((perfs - mine))" -le 3 ] || { echo "page faults: $mine, perf $perfs"; return 1; }
	near "$(least ours task-clock ours 4)" "$(least theirs task-clock theirs 4)" 30
}

@test "stat_perf: context switches are perf's, and the kernel's own" {
	needs_perf
	for i in 1 2 3; do
		"$PERFMINI" stat -x, -o ours.$i --save runs -e context-switches perl -e 'select undef, undef, undef, 0.001 for 1 .. 200'
		perf stat -x, -o theirs.$i -e context-switches perl -e 'select undef, undef, undef, 0.001 for 1 .. 200'
	done
	near "$(least ours context-switches ours 3)" "$(least theirs context-switches theirs 3)" 15
	# The kernel's account also holds the wait before the exec.
	local kernels
	kernels=$(($(usage runs voluntary_switches) + $(usage runs involuntary_switches)))
	[ "$((kernels - $(ours ours.3 context-switches)))" -ge 0 ]
	[ "$((kernels - $(ours ours.3 context-switches)))" -le 4 ]
}

@test "stat_perf: user and system time are what the command itself sees" {
	expect 0 stat -x, -o out -e task-clock perl -e '
		for (1 .. 3000000) { $x += $_ } for (1 .. 60000) { stat "/" } printf "%.9f %.9f\n", times'
	local user sys
	read -r user sys <<<"$output"
	# times(2) counts in hundredths of a second.
	awk -F, -v user="$user" -v sys="$sys" '$6 == "user_time" { a = $4 / 1e9 - user } $6 == "system_time" { b = $4 / 1e9 - sys }
		$6 == "task-clock" { c = $4 / 1e3 - user - sys }
		END { exit !(a > -0.011 && a < 0.05 && b > -0.011 && b < 0.05 && c > -0.022 && c < 0.05) }' out || {
		echo "user $user sys $sys"; cat out; return 1; }
}

@test "stat_perf: how CPUs spend their time is what /proc/stat says" {
	# The command is ended by perfmini after the last interval.
	local before after
	before=$(sed -n 's/^cpu0 *//p' /proc/stat)
	run --separate-stderr "$PERFMINI" stat -C 0 -A -x, -o out -I 500 --interval-count 2 -e context-switches \
		taskset -c 0 sh -c 'while :; do :; done'
	after=$(sed -n 's/^cpu0 *//p' /proc/stat)
	# Each interval, and the average without one, has eight shares that add up to 100.
	awk -F, '$6 ~ /^cpu-/ { sum[$1] += $4; kinds[$1]++ }
		END { for (i in sum) { n++; if (kinds[i] != 8 || sum[i] < 99.9 || sum[i] > 100.1) exit 1 } exit n != 3 }' out
	awk -F, -v before="$before" -v after="$after" '$1 == "" && ($6 == "cpu-user" || $6 == "cpu-nice") { ours += $4 } $1 == "" && $6 == "cpu-idle" { idle = $4 }
		END {
			split(before, b, " "); split(after, a, " ")
			for (i = 1; i <= 8; i++) all += a[i] - b[i]
			theirs = 100 * (a[1] + a[2] - b[1] - b[2]) / all
			if (ours < theirs - 15 || ours > theirs + 15 || ours < 10 || idle > 10) { print ours, theirs, idle; exit 1 }
		}' out || { cat out; return 1; }
}
