#!/bin/bash
# What stat adds to each run of `true`, and what one stat takes from start to end, beside others, taken in turns.
# usage: run.sh PERFMINI [ROUNDS [RUNS]]; PERF73=COMMAND is a newer perf to put beside the installed one.
set -u
perfmini=$1 rounds=${2:-7} runs=${3:-200}
events=task-clock,context-switches,cpu-migrations,page-faults
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
${CC:-cc} -O2 -o "$scratch/spawn" "$here/spawn.c" || exit 1
true=$(type -P true)

# Each command takes a number of runs, N, and is given `true` to run.
names=(bare perfmini) commands=("$scratch/spawn N $true" "$scratch/spawn 1 $perfmini stat -e $events -r N $true")
if perf stat -o /dev/null true 2>/dev/null; then
	names+=(perf) commands+=("$scratch/spawn 1 perf stat -e $events -r N $true")
fi
if [ -n "${PERF73:-}" ]; then
	names+=('newer perf') commands+=("$scratch/spawn 1 $PERF73 stat -e $events -r N $true")
fi
if command -v hyperfine >/dev/null; then
	names+=('hyperfine -N') commands+=("$scratch/spawn 1 hyperfine -N --style none --runs N $true")
fi

# watch COMMAND: its wall and CPU time
watch() {
	$1 3>&1 >/dev/null 2>&1 || echo "failed: $1" >&2
}

median() {
	sort -n "$@" | awk '{ v[NR] = $1 } END { printf "%.1f", (v[int((NR + 1) / 2)] + v[int(NR / 2) + 1]) / 2 }'
}

# What 2 runs take, the fewest that all of them accept, is the start, and not a run's.
for _ in $(seq "$rounds"); do
	for i in "${!names[@]}"; do
		read -r wall_few cpu_few < <(watch "${commands[i]/ N / 2 }")
		read -r wall_many cpu_many < <(watch "${commands[i]/ N / $((runs + 2)) }")
		echo "$wall_few $wall_many $runs" | awk '{ print ($2 - $1) / $3 }' >>"$scratch/wall.$i"
		echo "$cpu_few $cpu_many $runs" | awk '{ print ($2 - $1) / $3 }' >>"$scratch/cpu.$i"
		case ${names[i]} in hyperfine*) continue ;; esac
		once=${commands[i]/-r N /}
		read -r wall cpu < <(watch "${once/ N / 1 }")
		echo "$wall" >>"$scratch/wall-once.$i"
		echo "$cpu" >>"$scratch/cpu-once.$i"
	done
done

# table KIND: what each takes, how much more than the bare loop, and that beside what perfmini takes more
table() {
	local bare ours
	bare=$(median "$scratch/$1.0") ours=$(median "$scratch/$1.1")
	for i in "${!names[@]}"; do
		case $1:${names[i]} in *-once:hyperfine*) continue ;; esac
		awk -v name="${names[i]}" -v each="$(median "$scratch/$1.$i")" -v bare="$bare" -v ours="$ours" 'BEGIN {
			printf "  %-14s %10.0f %10.0f", name, each, each - bare
			if (name != "bare" && ours > bare) printf " %8.2f", (each - bare) / (ours - bare)
			print "" }'
	done
}

echo "medians of $rounds rounds, in us: the whole, added to the bare loop, and the ratio of that to perfmini's"
echo "a run of true, of $runs: wall time" && table wall
echo "a run of true, of $runs: CPU time" && table cpu
echo "one 'stat true' from start to end: wall time" && table wall-once
echo "one 'stat true' from start to end: CPU time" && table cpu-once
