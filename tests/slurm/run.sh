#!/bin/bash
# Experiments over the two nodes of a Slurm cluster on this machine.
# usage: run.sh BUILD      Prints "slurm: N passed, N failed, N skipped" last.
set -u
here=$(cd "$(dirname "$0")" && pwd)
build=$(realpath "${1:-build/release}")
perfmini=$build/perfmini
passed=0 failed=0

leave_out() {
	echo "skipped: check-slurm ($1)"
	echo "slurm: 0 passed, 0 failed, 1 skipped"
	exit 0
}

for program in slurmctld slurmd sbatch munged jq; do
	PATH=$PATH:/usr/sbin command -v $program >/dev/null || leave_out "no $program"
done
[ "$(id -u)" = 0 ] || leave_out "not root"
PATH=$PATH:/usr/sbin:/sbin

scratch=$(mktemp -d)
export SLURM_CONF=$scratch/cluster/slurm.conf XDG_STATE_HOME=$scratch/state
mkdir "$scratch/cluster" "$scratch/work"
trap '"$here/cluster" stop "$scratch/cluster"; sleep 0.5; [ -n "${KEEP-}" ] || rm -rf "$scratch"' EXIT
"$here/cluster" start "$scratch/cluster" 2>"$scratch/log" || leave_out "the cluster does not start: $(tail -n 1 "$scratch/log")"
cd "$scratch/work" || exit

report() {
	echo "$1 - $2"
	if [ "$1" = ok ]; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
}

same() {
	if [ "$2" = "$3" ]; then report ok "$1"; else report "not ok" "$1: '$2', not '$3'"; fi
}

holds() {
	if [[ $2 == *"$3"* ]]; then report ok "$1"; else report "not ok" "$1: no '$3' in: $2"; fi
}

# Numbers known exactly, whatever the machine: the effect on "work" is the same in every run.
write_work() {
	printf '#!/bin/sh\nsleep "${2:-0.01}"\necho "work $1"\n' >work.sh
	chmod +x work.sh
}
options=(-q --seed 9 -m 'work=/work ([0-9]+)/' -g work -t work=0.5%)

# ab DIR ARGUMENT…: an experiment of two parts on the cluster; status in $status, words in $out.
ab() {
	local dir=$1
	shift
	status=0
	out=$("$perfmini" ab --slurm '-p p' -o "$dir" "${options[@]}" "$@" 2>&1) || status=$?
}

# order RUNS: which arm ran where, block by block.
order() {
	sed -n 's/^{"arm":\([0-9]*\),"block":\([0-9]*\),"position":\([0-9]*\).*/\1 \2 \3/p' "$1"
}

wait_for_running() {
	local _
	for _ in $(seq 100); do
		[ "$(squeue -h -r -t running -o %K | wc -l)" -ge "$1" ] && return
		sleep 0.1
	done
}

both_nodes() {
	ab both --machines 4 --per-machine 6 './work.sh 1000' './work.sh 1010'
	same "slurm: an experiment over both nodes ends with a verdict" "$status" 1
	holds "slurm: on two machines" "$out" "2 machines, 24 blocks, seed 9"
	holds "slurm: an exact effect is exact" "$out" "worse on 2 (n1, n2)"
	"$perfmini" compare -f json both >slurm.json
	for part in 1 2 3 4; do
		"$perfmini" ab --share $part/4 "${options[@]}" --machine "n$((part % 2 + 1))" --per-machine 6 -o "hand-$part" \
			'./work.sh 1000' './work.sh 1010' 2>/dev/null
		order "both/part-$part/ab.runs" >one
		order "hand-$part/ab.runs" >two
		same "slurm: part $part runs in the order of the same seed by hand" "$(cat one)" "$(cat two)"
	done
	"$perfmini" compare -f json hand-? >hand.json
	same "slurm: and the result by hand is the same" \
		"$(jq -c '.comparisons[] | select(.metric == "work") | del(.machines.rows)' slurm.json)" \
		"$(jq -c '.comparisons[] | select(.metric == "work") | del(.machines.rows)' hand.json)"
}

# A pre-empted element starts again; whoever has it at last has all its blocks.
preempted() {
	ab preempted --machines 2 --per-machine 12 './work.sh 1000 0.1' './work.sh 1010 0.1' &
	wait_for_running 2
	sleep 0.5
	srun -p urgent -N 2 -n 2 sleep 1
	scontrol -o show job | grep -o 'JobId=[0-9]*.*Restarts=[0-9]*' >restarts
	squeue -h -r -o '%A' | while read -r job; do scontrol update "jobid=$job" starttime=now 2>/dev/null; done
	wait
	holds "slurm: elements were pre-empted" "$(cat restarts)" "Restarts=1"
	"$perfmini" compare -f json preempted >preempted.json
	same "slurm: all blocks of a pre-empted experiment are there" "$(jq .blocks preempted.json)" 24
}

# A node that dies: its element is requeued, and runs elsewhere.
node_killed() {
	{ ab killed --machines 2 --per-machine 12 './work.sh 1000 0.1' './work.sh 1010 0.1' && echo "$out" >killed.out; } &
	wait_for_running 2
	sleep 0.7
	"$here/cluster" kill-node "$scratch/cluster" n2
	for _ in $(seq 150); do
		[ -z "$(squeue -h -r -o %T)" ] && break
		squeue -h -r -t pending -o '%A' | while read -r job; do scontrol update "jobid=$job" starttime=now 2>/dev/null; done
		sleep 0.2
	done
	wait
	"$perfmini" compare -f json killed >killed.json 2>killed.err || true
	same "slurm: a killed node's blocks are measured elsewhere" "$(jq .blocks killed.json)" 24
	same "slurm: by the node that lives" "$(jq -r '.machines[].name' killed.json)" n1
	"$here/cluster" node "$scratch/cluster" n2
}

