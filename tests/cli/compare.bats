load lib
load runs

@test "compare: row 1, too few blocks is never 'no difference', status 3" {
	ab_runs r 3 0 0.001
	expect 3 compare r
	holds "$output" "INSUFFICIENT"
}

@test "compare: row 2, regressed, status 1" {
	ab_runs r 10 0.05 0.002
	expect 1 compare r
	holds "$output" "REGRESSED (>1 %)"
	holds "$output" "takes 1.05"
	holds "$output" "the time of A (+5"
}

@test "compare: row 3, improved, status 0" {
	ab_runs r 10 -0.05 0.002
	expect 0 compare r
	holds "$output" "IMPROVED"
}

@test "compare: row 4, equivalent, status 0" {
	ab_runs r 10 0 0.002
	expect 0 compare r
	holds "$output" "EQUIVALENT"
}

@test "compare: row 5, worse by an unknown size, status 3; 1 with --fail-on any-worse" {
	ab_runs r 10 0.012 0.01
	expect 3 compare r
	holds "$output" "WORSE: worse, size"
	expect 1 compare --fail-on any-worse r
}

@test "compare: row 6, better by an unknown size, status 0" {
	ab_runs r 10 -0.012 0.01
	expect 0 compare r
	holds "$output" "BETTER: better,"
}

@test "compare: row 7, not worse, status 0" {
	ab_runs r 10 -0.006 0.014
	expect 0 compare r
	holds "$output" "NOT WORSE"
}

@test "compare: row 8, inconclusive, status 3" {
	ab_runs r 10 0 0.1
	expect 3 compare r
	holds "$output" "INCONCLUSIVE"
	holds "$output" "blocks would tell"
}

@test "compare: bisect statuses are 0, 1, 125 and 255" {
	ab_runs same 10 0 0.002
	ab_runs worse 10 0.05 0.002
	ab_runs unclear 10 0 0.1
	expect 0 compare --bisect same
	expect 1 compare --bisect worse
	expect 125 compare --bisect unclear
	expect 255 compare --bisect --gate nonsense same
	expect 125 compare --bisect /nonexistent
}

@test "compare: a threshold given now goes before the stored one" {
	ab_runs r 10 0.05 0.002 threshold=wall=10%
	expect 0 compare r
	expect 1 compare --threshold wall=1% r
}

@test "compare: counts above 2^53 are exact, and a gate on them decides" {
	ab_runs r 10 0 0.002
	expect 0 compare --gate cycles -f csv r
	holds "$output" "cycles,,B,,gate,ratio,10,9.007199255e+15"
}

@test "compare: bad options are named, status 2" {
	ab_runs r 10 0 0.002
	expect 2 compare
	holds "$stderr" "no runs file"
	expect 2 compare --gate wal r
	holds "$stderr" "there is no metric 'wal'"
	holds "$stderr" "did you mean wall?"
	expect 2 compare --threshold wall=0% r
	holds "$stderr" "nothing can be shown equal"
	expect 2 compare --threshold wall=1 r
	holds "$stderr" "is not METRIC=X%"
	expect 2 compare --threshold nonsense=1% r
	expect 2 compare --format pdf r
	expect 2 compare --rate 5 r
}

@test "compare: a file that is not there, is of the future, holds NaN or is no runs file: status 4, by place" {
	ab_runs r 10 0 0.002
	expect 4 compare none
	holds "$stderr" "none"
	sed 's/"perfmini_runs":1/"perfmini_runs":2/' r >future
	expect 4 compare future
	holds "$stderr" "runs format 2 is newer"
	sed '3s/"wall_ns":[0-9]*/"wall_ns":NaN/' r >nan
	expect 4 compare nan
	holds "$stderr" "nan: line 3"
	echo '{"a":1}' >other
	expect 4 compare other
	holds "$stderr" "not a runs file"
}

@test "compare: a file cut short keeps its whole blocks and says so" {
	ab_runs r 10 0.05 0.002
	head -c $(($(wc -c <r) - 70)) r >cut
	expect 1 compare cut
	holds "$stderr" "ends early"
	holds "$stderr" "18 whole runs kept"
	holds "$output" "9 blocks"
}

@test "compare: two files are unpaired, carry the banner, and never fail without --trust-sessions" {
	ab_runs one 10 0.05 0.002
	ab_runs two 10 0.08 0.002
	expect 3 compare one two
	holds "$output" "interleaved"
	expect 1 compare --trust-sessions one two
}

@test "compare: two files that share no metric but times say so, not nonsense" {
	ab_runs one 10 0 0.002
	sed 's/"cycles"/"faults"/' one >two
	expect 3 compare --gate cycles one two || expect 2 compare --gate cycles one two || expect 4 compare --gate cycles one two
}

