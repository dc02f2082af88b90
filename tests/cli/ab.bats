load lib

# A program of known length: counts to $1 and prints $2.
spin() {
	cat >"$1" <<-'SCRIPT'
	#!/bin/sh
	exit "${1:-0}"
	SCRIPT
	chmod +x "$1"
}

@test "ab: the same command twice is measured, kept, and compared alike from the file, to the byte" {
	expect 3 ab -q --blocks 5 --seed 9 true true
	holds "$output" "INSUFFICIENT"
	holds "$output" "5 blocks, seed 9"
	holds "$output" "task-clock"
	printf '%s\n' "$output" >live
	expect 3 compare ab.runs
	printf '%s\n' "$output" | cmp live -
	[ "$(wc -l <ab.runs)" -eq 12 ]
}

@test "ab: a slower command is found, by name, status 1" {
	expect 1 ab -q --blocks 8 -n fast -n slow 'sleep 0.01' 'sleep 0.2'
	holds "$output" "slow takes"
	holds "$output" "the time of fast"
	expect 0 ab -q --blocks 8 'sleep 0.2' 'sleep 0.01'
	holds "$output" "IMPROVED"
}

@test "ab: one command, equal names, bad commands are refused, status 2" {
	expect 2 ab true
	holds "$stderr" "one command: there is nothing to compare"
	expect 2 ab
	expect 2 ab -n x -n x true true
	holds "$stderr" "two commands are named 'x'"
	expect 2 ab "true 'open" true
	holds "$stderr" "quote is left open"
	expect 2 ab --gate walk true true
	holds "$stderr" "no metric 'walk'"
	expect 2 ab --threshold wall=0% true true
	expect 2 ab --until soon true true
	expect 2 ab --metric x true true
	expect 2 ab --prepare a --prepare b --prepare c true true
	[ ! -e ab.runs ]
	expect 255 ab --bisect true
}

@test "ab: a program that is not there, status 4; 125 under --bisect" {
	expect 4 ab -q true /nonexistent/program
	holds "$stderr" "B: "
	expect 125 ab -q --bisect true /nonexistent/program
}

@test "ab: a command that fails always, status 4, with its words" {
	expect 4 ab -q --blocks 10 true "sh -c 'echo broken pipe dream >&2; exit 3'"
	holds "$stderr" "of 2 blocks are void"
	holds "$stderr" "B: exit status 3: broken pipe dream"
	expect 125 ab -q --bisect --blocks 10 true false
}

@test "ab: a command that fails once in five is too unreliable, status 4" {
	cat >flaky <<-'SCRIPT'
	#!/bin/sh
	n=$(cat count 2>/dev/null || echo 0)
	echo $((n + 1)) >count
	[ $((n % 5)) -ne 4 ]
	SCRIPT
	chmod +x flaky
	expect 4 ab -q --blocks 20 true ./flaky
	holds "$stderr" "blocks are void, more than a tenth: B: exit status 1"
	rm count
	expect 3 ab -q --blocks 5 --ignore-failure true ./flaky
}

@test "ab: a command that hangs is killed and named" {
	expect 4 ab -q --blocks 10 --timeout 0.1 true 'sleep 20'
	holds "$stderr" "B: over --timeout"
}

@test "ab: 1 GB of output is read to the end" {
	expect 3 ab -q --blocks 1 -w 0 true 'head -c 1000000000 /dev/zero'
	holds "$output" "B prints something else than A"
}

@test "ab: output that differs is said before any number; --same-output makes it an error" {
	expect 3 ab -q --blocks 3 'echo one' 'echo two'
	[[ "${output%%metric*}" = *"prints something else"* ]]
	expect 4 ab -q --blocks 3 --same-output 'echo one' 'echo two'
	holds "$stderr" "output differs"
	expect 3 ab -q --blocks 3 --same-output 'echo one' 'echo one'
}

@test "ab: a program that changes itself is another program: status 4" {
	cat >grows <<-'SCRIPT'
	#!/bin/sh
	echo '#' >>"$0"
	SCRIPT
	chmod +x grows
	expect 4 ab -q --blocks 5 true ./grows
	holds "$stderr" "changed while it was measured"
}

@test "ab: children left behind are seen and do not hold the experiment" {
	expect 3 ab -q --blocks 3 true "sh -c 'sleep 2 & exit 0'"
	run jq -r 'select(.arm == 1) | .flags // [] | .[]' ab.runs
	holds "$output" "left-children"
}

