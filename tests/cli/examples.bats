load lib

# example NAME [VARIABLE=VALUE…]: the experiment runs here, with sizes of the test's own; its output is in the file out.
example() {
	local name=$1
	shift
	export PERFMINI_BUILD_ID_DIR=$BATS_TEST_TMPDIR/cache
	env PERFMINI="$PERFMINI" "$@" timeout 60 "$TESTS/../examples/$name/run" >out 2>err ||
		{ printf '%s failed\n' "$name"; cat out err; return 1; }
}

@test "examples: each has a question, a command and an answer" {
	for run in "$TESTS"/../examples/e*/run; do
		[ -x "$run" ]
		for heading in Question Command Output 'What it says'; do
			grep -q "^## $heading" "${run%/run}/README.md" || { echo "$run: no $heading"; return 1; }
		done
	done
}

# The fastest of the runs: a busy machine only adds.
mem_costs_most() {
	jq -s -e '[.[] | select(.arm != null)] | (map(select(.arm == 1).counts[0][0]) | min) <
		(map(select(.arm == 3).counts[0][0]) | min)' "$1" >/dev/null
}

# An operation of mem takes more CPU time than one of base, by compare's own figure.
costs_over_base() {
	"$PERFMINI" compare --format json "$1" 2>/dev/null |
		jq -e '.comparisons[] | select(.metric == "task-clock" and .arm == "kind=mem") | .absolute.value > 0' >/dev/null
}

@test "examples e1: every kind did exactly N branches, imm is not above mem" {
	example e1-cold-branch N=3000000 ARRAY=32M BLOCKS=3
	for kind in base imm l1 mem; do
		[ "$("$PERFMINI" workload branch $kind --array 64K 1234)" = "1234 branches" ]
	done
	mem_costs_most e1.runs
	# The same runs with imm and mem exchanged, and with a cost over another base, are wrong answers.
	sed 's/"arm":1/"arm":x/; s/"arm":3/"arm":1/; s/"arm":x/"arm":3/' e1.runs >exchanged.runs
	! mem_costs_most exchanged.runs || false
	costs_over_base e1.runs
	sed 's/"arm":0/"arm":x/; s/"arm":3/"arm":0/; s/"arm":x/"arm":3/' e1.runs >rebased.runs
	! costs_over_base rebased.runs || false
}

@test "examples e4: two builds, paired by name across build ids, no side empty" {
	example e4-two-builds CALLS=300000 ROUNDS=500
	[ "$(jq -r '.[0].rows[] | select(.a_functions[0].shown == "marked_call") | .pair' e4.json)" = name ]
	jq -e '.[0].rows[] | select(.a_functions[0].shown == "marked_call") | .a > 0 and .b > 0 and
		.a_functions[0].build_id != .b_functions[0].build_id' e4.json
	holds "$(cat out)" "500 round trips"
	# Paired by build id and address alone the baseline of the patched function would be 0.
	expect 0 diff --json --pair-by build 'before.[123]' 'after.[123]'
	[ "$(jq -c '[.[0].rows[] | select((.a_functions + .b_functions)[0].shown == "marked_call") | .a == 0 or .b == 0]' <<<"$output")" = "[true,true]" ]
}

@test "examples e5: in and outside kernel text make the total, the total is the number of samples" {
	"$PERFMINI" record -q -a -e cpu-clock -c 1000000 -o all.data -- "$PERFMINI" workload burn --threads 2 20000000
	expect 0 report --kprof -i all.data
	read -r _ total _ _ _ kernel _ _ _ outside <<<"$(head -n 1 <<<"$output")"
	[ "$((kernel + outside))" -eq "$total" ]
	expect 0 report --json -i all.data
	# One sample a millisecond.
	[ "$(jq '.events[0].samples' <<<"$output")" -eq "$total" ]
}

@test "examples e5: the share of the lock grows with the threads, and only in that order" {
	for threads in 1 2; do
		"$PERFMINI" record -q -e cpu-clock -F 1000 -o lock$threads.data -- "$PERFMINI" workload lock --threads $threads 200000
	done
	grows() {
		"$PERFMINI" diff --axis threads=1,2 --json "$@" |
			jq -e '.[0].rows[] | select(.function == "lock_acquire") | .shares[1] > .shares[0] and .z > 0' >/dev/null
	}
	grows lock1.data lock2.data
	! grows lock2.data lock1.data || false
}

@test "examples e6: a row a session, with the machine it came from" {
	example e6-machines N=1000000 REPEAT=6 WATCHED=1
	holds "$(cat out)" "1000000 turns"
	holds "$(cat out)" "here.runs: $(uname -n), "
	holds "$(cat out)" "again.runs: $(uname -n), "
}

@test "examples ci: both are YAML, their shell is shell, and every option of perfmini there exists" {
	python3 -c 'import yaml' 2>/dev/null || skip "no python3-yaml"
	for file in github gitlab; do
		python3 - "$TESTS/../examples/ci/$file.yml" >$file.sh <<-'END'
			import sys, yaml
			def shell(node):
			    for key, value in node.items() if isinstance(node, dict) else []:
			        if key in ("run", "script"):
			            print(value if isinstance(value, str) else "\n".join(value))
			        shell(value)
			    for value in node if isinstance(node, list) else []:
			        shell(value)
			shell(yaml.safe_load(open(sys.argv[1])))
		END
		sed -i 's/\${{[^}]*}}/1/g' $file.sh
		bash -n $file.sh
		grep -q 'perfmini ab' $file.sh
		for option in $(tr -d '\\' <$file.sh | tr '\n' ' ' | grep -o 'perfmini ab .* -- ' | grep -oE -- '--[a-z-]+'); do
			"$PERFMINI" ab --help | grep -q -- "$option"
		done
	done
}