@test "compare: no NaN or inf in any format" {
	ab_runs r 3 0 0.001
	for format in text json csv markdown mail html; do
		run "$PERFMINI" compare --format "$format" r
		[ "$status" -eq 3 ]
		! grep -qiw -e nan -e inf -e infinity <<<"$output" || false
	done
}

@test "compare: text is 100 columns wide, mail 72, json is JSON, html asks for nothing" {
	ab_runs r 20 0.05 0.002
	expect 1 compare r
	[ "$(wc -L <<<"$output")" -le 100 ]
	expect 1 compare --format mail r
	[ "$(wc -L <<<"$output")" -le 72 ]
	expect 1 compare --format json r
	[ "$(jq -r '.comparisons[0].verdict' <<<"$output")" = REGRESSED ]
	expect 1 compare --format html r
	! grep -qE 'https?://|src=|@import|url\(' <<<"$output" || false
	holds "$output" "<svg"
}

@test "compare: the wording never says faster or slower with a number" {
	ab_runs r 10 2 0.002
	expect 1 compare r
	holds "$output" "takes 3.0000x the time of A (+200.00 %)"
	! grep -qE 'faster|slower' <<<"$output" || false
}

@test "compare: names from a file cannot command the terminal" {
	ab_runs r 10 0 0.002
	sed -i '1s/"name":"B"/"name":"B\\u001b[31m"/' r
	expect 0 compare r
	! grep -q "$(printf '\033')" <<<"$output" || false
}

@test "compare: --report writes a file, and a full disk is an error" {
	ab_runs r 10 0 0.002
	expect 0 compare --format html --report out.html r
	[ -z "$output" ]
	grep -q '</html>' out.html
	run bash -c "'$PERFMINI' compare r >/dev/full"
	[ "$status" -ne 0 ]
}

@test "compare: several machines give one row a machine" {
	ab_runs one 10 0 0.002
	ab_runs two 10 0 0.002
	ab_runs three 10 0 0.002
	expect 3 compare one two three || expect 0 compare one two three
	holds "$output" "median of"
	[ "$(grep -c '^three:[AB]  ' <<<"$output")" -eq 2 ]
}

@test "compare: a metric whose events are there is shown unasked, computed run by run, and can be a gate" {
	ab_runs r 10 0.01 0.002
	# Two instructions a cycle in A, 1.6 in B.
	sed -e '1s/"events":\[/&{"name":"instructions:u","scale":1,"group":0},/; 1s/"cycles"/"cycles:u"/' \
		-e '/"arm":0/s/"counts":\[.*/"counts":[[2000,9,9],[1000,9,9]]}/' \
		-e '/"arm":1/s/"counts":\[.*/"counts":[[2000,9,9],[1250,9,9]]}/' r >ipc
	expect 3 compare ipc
	holds "$(grep insn-per-cycle <<<"$output" | tr -s ' ')" "insn-per-cycle 2.000 1.600 0.8000x"
	expect 1 compare --gate insn-per-cycle ipc
	holds "$output" "REGRESSED"
	# Of other modes they do not belong together; neither do counts that were on for a part.
	sed '1s/"cycles:u"/"cycles:k"/' ipc >modes
	expect 3 compare modes
	[[ $output != *insn-per-cycle* ]]
	sed 's/1000,9,9/1000,9,8/' ipc >scaled
	expect 3 compare scaled
	[[ $output != *insn-per-cycle* ]]
	expect 2 compare --gate insn-per-cycle r
	holds "$stderr" "there is no metric"
}

@test "compare: with operations the first arm is subtracted, an operation at a time" {
	ab_runs r 10 0.05 0.002 ops=1000
	expect 1 compare r
	grep -qE 'B over A, an operation: wall \+50\.[0-9]+ ns \[\+4[89]\.[0-9]+, \+5[012]\.[0-9]+\]' <<<"$output"
	ab_runs r 10 0.05 0.002
	expect 1 compare r
	[[ $output != *"an operation"* ]]
}

@test "compare: three blocks decide only when the differences are said to be normal" {
	ab_runs r 3 0.05 0.001
	expect 3 compare r
	holds "$output" "INSUFFICIENT"
	expect 1 compare --assume-normal r
	holds "$output" "REGRESSED"
	ab_runs r 3 0.05 0.001 assume-normal=yes
	expect 1 compare r
}

