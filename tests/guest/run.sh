#!/bin/bash
# Build perfmini for arm64, boot the guest that has a PMU, and run each NAME.test in it (see README.md).
# NAME.host runs here and boots guests of its own.
# usage: run.sh BUILD [NAME…]     Prints "guest: N passed, N failed, N skipped" last.
set -u
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
host=$(realpath -m "${1:-build/release}")/perfmini
build=$(realpath -m "${1:-build/release}")/arm64
shift
guest=$here/pmu-guest
log=$(mktemp)
trap 'rm -f "$log"' EXIT

# A machine that cannot have the guest skips these tests, and says what it lacks.
leave_out() {
	echo "skipped: check-guest ($1)"
	echo "guest: 0 passed, 0 failed, 1 skipped"
	exit 0
}

cross_build() {
	local environment
	environment=$("$guest" env 2>"$log") || leave_out "no arm64 packages: $(tail -n 1 "$log")"
	(
		eval "$environment"
		unset MAKEFLAGS MFLAGS MAKEOVERRIDES
		make -s -C "$top" -j "$(nproc)" BUILD="$build" CC="$CC" AR="$AR" V=1 "$build/perfmini"
	)
}

# run_here FILE
run_here() {
	local scratch
	echo "== $(basename "$1" .host)"
	scratch=$(mktemp -d)
	export guest build host scratch
	# shellcheck source=/dev/null
	(. "$1")
	rm -rf "$scratch"
}

# run_test FILE: its second line may hold "# guest: OPTIONS".
run_test() {
	local options
	options=$(sed -n 's/^# guest: //p' "$1")
	echo "== $(basename "$1" .test)${options:+ ($options)}"
	# shellcheck disable=SC2086 # several options
	"$guest" run --perf --timeout 200 $options --add "$build/perfmini:/guest/bin/perfmini" --add "$here/lib.sh" --add "$top/events/aliases.tsv" \
		--add "$1:/guest/test.sh" -- sh test.sh 2>&1 || echo "not ok - $(basename "$1"): ended with status $?"
}

"$guest" setup --sysroot --perf 2>"$log" || leave_out "$(tail -n 1 "$log")"
cross_build || exit 1
: >"$log"
[ $# -gt 0 ] || mapfile -t names < <(cd "$here" && printf '%s\n' *.test *.host | sed 's/\.[a-z]*$//')
for name in "${@:-${names[@]}}"; do
	if [ -f "$here/$name.host" ]; then run_here "$here/$name.host"; else run_test "$here/$name.test"; fi | tee -a "$log"
done
passed=$(grep -c '^ok - ' "$log") failed=$(grep -c '^not ok - ' "$log") skipped=$(grep -c '^skip - ' "$log")
echo "guest: $passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