# Another build at the same path, on one node only.
wrong_build() {
	unshare -m true 2>/dev/null || { echo "skipped: wrong_build (no mounts of one's own here)"; return; }
	cp "$build/perfmini" program
	cp "$build/perfmini" other
	printf 'changed' >>other
	kill "$(cat "$scratch/cluster/d.n2.pid")"
	sleep 0.5
	unshare -m sh -c "mount --bind '$PWD/other' '$PWD/program' && slurmd -N n2"
	"$here/cluster" node "$scratch/cluster" n1 2>/dev/null
	sleep 1
	status=0
	out=$("$perfmini" ab --slurm '-p p' -o wrong -q --machines 2 --per-machine 6 './program workload burn 100000' \
		'./program workload burn 150000' 2>&1) || status=$?
	holds "slurm: a wrong build is refused by the node that has it" "$out" "on n2: FAILED, it is left out"
	holds "slurm: and named" "$out" "a program is another one now"
	holds "slurm: one machine is no sample of machines" "$out" "one machine says nothing of others"
	status=0
	out=$("$perfmini" ab --slurm '-p p' --ship -o shipped -q --machines 2 --per-machine 6 './program workload burn 100000' \
		'./program workload burn 150000' 2>&1) || status=$?
	holds "slurm: shipped programs do not depend on the node" "$out" "2 machines, 12 blocks"
	kill "$(cat "$scratch/cluster/d.n2.pid")"
	sleep 0.5
	"$here/cluster" node "$scratch/cluster" n2
}

interrupted() {
	"$perfmini" ab --slurm '-p p' -o stopped "${options[@]}" --machines 3 --per-machine 8 './work.sh 1000 0.1' \
		'./work.sh 1010 0.1' >stopped.out 2>&1 &
	wait_for_running 2
	sleep 0.5
	kill -INT $!
	wait $!
	same "slurm: Ctrl-C ends with its status" $? 130
	holds "slurm: and says how to go on" "$(cat stopped.out)" "go on with --resume"
	for _ in $(seq 50); do
		[ -z "$(squeue -h -r -o %T)" ] && break
		sleep 0.1
	done
	same "slurm: and cancels the array" "$(squeue -h -r -o %T)" ""
	ab stopped --resume --machines 3 --per-machine 8 './work.sh 1000 0.1' './work.sh 1010 0.1'
	holds "slurm: --resume collects and measures the rest" "$out" "24 blocks, seed 9"
	ab stopped --resume --machines 3 --per-machine 8 './work.sh 1000 0.1' './work.sh 1010 0.1'
	holds "slurm: a whole experiment is only judged again" "$out" "24 blocks, seed 9"
	ab stopped --resume './work.sh 1000' './work.sh 1020'
	holds "slurm: another experiment is not gone on with" "$out" "is of another experiment"
	ab stopped './work.sh 1000' './work.sh 1010'
	holds "slurm: an experiment is not written over" "$out" "holds an experiment"
}

refused() {
	out=$("$perfmini" ab --slurm '-p nowhere' -o refused true false 2>&1)
	same "slurm: a partition that does not exist" $? 4
	holds "slurm: is named" "$out" "invalid partition specified: nowhere"
	out=$("$perfmini" ab --slurm '' --machines 60 -o refused true false 2>&1)
	holds "slurm: an array beyond the limit" "$out" "MaxArraySize"
	out=$(PATH=/nowhere "$perfmini" ab --slurm '' -o refused /bin/true /bin/false 2>&1)
	holds "slurm: no Slurm" "$out" "sinfo is not here: Slurm is not installed"
	ab none --machines 2 --per-machine 6 './work.sh 1000' /bin/false
	same "slurm: no machine finished" "$status" 4
	holds "slurm: says why" "$out" "exit status 1"
	for option in --share=1/2 --until=decided --bisect --save=x --record; do
		out=$("$perfmini" ab --slurm '' --seed 1 "$option" -o refused true false 2>&1)
		same "slurm: $option does not go with it" $? "$([ "$option" = --bisect ] && echo 255 || echo 2)"
	done
}

# On a machine shared with strangers (.ci/run) a failure counts when it repeats at once.
try() {
	local before=$failed ok=$passed
	rm -rf "$scratch/work"
	mkdir "$scratch/work"
	cd "$scratch/work" || exit
	write_work
	"$1"
	[ "$failed" -eq "$before" ] || [ "${2-}" = again ] || [ "${PERFMINI_TEST_RETRIES:-0}" -eq 0 ] || {
		echo "== $1, once more"
		failed=$before passed=$ok
		scancel -u root
		"$here/cluster" stop "$scratch/cluster"
		sleep 1
		rm -rf "$scratch/cluster"
		mkdir "$scratch/cluster"
		"$here/cluster" start "$scratch/cluster"
		try "$1" again
	}
}

for test in ${TESTS:-both_nodes preempted node_killed wrong_build interrupted refused}; do
	echo "== $test"
	try "$test"
done
echo "slurm: $passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ]
