# What every command test uses. PERFMINI: the program under test.
bats_require_minimum_version 1.5.0
# On a machine shared with strangers (.ci/run) a failure counts when it repeats at once; everywhere else it counts.
BATS_TEST_RETRIES=${PERFMINI_TEST_RETRIES:-0}
TESTS=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

# What commands remember of earlier ones is each test's own.
export XDG_STATE_HOME=${BATS_TEST_TMPDIR:-/nonexistent}/state

setup() {
	cd "$BATS_TEST_TMPDIR" || return 1
}

# expect STATUS ARGUMENT...: run perfmini, both streams kept apart in $output and $stderr; compare the status.
expect() {
	local wanted=$1
	shift
	run --separate-stderr "$PERFMINI" "$@"
	[ "$status" -eq "$wanted" ] && return
	printf 'perfmini %s: status %s, wanted %s\nstdout: %s\nstderr: %s\n' "$*" "$status" "$wanted" "$output" "$stderr"
	return 1
}

# holds TEXT WANTED: fail, and show both, unless TEXT holds WANTED.
holds() {
	case $1 in
	*"$2"*) ;;
	*) printf 'wanted: %s\nin:     %s\n' "$2" "$1"; return 1 ;;
	esac
}

# under_strace ARGUMENT…: strace; the leak check of sanitized builds cannot run beneath it.
under_strace() {
	command -v strace >/dev/null || skip "no strace"
	ASAN_OPTIONS=detect_leaks=0 strace "$@"
}
