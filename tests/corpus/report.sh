#!/bin/bash
# Rows, shares and sample counts of reports against what perf 6.12 printed for the same recordings.
# usage: report.sh PERFMINI CORPUS
perfmini=$1 corpus=$2 status=0 compared=0
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT

# Where perf's answer is no measure, and why. Heads are still compared unless the reason is "head".
excepted() {
	case $1 in
	# perf named kernel addresses from the symbol table of the machine it ran on, or found none for the same reason.
	autofdo.test.lbr | lpd.sleep.* | perfparser.contentsize.data | perfparser.*.lbr.data | perfparser.*.zstd.data | \
	quipper.piped.* | simpleperf.perf_* | simpleperf.wrong_ip_callchain_perf.data) echo rows ;;
	# By branches, perf prints addresses of the process where it prints offsets in the object otherwise.
	quipper.branch* | quipper.raw_callgraph_branch* | autofdo.perf-kernel.data) echo rows ;;
	# Samples that perf makes up from a trace; an event's name out of tracing data.
	quipper.intel_pt* | perfparser.probe.data.stream) echo head ;;
	esac
}

# perf cuts a command's name to the width of another; rows of 0.00 % may be frames without samples.
rows() {
	grep -E '^ +[0-9.]+%  ' | grep -v '^ *0.00%  [^0]' | sed 's/  */ /g; s/ *$//; s/perf-exec/perf-ex/' | sort
}

heads() {
	grep -E '^# (Samples|Event count|Total Lost)'
}

for expected in "$corpus"/expected-perf-6.12/*.report; do
	name=$(basename "$expected" .report)
	[ -s "$corpus/files/$name" ] || continue
	grep -q '^# Samples' "$expected" || continue
	compared=$((compared + 1))
	"$perfmini" report --no-children -s comm,dso,sym -i "$corpus/files/$name" >"$work/ours" 2>/dev/null
	# The expected text ends after 200 lines: what is in it must be in ours.
	head -199 "$expected" | rows >"$work/rows"
	heads <"$expected" >"$work/heads"
	if [ -z "$(excepted "$name")" ] && [ -n "$(rows <"$work/ours" | comm -23 "$work/rows" -)" ]; then
		echo "$name: rows differ from perf's:"
		rows <"$work/ours" | comm -23 "$work/rows" - | head -3
		status=1
	fi
	if [ "$(excepted "$name")" != head ] && ! heads <"$work/ours" | head -"$(wc -l <"$work/heads")" | cmp -s "$work/heads" -; then
		echo "$name: the head differs from perf's"
		status=1
	fi
done
echo "report: $compared recordings compared with perf 6.12"
exit $status
