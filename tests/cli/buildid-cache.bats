load lib

setup() {
	cd "$BATS_TEST_TMPDIR" || return 1
	export PERFMINI_BUILD_ID_DIR=$BATS_TEST_TMPDIR/cache
}

# program NAME CODE: a small program with a build id.
program() {
	command -v cc >/dev/null || skip "no compiler"
	echo "$2" | cc -Wl,--build-id -xc -o "$1" -
}

build_id() {
	readelf -n "$1" | sed -n 's/.*Build ID: //p'
}

@test "buildid-cache: an added file is copied, listed and found by its build id" {
	program a 'int main(void) { return 1; }'
	expect 0 buildid-cache --add a
	expect 0 buildid-cache --list
	[ "$output" = "$(build_id a) $(realpath a)" ]
	id=$(build_id a)
	cmp a "cache/.build-id/${id:0:2}/${id:2}/elf"
	[ ! "a" -ef "cache/.build-id/${id:0:2}/${id:2}/elf" ]
	expect 0 buildid-cache --verify
	holds "$output" "1 entries are right"
}

@test "buildid-cache: perf lists what was added, and perfmini what perf added" {
	command -v perf >/dev/null || skip "no perf"
	program a 'int main(void) { return 1; }'
	program b 'int main(void) { return 2; }'
	expect 0 buildid-cache --add a
	perf --buildid-dir "$PERFMINI_BUILD_ID_DIR" buildid-cache --add b
	holds "$(perf --buildid-dir "$PERFMINI_BUILD_ID_DIR" buildid-cache --list)" "$(build_id a) $(realpath a)"
	expect 0 buildid-cache --list
	holds "$output" "$(build_id b) $(realpath b)"
	expect 0 buildid-cache --verify
}

@test "buildid-cache: remove by file and by build id, purge every build of a path" {
	program a 'int main(void) { return 1; }'
	expect 0 buildid-cache --add a
	expect 0 buildid-cache --remove a
	expect 0 buildid-cache --list
	[ -z "$output" ]
	expect 0 buildid-cache --add a
	expect 0 buildid-cache --remove "$(build_id a)"
	expect 0 buildid-cache --add a
	program a 'int main(void) { return 3; }'
	expect 0 buildid-cache --add a
	expect 0 buildid-cache --purge a
	expect 0 buildid-cache --list
	[ -z "$output" ]
	expect 1 buildid-cache --remove a
	holds "$stderr" "is not in the build-id cache"
}

@test "buildid-cache: verify finds a file that was changed" {
	program a 'int main(void) { return 1; }'
	program b 'int main(void) { return 2; }'
	expect 0 buildid-cache --add a
	id=$(build_id a)
	cp b "cache/.build-id/${id:0:2}/${id:2}/elf"
	expect 1 buildid-cache --verify
	holds "$output" "its file has another build id"
	expect 0 buildid-cache --update a
	expect 0 buildid-cache --verify
}

@test "buildid-cache: the limit makes room by what was used longest ago" {
	program a 'int main(void) { return 1; }'
	program b 'int main(void) { return 2; }'
	program c 'int main(void) { return 3; }'
	expect 0 buildid-cache --add a
	sleep 0.02
	expect 0 buildid-cache --add b
	sleep 0.02
	PERFMINI_CACHE_MAX=$((2 * $(stat -c %s a) + 100)) expect 0 buildid-cache --add c
	expect 0 buildid-cache --list
	[ "$(echo "$output" | cut -d' ' -f2)" = "$(realpath b)
$(realpath c)" ]
	PERFMINI_CACHE_MAX=many expect 129 buildid-cache --add a
	holds "$stderr" "PERFMINI_CACHE_MAX is 'many'"
}

@test "buildid-cache: a directory that is a symbolic link is not written to" {
	program a 'int main(void) { return 1; }'
	mkdir elsewhere
	ln -s "$PWD/elsewhere" cache
	expect 1 buildid-cache --add a
	holds "$stderr" "is a symbolic link to $PWD/elsewhere"
	[ -z "$(ls -A elsewhere)" ]
}

@test "buildid-cache: a directory that cannot be written is a clear error" {
	program a 'int main(void) { return 1; }'
	touch cache
	expect 1 buildid-cache --add a
	holds "$stderr" "build-id cache $PERFMINI_BUILD_ID_DIR"
}

@test "buildid-cache: files that are none" {
	expect 1 buildid-cache --add /nonexistent
	holds "$stderr" "/nonexistent"
	expect 1 buildid-cache --add /etc/passwd
	holds "$stderr" "neither an ELF file nor a note with a build id"
	expect 129 buildid-cache
	holds "$stderr" "nothing to do"
	expect 129 buildid-cache /bin/true
	holds "$stderr" "buildid-cache --add /bin/true"
}

@test "buildid-cache: the kernel's symbols are kept under its build id" {
	[ -r /sys/kernel/notes ] || skip "no /sys/kernel/notes"
	[ "$(id -u)" = 0 ] || skip "not root"
	grep -q '^0*[1-9a-f]' /proc/kallsyms || skip "addresses are hidden"
	expect 0 buildid-cache --add '[kernel.kallsyms]'
	expect 0 buildid-cache --list
	holds "$output" " [kernel.kallsyms]"
	cmp /proc/kallsyms "cache/[kernel.kallsyms]/${output%% *}/kallsyms"
}
