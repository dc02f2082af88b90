#!/bin/bash
# Reports of long recordings: CPU seconds, us a sample and peak memory, beside perf (PERF=path for another) and beside a
# bare walk over the mapped records, all in this run.
# usage: run.sh PERFMINI [SAMPLES…]    default 100000 1000000; TIMES=n runs of each, the least counts (3)
set -eu
perfmini=$(realpath "$1")
shift
here=$(cd "$(dirname "$0")" && pwd) build=$(dirname "$perfmini") perf=${PERF:-perf} times=${TIMES:-3}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
command -v "$perf" >/dev/null || { echo 'skipped: bench report (no perf)'; exit 0; }
for tool in scale walk cost; do
	# shellcheck disable=SC2046
	${CC:-cc} -std=gnu11 -O2 -no-pie -D_GNU_SOURCE -I"$here/../../../src" -I"$here/../../.." "$here/$tool.c" "$build/libperfmini.a" \
		$(pkg-config --libs libzstd) -o "$scratch/$tool"
done
cd "$scratch"

load() {
	# shellcheck disable=SC2016
	sh -c 'i=0; while [ $i -lt 8000 ]; do i=$((i+1)); done; find /usr/share/doc | sort -r | gzip -9
		for i in 1 2; do ls -lR /usr/lib; done | awk "{ n[\$1]++ } END { for (k in n) print k, n[k] }"' >/dev/null 2>&1
}
export -f load
"$perfmini" record -q -e cpu-clock -F 4000 -o flat.small bash -c load
"$perfmini" record -q -e cpu-clock -F 4000 -g -o chains.small bash -c load

# row TITLE FILE SAMPLES-READ PERF-ARGUMENTS -- OUR-ARGUMENTS
row() {
	title=$1 file=$2 samples=$3
	shift 3
	theirs=()
	while [ "$1" != -- ]; do theirs+=("$1"); shift; done
	shift
	read -r walk _ < <(./cost "$times" ./walk "$file")
	read -r ours ours_mb < <(./cost "$times" "$perfmini" "$@")
	read -r theirs theirs_mb < <(./cost 1 "$perf" "${theirs[@]}")
	awk -v title="$title" -v n="$samples" -v a="$ours" -v b="$theirs" -v w="$walk" -v am="$ours_mb" -v bm="$theirs_mb" 'BEGIN {
		printf "%-26s %9d %8.3f %8.3f %8.3f %7.2f %7.2f %6.1fx %6.1fx %6d %6d\n", title, n, a, b, w, a / n * 1e6, b / n * 1e6,
			b / a, a / w, am, bm }'
}

printf '%-26s %9s %8s %8s %8s %7s %7s %7s %7s %6s %6s\n' '' samples perfmini perf walk 'us each' perf 'perf/us' us/walk MB 'perf MB'
[ $# -gt 0 ] || set -- 100000 1000000
for samples; do
	for kind in flat chains; do ./scale $kind.small $kind.data "$samples"; done
	row 'report, flat' flat.data "$samples" report --stdio -i flat.data -- report -i flat.data
	row 'report, chains' chains.data "$samples" report --stdio -i chains.data -- report -i chains.data
	row 'report, no children' chains.data "$samples" report --stdio --no-children -g caller -i chains.data -- \
		report --no-children -g caller -i chains.data
	row 'script, flat' flat.data "$samples" script -i flat.data -- script -i flat.data
	row 'script, chains' chains.data "$samples" script -i chains.data -- script -i chains.data
	row 'diff of two' flat.data $((2 * samples)) diff flat.data flat.data -- diff flat.data flat.data
done
row 'report, flat, small' flat.small "$("$scratch/walk" flat.small)" report --stdio -i flat.small -- report -i flat.small