@test "ab: hooks run around each run, each arm's own" {
	expect 3 ab -q --blocks 2 -w 0 --setup 'echo setup $PERFMINI_ARM >>log' --prepare 'echo prepare >>log' \
		--conclude 'echo conclude >>log' --cleanup 'echo a >>log' --cleanup 'echo b >>log' true true
	[ "$(grep -c setup log)" -eq 2 ]
	[ "$(grep -c prepare log)" -eq 4 ]
	[ "$(grep -c conclude log)" -eq 4 ]
	[ "$(tail -n 2 log | tr '\n' ' ')" = "a b " ]
	expect 4 ab -q --blocks 2 --prepare false true true
	holds "$stderr" "--prepare of A 'false' failed: exit status 1"
}

@test "ab: the stacks of all arms begin alike, block by block" {
	expect 3 ab -q --blocks 3 -w 0 --shell 'printf %s "$PERFMINI_PAD" >>pads; echo >>pads' \
		'printf %s "$PERFMINI_PAD" >>pads; echo >>pads  # longer'
	awk '{ print length }' pads >lengths
	# each block: the shorter command is padded by what the longer has more
	[ "$(awk 'NR % 2 { a = $1; next } { d = a - $1; print d < 0 ? -d : d }' lengths | sort -u)" = 10 ]
	[ "$(sort -u lengths | wc -l)" -gt 3 ]
}

@test "ab: a scan makes one arm a value; a placeholder that is not there is refused" {
	expect 3 ab -q --blocks 2 -L n=1,2,3 -- 'echo {n}'
	holds "$output" "n=1: echo 1"
	holds "$output" "n=3: echo 3"
	expect 2 ab -L m=1,2 -- 'echo {n}'
	holds "$stderr" "holds no {m}"
}

@test "ab: numbers that commands print are metrics, higher may be better" {
	expect 1 ab -q --blocks 8 --metric 'rps=/rps: ([0-9.]+)/;good=higher' --gate rps 'echo rps: 100' 'echo rps: 50'
	holds "$output" "the rate of A"
	expect 0 ab -q --blocks 8 --metric 'rps=/rps: ([0-9.]+)/;good=higher' --gate rps 'echo rps: 50' 'echo rps: 100'
	expect 4 ab -q --blocks 8 --metric 'rps=/rps: ([0-9.]+)/' --gate rps 'echo none' 'echo none'
}

@test "ab: --control runs a byte copy of A, and removes it" {
	expect 3 ab -q --blocks 2 --control true true
	holds "$output" "A-copy"
	[ -z "$(ls "${TMPDIR:-/tmp}" | grep perfmini-ab-)" ]
}

@test "ab: --background makes two conditions" {
	expect 3 ab -q --blocks 2 --background 'while :; do :; done' true true
	holds "$output" "condition: quiet"
	holds "$output" "condition: pressure"
	expect 4 ab -q --blocks 2 --background 'exit 7' true true
	holds "$stderr" "exit status 7"
}

@test "ab: Ctrl-C keeps whole blocks, and --resume goes on" {
	"$PERFMINI" ab -q --blocks 12 --seed 5 'sleep 0.05' 'sleep 0.05' >out 2>err &
	sleep 0.7
	kill -INT $!
	run wait $!
	holds "$(cat err)" "go on with --resume"
	lines=$(wc -l <ab.runs)
	[ "$lines" -ge 3 ] && [ "$lines" -lt 25 ]
	head -n 3 ab.runs >before
	expect 2 ab -q --resume true true
	holds "$stderr" "other commands"
	run --separate-stderr "$PERFMINI" ab -q --resume --blocks 12 'sleep 0.05' 'sleep 0.05'
	[ "$(wc -l <ab.runs)" -eq 26 ]
	head -n 3 ab.runs | cmp before -
	holds "$output" "12 blocks, seed 5"
}

@test "ab: a runs file on a full disk ends the experiment, and what was there stays" {
	mkdir small
	mount -t tmpfs -o size=4k none small || skip "no right to mount"
	run --separate-stderr "$PERFMINI" ab -q --blocks 60 --save small/x true true
	umount small
	[ "$status" -eq 4 ]
	holds "$stderr" "No space left on device"
}

