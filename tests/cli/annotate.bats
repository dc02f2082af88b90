load lib

# A program whose hot function has a loop, a branch and an inlined body; and a recording of it.
program() {
	mkdir -p src && cat >src/prog.c <<-'END'
		#include <stdio.h>
		#include <stdlib.h>

		static inline unsigned long mix(unsigned long x)
		{
			x ^= x >> 33;
			x *= 0xff51afd7ed558ccdUL;
			return x ^ (x >> 33); /* "\n" */
		}

		__attribute__((noinline)) unsigned long burn(unsigned long n)
		{
			unsigned long sum = 0;

			for (unsigned long i = 0; i < n; i++) {
				if (i & 1)
					sum += mix(i);
				else
					sum ^= i / 7;
			}
			return sum;
		}

		int main(int argc, char **argv)
		{
			printf("%lu\n", burn(argc > 1 ? strtoul(argv[1], NULL, 0) : 60000000));
			return 0;
		}
	END
	gcc -O2 -g -o prog "$PWD/src/prog.c" "$@"
}

record() {
	program
	"$PERFMINI" record -o "$1" -e "${2:-cpu-clock}" -F 2000 ./prog >record.log 2>&1 || skip "cannot record here"
}

instructions() {
	grep -E '^ +[0-9.]+ .*: +[0-9a-f]+:' | sed 's/ *$//'
}

@test "annotate: shares, addresses and instructions equal perf's" {
	command -v perf >/dev/null || skip "no perf"
	record a.data
	perf annotate --stdio --stdio-color never -i a.data burn 2>/dev/null | instructions >theirs
	[ -s theirs ]
	expect 0 annotate -i a.data --no-jumps burn
	instructions <<<"$output" | diff theirs -
}

@test "annotate: several events are columns, equal to perf's of a group" {
	command -v perf >/dev/null || skip "no perf"
	record a.data cpu-clock,task-clock
	perf annotate --stdio --stdio-color never --group -i a.data burn 2>/dev/null | instructions >theirs
	[ -s theirs ]
	expect 0 annotate -i a.data --no-jumps burn
	instructions <<<"$output" | diff theirs -
	holds "$output" "for cpu-clock, task-clock ("
}

@test "annotate: percent types equal perf's" {
	command -v perf >/dev/null || skip "no perf"
	record a.data
	# perf 6.1 takes "global" to be the symbol, and its global-hits are 0: those are checked by arithmetic below.
	for type in local-hits local-period; do
		perf annotate --stdio --stdio-color never --percent-type $type -i a.data 2>/dev/null |
			sed -n '/ <burn>:$/,/^ Percent/p' | instructions >theirs
		[ -s theirs ]
		expect 0 annotate -i a.data --no-jumps --percent-type $type burn
		instructions <<<"$output" | diff theirs -
		holds "$output" "percent: ${type/-/ })"
	done
	expect 0 annotate -i a.data --no-jumps --percent-type global-hits burn
	holds "$output" "percent: global hits)"
	shown=$(instructions <<<"$output" | awk '{ sum += $1 } END { print sum }')
	expect 0 annotate -i a.data --json burn
	jq --argjson shown "$shown" -e '.[0].events[0] | 100 * .samples / .all_samples - $shown | fabs < 0.3' <<<"$output"
	expect 129 annotate -i a.data --percent-type most burn
	holds "$stderr" "local-period"
}

@test "annotate: lines by cost equal perf's" {
	command -v perf >/dev/null || skip "no perf"
	record a.data
	perf annotate --stdio --stdio-color never -l -i a.data burn 2>/dev/null | grep -E '^ +[0-9.]+ prog.c:[0-9]+$' |
		sort >theirs
	[ -s theirs ]
	expect 0 annotate -i a.data -l burn
	# perf leaves out lines below half a percent.
	grep -E '^ +[0-9.]+ prog.c:[0-9]+$' <<<"$output" | awk '$1 > 0.5' | sort | diff theirs -
}

@test "annotate: the samples of the instructions are those of the function in the report" {
	record a.data
	expect 0 annotate -i a.data --json burn
	annotated=$(jq '[.[0].instructions[].samples[0]] | add' <<<"$output")
	[ "$annotated" -eq "$(jq '.[0].events[0].samples' <<<"$output")" ]
	expect 0 report -i a.data -s sym -n --no-children
	[ "$annotated" -eq "$(awk '$NF == "burn" { print $2 }' <<<"$output")" ]
}

@test "annotate: source lines, inlined bodies and jumps" {
	record a.data
	LC_ALL=C.UTF-8 expect 0 annotate -i a.data -s burn
	holds "$output" "mix(), inlined into burn() at prog.c:17:"
	holds "$output" '8    return x ^ (x >> 33); /* "\n" */'
	grep -qE '─>  +[0-9a-f]+:' <<<"$output"
	LC_ALL=C expect 0 annotate -i a.data burn
	grep -qE -- '->  +[0-9a-f]+:' <<<"$output"
	run ! grep -qP '[^\x00-\x7f]' <<<"$output"
	expect 0 annotate -i a.data --no-source --no-inline burn
	run ! grep -qE 'mix|sum' <<<"$output"
}

@test "annotate: each jump's line ends at its target" {
	record a.data
	expect 0 annotate -i a.data --json burn
	jq -r '.[0].instructions[] | select(.jump) | .jump' <<<"$output" | sort -u >wanted
	[ -s wanted ]
	LC_ALL=C expect 0 annotate -i a.data --no-source --no-inline burn
	sed -nE 's/^.*> +([0-9a-f]+):.*/\1/p' <<<"$output" | while read -r at; do echo $((0x$at)); done | sort -u |
		diff wanted -
}