@test "compare: a bisection splits its error over the steps and halves the known effect" {
	ab_runs r 20 0.03 0.005
	expect 0 compare --bisect --effect 10 r
	expect 1 compare --bisect --effect 4 r
	# 1024 revisions, ten steps: 99.5 % in each.
	expect 1 compare --bisect --revisions 1024 r
	holds "$output" "at 99.5"
	expect 2 compare --revisions 8 r
	expect 2 compare --effect 5 r
}

@test "compare: what is said of sessions says what it takes for granted" {
	ab_runs one 10 0 0.002
	ab_runs two 10 0.05 0.002
	expect 3 compare one two
	holds "$output" "if nothing else changed between the sessions"
	expect 0 compare one
	[[ $output != *"between the sessions"* ]] || false
}

@test "compare: with the order abba two blocks that reverse each other are one" {
	ab_runs r 10 0.05 0.002
	expect 1 compare -f json r
	[ "$(jq '.comparisons[0].blocks' <<<"$output")" -eq 10 ]
	# A before B and B before A alternate in three places: blocks 0 1, 3 4, 6 7.
	ab_runs r 10 0.05 0.002 order=abba
	expect 3 compare -f json r
	[ "$(jq '.comparisons[0].blocks' <<<"$output")" -eq 3 ]
}

@test "compare: a bisection's experiment is judged from its file as it was, and thresholds given now go before" {
	ab_runs stored 20 0.03 0.005 revisions=1024 effect=4
	ab_runs plain 20 0.03 0.005
	# Of 4 % the middle is 1.98 %, which 3 % is above; of ten steps each has half a percent.
	expect 1 compare stored
	holds "$output" "at 99.5"
	holds "$output" "REGRESSED (>1.9"
	said=$output
	expect 1 compare --bisect --revisions 1024 --effect 4 plain
	[ "$output" = "$said" ]
	expect 0 compare --threshold wall=10% stored
	holds "$output" "EQUIVALENT (within 10 %)"
	for number in nan -1 1e999 x; do
		ab_runs odd 20 0.03 0.005 "revisions=$number" "effect=$number"
		expect 1 compare odd
		holds "$output" "REGRESSED (>1 %)"
	done
}

@test "compare: with operations a difference in the table is of one operation, as the values beside it" {
	cat >r <<'RUNS'
{"perfmini_runs":1,"kind":"ab","version":"0","seed":7,"plan":["ops=1000"],"settings":[],"arms":[{"name":"A","command":["./old"]},{"name":"B","command":["./new"]}],"events":[{"name":"task-clock","unit":"msec","scale":1e-06,"group":0},{"name":"context-switches","scale":1,"group":0}],"printed":[]}
RUNS
	for ((i = 0; i < 8; i++)); do
		printf '{"arm":0,"block":%d,"position":0,"wall_ns":1000000,"user_ns":0,"counts":[[0,9,9],[0,9,9]]}\n' "$i"
		printf '{"arm":1,"block":%d,"position":1,"wall_ns":1000000,"user_ns":5000000,"counts":[[3000000,9,9],[40,9,9]]}\n' "$i"
	done >>r
	echo '{"end":true,"runs":16}' >>r
	expect 0 compare r
	# 5 ms, 3 msec and 40 switches of 1000 operations.
	grep -qE '^user .* \+5\.000 us \[\+5\.000, \+5\.000\]' <<<"$output"
	grep -qE '^task-clock .* \+3\.000 us \[\+3\.000, \+3\.000\]' <<<"$output"
	grep -qE '^context-switches .* \+0\.0400 \[\+0\.0400, \+0\.0400\]' <<<"$output"
}

