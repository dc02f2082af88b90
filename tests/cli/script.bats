load lib

record() {
	command -v perf >/dev/null || skip "no perf"
	perf record -q -e cpu-clock -F 2000 -o "$1" "${@:2}" -- \
		sh -c 'i=0; while [ $i -lt 40000 ]; do i=$((i+1)); done; ls -R /usr/lib >/dev/null' 2>/dev/null ||
		skip "perf cannot record here"
}

# Of several names of one address either is right; perf versions differ in spaces.
plain() {
	sed 's/__pi_//; s/__ia32_/__x64_/; s/__GI_*//; s/ *$//; s/  */ /g'
}

@test "script: lines equal perf's" {
	record flat.data
	perf script -i flat.data 2>/dev/null | plain >theirs
	[ -s theirs ]
	expect 0 script -i flat.data
	plain <<<"$output" >ours
	[ "$(wc -l <ours)" -eq "$(wc -l <theirs)" ]
	# Which jump table entries have a name depends on perf's version.
	paste -d '\n' ours theirs | awk 'NR % 2 { one = $0; next } one ~ /@plt/ || $0 ~ /@plt/ { next }
		one != $0 { print one; print $0; bad = 1 } END { exit bad }'
}

@test "script: chains have perf's addresses" {
	record chains.data -g
	perf script -i chains.data --no-inline -F ip 2>/dev/null | plain | grep . | grep 'ffff' >theirs
	[ -s theirs ]
	expect 0 script -i chains.data --no-inline -F ip
	plain <<<"$output" | grep . | grep 'ffff' | diff theirs -
}

@test "script: folded counts add up to the samples" {
	record chains.data -g
	local samples
	samples=$(perf script -i chains.data -F comm 2>/dev/null | grep -c '[a-z]')
	expect 0 script -i chains.data --folded
	[ "$(awk '{ n += $NF } END { print n }' <<<"$output")" = "$samples" ]
}

@test "script: fields are chosen, added and taken off" {
	record flat.data
	expect 0 script -i flat.data -F comm,ip
	[[ $(head -1 <<<"$output" | wc -w) -eq 2 ]]
	expect 0 script -i flat.data -F -dso,-sym
	[[ $output != *"("* ]]
	expect 129 script -i flat.data -F nonsense
	holds "$stderr" "the fields are"
}

@test "script: mappings and tasks stand among the samples" {
	record flat.data
	expect 0 script -i flat.data --show-mmap-events --show-task-events
	holds "$output" "PERF_RECORD_MMAP2"
	holds "$output" "PERF_RECORD_COMM exec: ls:"
}
