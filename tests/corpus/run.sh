#!/bin/sh
# Read every collected recording and compare with what others found in it; then damage each and read it again.
# usage: run.sh PERFMINI CORPUS     FLIPS=n: flipped bytes a file (2000; of files over 64 KiB a twentieth)
perfmini=$1 corpus=$2
here=$(cd "$(dirname "$0")" && pwd)
build=$(dirname "$perfmini")
status=0

[ -f "$corpus/MANIFEST.tsv" ] || { echo 'skipped: check-corpus (name the recordings: CORPUS=DIR)'; exit 0; }

compile() {
	# shellcheck disable=SC2046,SC2086
	${CC:-cc} -std=gnu11 -O1 -g -no-pie -D_GNU_SOURCE $SANITIZE -I"$here/../../src" -I"$here/../.." "$here/$1.c" \
		"$build/libperfmini.a" $(pkg-config --libs libzstd) -o "$build/corpus-$1" || exit 1
}

case $build in *asan*) SANITIZE='-fsanitize=address,undefined -fno-sanitize-recover=all' ;; esac
compile facts
compile damage

# known FILE: why a recording cannot be read
known() {
	case $1 in
	hotspot.perf.data.broken.gz) echo 'not a perf.data file' ;;
	simpleperf.invalid_perf.data) echo 'not a perf.data file' ;;
	quipper.piped.corrupted.zero_size_sample-3.2.data) echo 'fewer than its header' ;;
	esac
}

# expect NAME WHAT FOUND WANTED
expect() {
	[ "$3" = "$4" ] || { echo "$1: $2: $3, wanted $4"; status=1; }
}

# fact NAME: its value in $facts
fact() {
	printf '%s\n' "$facts" | awk -v name="$1" '$1 " " $2 == name { print $3; found = 1; exit } $1 == name { print $2; found = 1; exit }
		END { if (!found) print 0 }'
}

check_manifest() {
	for order in '' -t; do
		# shellcheck disable=SC2086
		facts=$("$build/corpus-facts" $order "$corpus/files/$1" 2>&1)
		error=$(printf '%s\n' "$facts" | sed -n 's/^error //p' | head -1)
		case $error in
		*"$(known "$1")"*) [ -n "$(known "$1")" ] || [ -z "$error" ] || { echo "$1: $error"; status=1; } ;;
		*) echo "$1: $error"; status=1 ;;
		esac
		expect "$1" samples "$(fact 'type SAMPLE')" "$2"
		[ -z "$3" ] || expect "$1" 'lost events' "$(fact lost_events)" "$3"
		[ -z "$4" ] || expect "$1" 'lost samples' "$(fact lost_samples)" "$4"
		[ -z "$5" ] || expect "$1" events "$(printf '%s\n' "$facts" | grep -c '^event ')" "$5"
		expect "$1" 'undeclared ids' "$(fact unknown_ids)" 0
		expect "$1" 'out of order' "$(fact out_of_order)" 0
	done
	files=$((files + 1))
}

# What perf 6.12 counts, where it reads the file as we do.
check_stats() {
	stats=$corpus/expected-perf-6.12/$1.stats
	[ -f "$stats" ] || return
	facts=$("$build/corpus-facts" "$corpus/files/$1")
	for type in MMAP COMM EXIT FORK SAMPLE MMAP2 LOST THROTTLE NAMESPACES; do
		wanted=$(awk -v type="$type" '/^$/ { if (seen) exit } $1 == type { print $3; exit } $1 == "TOTAL" { seen = 1 }' "$stats")
		[ -z "$wanted" ] || expect "$1" "$type by perf" "$(fact "type $type")" "$wanted"
	done
}

# The source project's own golden files. Its mappings are merged, so they are not compared.
check_quipper() {
	[ -f "$corpus/files/$1" ] && [ -n "$3" ] || return
	facts=$("$build/corpus-facts" "$corpus/files/$1")
	for type in SAMPLE COMM FORK EXIT LOST_SAMPLES; do
		wanted=$(printf %s "$3" | sed -n "s/.*\"$type\": \([0-9]*\).*/\1/p")
		[ -z "$wanted" ] || expect "$1" "$type" "$(fact "type $type")" "$wanted"
	done
	expect "$1" branches "$(fact branches)" "$5"
	expect "$1" 'chain entries' "$(fact chain_entries)" "$6"
	expect "$1" 'build ids' "$(printf '%s\n' "$facts" | grep -c '^buildid ')" "$7"
	# It counts a period only where samples carry one.
	[ "$4" = 0 ] || expect "$1" periods "$(fact periods)" "$4"
}

files=0
tail -n +2 "$corpus/MANIFEST.tsv" | awk -F '\t' '{ printf "%s|%s|%s|%s|%s\n", $1, $15, $17, $18, $14 }' >"$build/corpus-list"
while IFS='|' read -r name samples lost lost_samples events; do
	[ -f "$corpus/files/$name" ] || continue
	check_manifest "$name" "$samples" "$lost" "$lost_samples" "$events"
	check_stats "$name"
done <"$build/corpus-list"

tail -n +2 "$corpus/golden/quipper-facts.tsv" | tr '\t' '|' >"$build/corpus-list"
while IFS='|' read -r name _ attrs types periods branches chains ids; do
	check_quipper "$name" "$attrs" "$types" "$periods" "$branches" "$chains" "$ids"
done <"$build/corpus-list"

for file in "$corpus"/files/* "$corpus"/fuzz/*; do
	timeout 300 "$build/corpus-damage" "$file" "${FLIPS:-2000}" >"$build/corpus-damage.out" 2>&1 ||
		{ echo "$(basename "$file"): damaged: status $?"; tail -5 "$build/corpus-damage.out"; status=1; }
done

echo "$files recordings compared, all damaged and read again"
bash "$here/report.sh" "$perfmini" "$corpus" || status=1
bash "$here/folded.sh" "$perfmini" "$corpus" || status=1
exit $status