# parts EFFECT…: part-1, part-2 … of one experiment, each on a machine of its own; the last on an old CPU.
parts() {
	local part=0 machine
	for effect; do
		part=$((part + 1))
		machine=new$part
		[ $part -lt $# ] || machine=old
		machine=$machine ab_runs part-$part 10 "$effect" 0.002 share=$part/$# experiment-seed=42 machine-id=$part
	done
}

@test "compare: parts of one experiment are merged, a row for each machine and CPU" {
	parts -0.05 -0.052 -0.047 -0.051 0.03
	expect 0 compare part-*
	holds "$output" "NOT WORSE"
	holds "$output" "5 machines, 50 blocks, seed 42"
	holds "$output" "B is better on 4 of 5 machines, worse on 1 (old)"
	holds "$output" "On a machine that was not tried: between"
	holds "$output" "worse on others"
	[ "$(grep -c '^  \(new.\|old\) .* Zen [24] .* 10 ' <<<"$output")" -eq 5 ]
	[ "$(grep -c '^  Zen ' <<<"$output")" -eq 2 ]
	expect 0 compare part-[1-4]
	holds "$output" "IMPROVED"
	holds "$output" "1 of 5 parts are not here: 5"
}

@test "compare: a directory of parts, in every format" {
	parts 0.05 0.052 0.047 0.051
	mkdir -p many/part-{1..4}
	for i in 1 2 3 4; do cp part-$i many/part-$i/ab.runs; done
	expect 1 compare many
	holds "$output" "REGRESSED"
	expect 1 compare -f json many
	[ "$(jq -c '[.seed, .blocks, (.machines | length), .exit_status]' <<<"$output")" = '["42",40,4,1]' ]
	[ "$(jq -c '.comparisons[] | select(.metric == "wall").machines | [.better, .worse, (.rows | length)]' <<<"$output")" = '[0,4,4]' ]
	for format in mail markdown html csv; do
		expect 1 compare -f $format many
		[ $format = csv ] || holds "$output" "worse on 4"
	done
}

@test "compare: what cannot be merged is refused, by name" {
	parts 0.05 0.05 0.05
	expect 2 compare part-1 part-2 part-1
	holds "$stderr" "part-1 and part-1 are the same part 1 of 3"
	machine=new2 ab_runs other 10 0 0.002 share=2/3 experiment-seed=43 machine-id=2
	expect 2 compare part-1 other
	holds "$stderr" "other is of another experiment than part-1: its seed is another one"
	sed 's/".\/new"/".\/newer"/' part-2 >other
	expect 2 compare part-1 other
	holds "$stderr" "it ran other commands"
	sed 's/"name":"cycles"/"name":"instructions"/' part-2 >other
	expect 2 compare part-1 other
	holds "$stderr" "it counted other events"
	machine=new1 ab_runs other 10 0 0.002 share=2/3 experiment-seed=42 machine-id=77
	expect 2 compare part-1 other
	holds "$stderr" "its machine is called 'new1', as another machine is"
	machine=new2 ab_runs other 10 0 0.002
	expect 2 compare part-1 other
	holds "$stderr" "other is no part of an experiment over machines"
	machine=new2 ab_runs other 10 0 0.002 share=4/3 experiment-seed=42
	expect 4 compare part-1 other
	holds "$stderr" "its share '4/3' is not I/N"
	for share in -18446744073709551615/1 ' 2/3' +2/3 2/3x 2/18446744073709551616; do
		machine=new2 ab_runs other 10 0 0.002 "share=$share" experiment-seed=42 machine-id=2
		expect 4 compare other part-1
		holds "$stderr" "its share '$share' is not I/N"
	done
	machine=new1 ab_runs other 10 0 0.002 share=1/3 experiment-seed=many machine-id=1
	expect 4 compare other part-2
	holds "$stderr" "its seed 'many' is not a whole number"
	# What a file says cannot command the terminal.
	machine=new2 ab_runs other 10 0 0.002 share=ESCAPE2/3 experiment-seed=42
	sed -i 's/ESCAPE/\\u001b[31m/' other
	expect 4 compare other part-1
	holds "$stderr" "its share '\x1b[31m2/3' is not I/N"
	sed 's/"perfmini_runs":1/"perfmini_runs":99/' part-2 >other
	expect 4 compare part-1 other
}

@test "compare: a part cut short counts with its whole blocks; one machine is no sample" {
	parts 0.05 0.05 0.05
	head -n 12 part-3 >cut && mv cut part-3
	expect 1 compare part-*
	holds "$stderr" "part-3 ends early"
	holds "$output" "3 machines, 25 blocks"
	head -n 1 part-1 >cut && mv cut part-1
	for i in 2 3; do cp part-1 part-$i && sed -i "s/share=1/share=$i/; s/new1/m$i/; s/machine-id=1/machine-id=$i/" part-$i; done
	expect 4 compare part-*
	holds "$stderr" "no machine has finished a block"
	parts 0.05 0.05
	sed -i 's/"host":"old"/"host":"new1"/; s/Zen 2/Zen 4/; s/machine-id=2/machine-id=1/' part-2
	expect 3 compare part-1 part-2
	holds "$output" "machine: at least 2 are needed"
	holds "$output" "one machine says nothing of others"
}

@test "compare: hours between parts are told, and change nothing" {
	parts 0.05 0.05 0.05 0.05
	expect 1 compare -f csv part-*
	before=$output
	sed -i 's/"wall_ns"/"start_ns":1764576000000000000,"wall_ns"/' part-1 part-2
	sed -i 's/"wall_ns"/"start_ns":1764583200000000000,"wall_ns"/' part-3 part-4
	expect 1 compare -f csv part-*
	[ "$output" = "$before" ]
	expect 1 compare part-*
	holds "$output" "parts began 2.0 hours apart"
}
