#!/bin/sh
# The cost of recording, beside perf, taken in turns: wall time of a short command, CPU time of the recorder, lost records.
# usage: run.sh PERFMINI [ROUNDS]
perfmini=$1 rounds=${2:-7}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
PERFMINI_BUILD_ID_DIR=$scratch/cache
export PERFMINI_BUILD_ID_DIR
cd "$scratch" || exit 1
command -v perf >/dev/null || { echo 'skipped: bench record (no perf)'; exit 0; }

# seconds WALL|CPU COMMAND...: of one run
seconds() {
	what=$1
	shift
	bash -c 'TIMEFORMAT="%R %U %S"; time "$@" >/dev/null 2>&1' bash "$@" 2>&1 | tail -1 |
		awk -v what="$what" '{ print what == "WALL" ? $1 : $2 + $3 }'
}

median() {
	sort -n | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'
}

# compare TITLE WHAT OPTIONS COMMAND: medians and their ratio
compare() {
	title=$1 what=$2 options=$3 command=$4
	: >ours
	: >theirs
	for _ in $(seq "$rounds"); do
		# shellcheck disable=SC2086
		seconds "$what" "$perfmini" record -q $options -o a.data sh -c "$command" >>ours
		# shellcheck disable=SC2086
		seconds "$what" perf record -q $options -o b.data sh -c "$command" >>theirs
	done
	awk -v title="$title" -v a="$(median <ours)" -v b="$(median <theirs)" \
		'BEGIN { printf "%-44s %8.3f s %8.3f s  %5.2f\n", title, a, b, a / b }'
}

printf '%-44s %10s %10s  %s\n' '' perfmini perf ratio
compare 'wall: true' WALL '-e cpu-clock -F 999' true
compare 'wall: a busy tenth of a second' WALL '-e cpu-clock -F 999' 'i=0; while [ $i -lt 30000 ]; do i=$((i+1)); done'
compare 'CPU: true' CPU '-e cpu-clock -F 999' true

echo 'at 50 kHz with call graphs:'
"$perfmini" record -e cpu-clock -F 50000 -g -o a.data sh -c 'i=0; while [ $i -lt 30000 ]; do i=$((i+1)); done'