@test "ab: a command that suddenly writes more than a pipe holds is read all the same" {
	echo 0 >n
	printf '#!/bin/sh\nn=$(($(cat n) + 1)); echo $n >n; [ $n -lt 9 ] || head -c 3000000 /dev/zero\n' >grows
	chmod +x grows
	run timeout 60 "$PERFMINI" ab -q --blocks 8 ./grows ./grows
	[ "$status" -eq 0 ] || [ "$status" -eq 1 ] || [ "$status" -eq 3 ]
	holds "$output" "prints something else from run to run"
}

@test "ab: a bundle holds runs, programs, environment and script, and is compared by its directory" {
	expect 3 ab -q --blocks 2 -o bundle true true
	[ -x bundle/repeat.sh ] && [ -s bundle/environment ] && [ -x bundle/programs/0-true ]
	expect 3 compare bundle
	holds "$output" "2 blocks"
}

@test "ab: --record says which function the difference lies in, and compare and diff do so elsewhere" {
	cp "$PERFMINI" prog
	export HOME=$BATS_TEST_TMPDIR
	run --separate-stderr "$PERFMINI" ab -q --blocks 6 --record -o bundle -n few -n many \
		'./prog workload spin 2000000' './prog workload spin 20000000'
	local judged=$status # whatever the machine allows
	holds "$output" "functions of many against few: "
	holds "$output" " * spin"
	holds "$output" "explains +"
	printf '%s\n' "$output" >report
	[ -s bundle/profiles/few/000.data ] && [ -s bundle/profiles/many/005.data ]
	# As on another machine: the program is gone, and so is every cache but the bundle's.
	rm -rf prog bundle/programs .debug
	expect "$judged" compare bundle
	printf '%s\n' "$output" | cmp - report
	expect 0 diff bundle
	holds "$output" "6 recordings of many"
	holds "$output" "spin_loop"
	expect "$judged" compare --format json bundle
	printf '%s\n' "$output" | jq -e '.functions[0] | .arm == "many" and .counted_metric == "task-clock" and
		.counted_difference > 0 and (.diff.rows[0] | tostring | contains("spin_loop"))'
}

@test "ab: what --record is not given with, and a bundle without recordings" {
	expect 2 ab --record --save x true true
	holds "$stderr" "choose one"
	expect 2 ab --record-every 2 true true
	expect 3 ab -q --blocks 2 -o bundle true true
	expect 1 diff bundle
	holds "$stderr" "holds no recordings"
}

@test "ab: recordings of void blocks and of runs that fail are not used" {
	expect 4 ab -q --blocks 4 --record -o bundle false true
	[ -z "$(ls bundle/profiles/A)" ]
	echo 0 >n
	# Each block takes four runs after the two of the warm-up; the recorded run of B in the first block fails.
	printf '#!/bin/sh\nn=$(($(cat n) + 1)); echo $n >n; [ $n -ne 6 ] && [ $n -ne 5 ]\n' >once
	chmod +x once
	expect 3 ab -q --blocks 3 --record -o bundle ./once ./once
	holds "$stderr" "2 recorded runs failed"
	[ "$(ls bundle/profiles/A bundle/profiles/B | grep -c data)" -eq 4 ]
	# The fifth and sixth run, the recorded ones of the first block, hang.
	echo 0 >n
	printf '#!/bin/sh\nn=$(($(cat n) + 1)); echo $n >n; [ $n -lt 5 ] || [ $n -gt 6 ] || exec sleep 60\n' >hangs
	chmod +x hangs
	expect 3 ab -q --blocks 2 --timeout 5 --record -o bundle ./hangs ./hangs
	holds "$stderr" "2 recorded runs failed"
	[ "$(ls bundle/profiles/A bundle/profiles/B | grep -c data)" -eq 2 ]
}

# A repository of six commits of a program that says how much it works; from the fourth on it is more.
# Times would depend on how busy the machine of the test is.
WORK=(--metric 'work=/work ([0-9]+)/' --gate work)
repository() {
	git init -q repo
	cd repo || return 1
	git config user.email t@example.org
	git config user.name t
	local i
	for i in 1 2 3 4 5 6; do
		printf '#!/bin/sh\n# %s\necho work %s\n' "$i" "$((i < 4 ? 100 : 103))" >bench
		chmod +x bench
		git add bench
		git commit -q -m "change $i"
		git tag "v$i"
	done
}

