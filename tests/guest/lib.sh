# shellcheck shell=sh
# What every test in the guest uses: sourced by busybox sh, prints one line a test.
# A test states what it expects from arithmetic or from perf, never from our own earlier output.

# verdict STATUS TEXT [DETAIL]
verdict() {
	if [ "$1" -eq 0 ]; then echo "ok - $2"; else echo "not ok - $2${3:+: $3}"; fi
}

# same WHAT ACTUAL WANTED: equal texts or numbers.
same() {
	[ "$2" = "$3" ]
	verdict $? "$1" "is '$2', wanted '$3'"
}

# near WHAT ACTUAL WANTED PERCENT: numbers that differ by at most so much of the wanted one.
near() {
	awk -v a="$2" -v w="$3" -v p="$4" 'BEGIN { d = a - w; if (d < 0) d = -d; if (w < 0) w = -w
		exit !(a != "" && a + 0 == a && d <= w * p / 100) }'
	verdict $? "$1" "is '$2', wanted $3 within $4 %"
}

# within WHAT ACTUAL LEAST MOST
within() {
	awk -v a="$2" -v l="$3" -v m="$4" 'BEGIN { exit !(a != "" && a + 0 == a && l <= a && a <= m) }'
	verdict $? "$1" "is '$2', wanted $3 to $4"
}

# holds WHAT TEXT WANTED: the text holds the wanted one.
holds() {
	case $2 in *"$3"*) verdict 0 "$1" ;; *) verdict 1 "$1" "no '$3' in: $2" ;; esac
}

skip() {
	echo "skip - $1"
}

# has COMMAND: this build of perfmini has it.
has() {
	perfmini --complete | cut -f1 | grep -qx "$1"
}

# perf_count EVENT[,EVENT…] COMMAND…: the counts that perf prints, a line each.
perf_count() {
	perf_events=$1
	shift
	perf stat -x, -o /tmp/perf.csv -e "$perf_events" -- "$@" >/dev/null 2>/tmp/perf.err
	sed -e '/^#/d' -e '/^$/d' /tmp/perf.csv | cut -d, -f1
}

# The addresses of stack and libraries decide which way string functions go: fixed ones make counts exact.
echo 0 >/proc/sys/kernel/randomize_va_space

# ours EVENT[,EVENT…] COMMAND…: count with perfmini; the table is then in /tmp/ours.csv, notes in /tmp/ours.err.
ours() {
	ours_events=$1
	shift
	perfmini stat -x, -o /tmp/ours.csv -e "$ours_events" "$@" >/dev/null 2>/tmp/ours.err
}

# column NAME EVENT [FILE]: that column of the rows of that event, a line each, found by the names in the first line.
column() {
	awk -F, -v name="$1" -v event="$2" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$at["event"] == event && $at["status"] != "metric" { print $at[name] }' "${3:-/tmp/ours.csv}"
}

# our_count EVENT COMMAND…: its count.
our_count() {
	our_event=$1
	shift
	ours "$our_event" "$@"
	column value "$our_event"
}

sum() {
	awk '{ total += $1 } END { printf "%.0f\n", total }'
}