@test "annotate: Intel's syntax" {
	record a.data
	expect 0 annotate -i a.data -M intel burn
	grep -qE 'xor +rax,rcx|xor +rcx,rax|test +rdi,rdi' <<<"$output" || skip "not x86"
	run ! grep -qE ' %r[a-z]' <<<"$output"
	expect 129 annotate -i a.data -M masm burn
}

@test "annotate: from the build-id cache when the binary is gone; else it says so" {
	record a.data
	expect 0 annotate -i a.data --no-source burn
	before=$(grep -v '^$' <<<"$output")
	export PERFMINI_BUILD_ID_DIR=$PWD/cache
	"$PERFMINI" buildid-cache --add ./prog
	mv prog prog.away
	expect 0 annotate -i a.data --no-source burn
	diff <(echo "$before") <(grep -v '^$' <<<"$output")
	rm -r cache
	expect 1 annotate -i a.data burn
	grep -qE 'no sample is in a function|gone' <<<"$stderr"
	holds "$stderr" "hint: "
}

@test "annotate: stripped, without source, source changed later" {
	record a.data
	mv src/prog.c src/moved.c
	expect 0 annotate -i a.data burn
	holds "$output" "prog.c:17"
	holds "$stderr" "prog.c is not there"
	mkdir -p "other$PWD/src" && cp src/moved.c "other$PWD/src/prog.c"
	expect 0 annotate -i a.data --prefix other burn
	holds "$output" "sum += mix(i);"
	touch -d '+1 hour' "other$PWD/src/prog.c"
	expect 0 annotate -i a.data --prefix other burn
	holds "$stderr" "was written after the recording"
}

@test "annotate: a name that is not there, near ones, and all functions" {
	record a.data
	expect 1 annotate -i a.data brun
	holds "$stderr" "did you mean 'burn'?"
	expect 0 annotate -i a.data -d prog
	holds "$output" "<burn>:"
	expect 1 annotate -i a.data -d nothing.so
	holds "$stderr" "no sample is in a function of these objects"
}

@test "annotate: starts no other program" {
	record a.data
	under_strace -f -e trace=execve -o trace "$PERFMINI" annotate -i a.data burn >/dev/null
	[ "$(grep -c execve trace)" -eq 1 ]
}

# Two builds of the program, recorded: the second divides another number.
record_builds() {
	record a.data
	mkdir -p old && mv prog old/
	sed -i 's|i / 7|(i * 3 + 5) / 11|' src/prog.c
	gcc -O2 -g -o prog "$PWD/src/prog.c"
	"$PERFMINI" record -o b.data -e cpu-clock -F 2000 ./prog >record.log 2>&1
	mkdir -p new && mv prog new/
	export PERFMINI_BUILD_ID_DIR=$PWD/cache
	"$PERFMINI" buildid-cache --add old/prog
	"$PERFMINI" buildid-cache --add new/prog
}

addresses() {
	objdump -d --no-show-raw-insn "$1" | sed -n "/<burn>:$/,/^$/s/^ *\([0-9a-f]*\):.*/\1/p"
}

@test "annotate --diff: both disassemblies are there, whole and in order" {
	command -v objdump >/dev/null || skip "no objdump"
	record_builds
	expect 0 annotate --diff a.data b.data --json burn
	for side in a b; do
		jq -r ".[0].rows[].$side | select(.) | .address" <<<"$output" | while read -r at; do printf '%x\n' "$at"; done >ours
		addresses "$([ $side = a ] && echo old || echo new)/prog" | diff - ours
	done
	jq -e '[.[0].rows[] | select(.kind == "same")] | length > 5' <<<"$output"
	jq -e '[.[0].rows[] | select(.kind == "same") | select((.a.text | split(" ")[0]) != (.b.text | split(" ")[0]))] == []' <<<"$output"
	jq -e '[.[0].rows[] | select(.kind == "removed") | .b] | all(. == null)' <<<"$output"
	jq -e '[.[0].rows[] | select(.kind == "added" or .kind == "removed")] | length > 0' <<<"$output"
}

@test "annotate --diff: costs add up to what diff says of the function" {
	record_builds
	expect 0 annotate --diff a.data b.data --json burn
	jq '[.[0].rows[] | .a.cost.events // 0] | add' <<<"$output" >ours
	jq '[.[0].rows[] | .b.cost.events // 0] | add' <<<"$output" >>ours
	expect 0 diff --json a.data b.data
	jq '.[0].rows[] | select(.a_functions[0].name == "burn") | .a, .b' <<<"$output" >theirs
	diff theirs ours
}

@test "annotate --diff: one build against itself has no changed instruction" {
	record a.data cpu-clock:u
	"$PERFMINI" record -o b.data -e cpu-clock:u -F 2000 ./prog >record.log 2>&1
	expect 0 annotate --diff a.data b.data --json burn
	jq -e '[.[0].rows[].kind] | unique == ["same"]' <<<"$output"
	expect 0 annotate --diff a.data b.data
	holds "$output" "0 changed (~), 0 removed (-), 0 added (+)"
	holds "$output" "burn in "
	expect 129 annotate --diff a.data
	holds "$stderr" "two recordings"
	expect 1 annotate --diff a.data b.data nothing
	holds "$stderr" "is in function nothing"
}
