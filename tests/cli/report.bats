load lib

# A recording of a shell loop by the installed perf; the test is skipped where there is none.
record() {
	command -v perf >/dev/null || skip "no perf"
	perf record -q -e cpu-clock -F 2000 -o "$1" "${@:2}" -- \
		sh -c 'i=0; while [ $i -lt 60000 ]; do i=$((i+1)); done; ls -R /usr/lib >/dev/null' 2>/dev/null ||
		skip "perf cannot record here"
}

# perf has no names for the entries of .plt.sec, which are named here.
plain() {
	sed 's/ *$//; s/  */ /g' | grep -vE '@plt$|\[\.\] 0x[0-9a-f]+$'
}

rows() {
	grep -E '^ +[0-9.]+%' | plain | sort
}

@test "report: rows and shares equal perf's" {
	record flat.data
	perf report --stdio -i flat.data 2>/dev/null | rows >theirs
	[ -s theirs ]
	expect 0 report -i flat.data
	rows <<<"$output" >ours
	diff theirs ours
}

@test "report: the head equals perf's" {
	record flat.data
	perf report --stdio -n --show-total-period -i flat.data 2>/dev/null | grep '^#' | grep -v Tip | head -9 >theirs
	expect 0 report -i flat.data -n --show-total-period
	grep '^#' <<<"$output" | head -7 | diff <(head -7 theirs) -
}

@test "report: call graphs equal perf's, line by line" {
	record chains.data -g
	perf report --stdio --no-inline --no-children -i chains.data 2>/dev/null | grep -v '^#' | plain | grep . >theirs
	[ -s theirs ]
	expect 0 report -i chains.data --no-inline --no-children
	grep -v '^#' <<<"$output" | plain | grep . >ours
	# Branches of equal share may stand in another order, and lines beside the last one of them end earlier.
	diff <(tr -d '| ' <theirs | grep . | sort) <(tr -d '| ' <ours | grep . | sort)
}

@test "report: children shares equal perf's" {
	record chains.data -g
	perf report --stdio --no-inline --children -g none -i chains.data 2>/dev/null | rows | grep -v unknown >theirs
	expect 0 report -i chains.data --no-inline -g none
	rows <<<"$output" | grep -v unknown >ours
	# perf keeps the old program's mappings after exec: its caller of execve may be gone for us.
	diff <(grep -v -e ' 0x0' -e execve theirs) <(grep -v -e ' 0x0' -e execve ours)
}

@test "report: a recording from standard input is the same" {
	record flat.data
	expect 0 report -i flat.data
	local from_file=$output
	run --separate-stderr bash -c "'$PERFMINI' report -i - <flat.data"
	[ "$status" -eq 0 ]
	[ "$output" = "$from_file" ]
}

@test "report: samples in CSV and JSON add up to perf's count" {
	record flat.data
	local samples
	samples=$(perf script -i flat.data -F ip 2>/dev/null | grep -c .)
	expect 0 report -i flat.data --csv
	[ "$(awk -F, 'NR > 1 { n += $4 } END { print n }' <<<"$output")" = "$samples" ]
	expect 0 report -i flat.data --json
	holds "$output" "\"samples\": $samples"
}

@test "report: a filter leaves the shares, relative ones add up to 100" {
	record flat.data
	expect 0 report -i flat.data -c sh --percentage relative --csv
	awk -F, 'NR > 1 { n += $3 } END { exit !(n > 99.9 && n < 100.1) }' <<<"$output"
	expect 0 report -i flat.data -S no_such_function
	[ -z "$(rows <<<"$output")" ]
}

@test "report: kprof's form has three totals and a table" {
	record flat.data
	expect 0 report -i flat.data --kprof
	holds "$output" "in kernel text: "
	holds "$output" "	  %	sym"
}