@test "ab: git bisect run ends at the right commit" {
	repository
	git show v1:bench >../good
	chmod +x ../good
	git bisect start v6 v1 >/dev/null
	run git bisect run "$PERFMINI" ab -q --bisect --blocks 8 --save ../ab.runs "${WORK[@]}" ../good ./bench
	[ "$status" -eq 0 ]
	holds "$output" "$(git rev-parse v4) is the first bad commit"
}

@test "ab: --git builds both commits once, and runs the command in each" {
	repository
	expect 1 ab -q --blocks 8 --save ../ab.runs "${WORK[@]}" --git v3..v4 --build 'cp bench built; echo x >>../../../../builds' -- ./built
	holds "$output" "REGRESSED"
	[ "$(wc -l <../builds)" -eq 2 ]
	expect 1 ab -q --blocks 8 --save ../ab.runs "${WORK[@]}" --git v3..v4 --build 'cp bench built; echo x >>../../../../builds' -- ./built
	[ "$(wc -l <../builds)" -eq 2 ]
	[ -z "$(git status --porcelain)" ]
}

@test "ab: --patch compares HEAD with the patch on it" {
	repository
	git diff v4 v3 >../faster.patch
	expect 4 ab -q --blocks 8 --patch ../faster.patch -- ./bench
	holds "$stderr" "does not apply"
	git checkout -q v4
	expect 0 ab -q --blocks 8 --save ../ab.runs "${WORK[@]}" --patch ../faster.patch -- ./bench
	holds "$output" "IMPROVED"
}

@test "ab: a dirty tree, an unknown commit, a commit that does not build" {
	repository
	expect 2 ab --git v3..nowhere -- ./bench
	holds "$stderr" "'nowhere' is no commit"
	expect 2 ab --git v3..v3 -- ./bench
	holds "$stderr" "the same commit"
	expect 4 ab -q --git v3..v4 --build 'exit 3' -- ./bench
	holds "$stderr" "build of"
	expect 125 ab -q --bisect --git v3..v4 --build 'exit 3' -- ./bench
	echo '# changed' >>bench
	expect 2 ab --git v3..v4 -- ./bench
	holds "$stderr" "not committed"
	cd ..
	expect 2 ab --git v3..v4 -- ./bench
	holds "$stderr" "inside a git repository only"
}

@test "ab: comparing the same builds again is told, also by the file" {
	expect 3 ab -q --blocks 1 true false -i
	[[ $output != *"this is comparison"* ]] || false
	expect 3 ab -q --blocks 1 false true -i
	holds "$output" "this is comparison 2 of these two builds today"
	expect 3 compare ab.runs
	holds "$output" "this is comparison 2 of these two builds today"
	expect 3 ab -q --blocks 1 false 'true with' -i
	[[ $output != *"this is comparison"* ]] || false
	grep -qE '^[0-9-]{10} [0-9a-f]+-[0-9a-f]{16} [0-9a-f]+-[0-9a-f]{16}$' state/perfmini/comparisons
}

@test "ab: --order abba reverses every second block, and takes pairs of blocks" {
	expect 3 ab -q --order abba --blocks 4 --seed 2 true false -i
	for unit in 0 2; do
		grep -oE "\"arm\":[01],\"block\":$unit(,\"position\":1)?" ab.runs | cut -c7 | tr -d '\n' >one
		grep -oE "\"arm\":[01],\"block\":$((unit + 1))(,\"position\":1)?" ab.runs | cut -c7 | tr -d '\n' | rev | cmp one -
		[ "$(wc -c <one)" -eq 2 ]
	done
	expect 2 ab -q --order abba --blocks 5 true false
	expect 2 ab -q --order abba --until decided true false
	expect 2 ab -q --order backwards true false
}

@test "ab: a terminal shows the block, the estimate so far and the time left, and no verdict" {
	command -v tmux >/dev/null || skip "no tmux"
	tmux -S socket -f /dev/null new-session -d -x 100 -y 10 "'$PERFMINI' ab --anytime -b 40 'sleep 0.1' 'sleep 0.12' >report.txt"
	for ((i = 0; i < 200; i++)); do
		tmux -S socket capture-pane -p >screen.txt || break
		! grep -q 'at any time' screen.txt || break
		sleep 0.1
	done
	tmux -S socket kill-server || :
	grep -qE '^block [0-9]+ of 40 +wall B/A so far about 1[0-9.]+x \[[01][0-9.]+, 1[0-9.]+\] at any time +[0-9]+ s left' screen.txt
	! grep -qE 'REGRESSED|EQUIVALENT|WORSE' screen.txt || false
}

