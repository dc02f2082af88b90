#!/bin/bash
# Folded chains are what folding perf script's output gives, to the byte, on recordings of many origins.
# usage: folded.sh PERFMINI CORPUS    Prints "folded: N passed, N failed" last.
set -u
here=$(cd "$(dirname "$0")" && pwd)
perfmini=$1 corpus=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
passed=0 failed=0

command -v perf >/dev/null && command -v gawk >/dev/null || { echo "skipped: folded chains (no perf or no gawk)"; exit 0; }

# Of one event each, with modules and symbols that both name alike.
recordings="autofdo.perf-kernel.data lpfr.perf.data pdc.single-event-multi-process.data pdc.single-event-single-process.data
	perfparser.probe.data.stream quipper.branch-4.14.data quipper.branch_stack_hw_index.data quipper.busy.0-3.8.data
	quipper.ctx_switch_namespaces-4.14.data quipper.hybrid_topology.data quipper.singleprocess-3.8.data
	quipper.systemwide.0-3.8.data s390x.cpuclock.data s390x.systemwide.data simpleperf.perf_g_fp.data
	simpleperf.perf_with_multiple_pids_and_tids.data simpleperf.perf_with_symbols.data"

for name in $recordings; do
	[ -e "$corpus/files/$name" ] || continue
	perf script --kallsyms=/dev/null -i "$corpus/files/$name" --no-inline -F comm,pid,ip,sym,dso 2>/dev/null | gawk -f "$here/../cli/folded.awk" | LC_ALL=C sort >"$scratch/theirs"
	"$perfmini" export --format folded -n --no-inline "$corpus/files/$name" 2>/dev/null | LC_ALL=C sort >"$scratch/ours"
	if [ -s "$scratch/theirs" ] && cmp -s "$scratch/theirs" "$scratch/ours"; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "$name: folded chains differ from perf script's:"
		diff "$scratch/theirs" "$scratch/ours" | head -n 6
	fi
done
echo "folded: $passed passed, $failed failed"
[ "$failed" -eq 0 ]