@test "report: what is no recording is named, with status 1" {
	printf 'no recording at all, but long enough to hold a header of one hundred and four bytes, which this text now has' >text
	expect 1 report -i text
	holds "$stderr" "text"
	: >empty
	expect 1 report -i empty
	holds "$stderr" "empty"
	expect 1 report -i missing
	holds "$stderr" "missing"
	mkdir directory
	expect 1 report -i directory
	holds "$stderr" "directory"
}

@test "report: a FIFO that nobody writes is refused at once" {
	mkfifo fifo
	run --separate-stderr timeout 5 "$PERFMINI" report -i fifo
	[ "$status" -eq 1 ]
}

@test "report: a cut recording is an error, and readable with --force" {
	record flat.data
	head -c $(($(stat -c %s flat.data) * 3 / 4)) flat.data >cut.data
	run --separate-stderr "$PERFMINI" report -i cut.data
	[ "$status" -ne 0 ] || [ -n "$stderr" ]
	expect 0 report --force -i cut.data
	holds "$output" "# Samples: "
}

@test "report: a command's name cannot command the terminal" {
	command -v perf >/dev/null || skip "no perf"
	cp /bin/true "$(printf 'x\033[31m')"
	perf record -q -e cpu-clock -F 20000 -o odd.data -- "./$(printf 'x\033[31m')" 2>/dev/null || skip "perf cannot record here"
	expect 0 report -i odd.data
	[[ $output != *$'\033'* ]]
}

@test "report: a wrong key, list or percentage is a usage error with a hint" {
	expect 129 report -s symbl
	holds "$stderr" "did you mean symbol?"
	expect 129 report --pid x
	expect 129 report --percentage some
	expect 129 report -g wrong
}

@test "report: without build ids the running kernel names what it recorded itself, and nothing else" {
	awk '$3 == "_text" { exit $1 ~ /^0*$/ }' /proc/kallsyms || skip "the kernel hides its addresses"
	"$PERFMINI" record -q -B -N -e cpu-clock:k -F 2000 -o here.data ls -R /usr/lib >/dev/null
	expect 0 report --stdio -F sym -i here.data
	holds "$output" '[k] '
	[ "$(grep -c '\[k\] 0x' <<<"$output")" -lt "$(grep -c '\[k\] [a-z_]' <<<"$output")" ]
	expect 0 report --header-only -i here.data
	local host
	host=$(sed -n 's/^# hostname : //p' <<<"$output")
	[ -n "$host" ]
	# The same recording, of a host of another name as long.
	LC_ALL=C sed "s/$host\x00/$(tr -c '\0' X <<<"$host" | head -c ${#host})\x00/g" here.data >there.data
	cmp here.data there.data && false
	expect 0 report --stdio -F sym -i there.data
	holds "$output" '[k] 0x'
	! grep -q '\[k\] [a-z_]' <<<"$output" || false
}

@test "report: the page holds the graph and every row, is whole, and asks for nothing" {
	"$PERFMINI" record -q -g -e cpu-clock -F 1000 -o page.data -- "$PERFMINI" workload calls 200 >record.log 2>&1 ||
		skip "cannot record here"
	expect 0 report --html -i page.data
	echo "$output" >page.html
	expect 0 report --csv -i page.data
	# Names of all rows above the limit.
	for name in hot warm cool arithmetic; do grep -q "<td class=\"n\">\[.\] $name" page.html; done
	[ "$(grep -c '<svg class="flame"' page.html)" -eq 1 ]
	[ "$(grep -o '<tr>' page.html | wc -l)" -eq "$(grep -o '</tr>' page.html | wc -l)" ]
	# Nothing is fetched: no address but the name space of SVG.
	[ "$(grep -oE '(https?:)?//[a-z][^" <]*' page.html | grep -v 'http://www.w3.org/2000/svg' | wc -l)" -eq 0 ]
	run ! grep -qE '<(link|img|iframe|script[^>]*src)' page.html
	tail -n 1 page.html | grep -q '</html>'
}