@test "ab: what --bisect is told of revisions and effect is kept with the runs" {
	run "$PERFMINI" ab -q --blocks 6 --bisect --revisions 500 --effect 5 true true
	head -n 1 ab.runs | jq -e '.plan | (index("revisions=500") and index("effect=5"))'
}

@test "ab: parts of an experiment over machines are measured by share, and repeat from the seed" {
	for part in 1 2; do
		expect 0 ab -q --share $part/2 --seed 42 --machine m$part -b 7 -o part-$part true 'true x'
		holds "$stderr" "part $part/2 is in part-$part; perfmini compare judges all parts together"
		[ -z "$output" ]
	done
	[ "$(grep -c '"arm"' part-1/ab.runs)" -eq 6 ] && [ "$(grep -c '"arm"' part-2/ab.runs)" -eq 8 ]
	expect 0 ab -q --share 2/2 --seed 42 --machine other -b 7 --save again.runs true 'true x'
	order() { sed -n 's/^{"arm":\([0-9]*\),"block":\([0-9]*\),"position":\([0-9]*\).*/\1 \2 \3/p' "$1"; }
	[ "$(order part-2/ab.runs)" = "$(order again.runs)" ]
	run "$PERFMINI" compare part-1 part-2
	holds "$output" "2 machines, 7 blocks, seed 42"
	# The control is a copy at another place each time.
	for part in 1 2; do expect 0 ab -q --share $part/2 --seed 42 --machine m$part -b 4 --control -o copy-$part true; done
	run "$PERFMINI" compare copy-1 copy-2
	holds "$output" "2 machines, 4 blocks, seed 42"
	expect 0 ab -q --share 2/2 --seed 42 --machine m2 -b 7 -o part-2 --resume true 'true x'
	expect 0 ab -q --share 2/2 --seed 42 --machine moved -b 7 -o part-2 --resume true 'true x'
	holds "$stderr" "is begun on moved"
}

@test "ab: shares that make no sense are refused, and programs unlike a file's" {
	for share in 0/3 4/3 1 a/b 1/2/3 -1/3 ''; do
		expect 2 ab --share "$share" --seed 1 true 'true x'
		holds "$stderr" "is not I/N"
	done
	expect 2 ab --share 1/2 true 'true x'
	holds "$stderr" "--share without --seed"
	expect 2 ab --share 1/2 --seed 1 --until decided true 'true x'
	expect 2 ab --per-machine 5 true 'true x'
	expect 2 ab --machines 5 true 'true x'
	expect 2 ab --ship true 'true x'
	expect 2 ab --share 1/2 --seed 1 --per-machine 5 --blocks 5 true 'true x'
	expect 2 ab --share 1/2 --seed 1 --per-machine 18446744073709551615 true 'true x'
	expect 2 ab --share 1/9 --seed 1 --blocks 5 true 'true x'
	holds "$stderr" "leaves none for part 1/9"
	printf '#!/bin/sh\n' >p && chmod +x p
	expect 0 ab -q --share 1/2 --seed 1 -b 4 --save one.runs ./p './p x'
	expect 0 ab -q --share 2/2 --seed 1 -b 4 --save two.runs --like one.runs ./p './p x'
	expect 2 ab -q --share 2/2 --seed 1 -b 4 --save two.runs --like one.runs ./p './p y'
	holds "$stderr" "--like one.runs: this is another experiment: it has other commands"
	echo ': changed' >>p
	expect 2 ab -q --share 2/2 --seed 1 -b 4 --save two.runs --like one.runs ./p './p x'
	holds "$stderr" "a program is another one now"
}

@test "ab: --slurm without Slurm says what to do" {
	run --separate-stderr env PATH=/nowhere "$PERFMINI" ab --slurm '' -o there /bin/true /bin/false
	[ "$status" -eq 4 ]
	holds "$stderr" "Slurm is not installed"
	holds "$stderr" "--share I/N needs no scheduler"
}

@test "ab: --self-test says what noise there is, and is for one command" {
	run --separate-stderr "$PERFMINI" ab -q --self-test -b 8 "$PERFMINI workload burn 3000000"
	[ "$status" -le 3 ]
	holds "$output" "A-copy"
	holds "$output" "this is an A/A run; noise of wall +-"
	holds "$(tr '\n' ' ' <<<"$output")" "metrics differ though"
	expect 2 ab --self-test true false
	holds "$stderr" "--self-test takes one command"
}
