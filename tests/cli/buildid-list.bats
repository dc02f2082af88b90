load lib

@test "buildid-list: --kernel is the kernel's own note" {
	[ -r /sys/kernel/notes ] || skip "no /sys/kernel/notes"
	command -v perf >/dev/null || skip "no perf"
	expect 0 buildid-list --kernel
	[ "$output" = "$(perf buildid-list --kernel)" ]
}

@test "buildid-list: what perf recorded is listed as perf lists it" {
	command -v perf >/dev/null || skip "no perf"
	perf record -q -e cpu-clock -F 5000 -o p.data -- sh -c 'i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done' || skip "cannot record"
	expect 0 buildid-list -H -i p.data
	[ -n "$output" ]
	[ "$(echo "$output" | sort)" = "$(perf buildid-list -H -i p.data | sort)" ]
	expect 0 buildid-list -i p.data
	holds "$output" " [vdso]"
}

@test "buildid-list: --missing leaves out what the cache holds" {
	command -v perf >/dev/null || skip "no perf"
	export PERFMINI_BUILD_ID_DIR=$PWD/cache
	perf record -q -e cpu-clock -F 5000 -o p.data -- sh -c 'i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done' || skip "cannot record"
	expect 0 buildid-list --missing -H -i p.data
	holds "$output" "$(realpath /bin/sh)"
	expect 0 buildid-cache --add /bin/sh
	expect 0 buildid-list --missing -H -i p.data
	case $output in *"$(realpath /bin/sh)"*) false ;; esac
}

@test "buildid-list: no recording, and one that is none" {
	expect 1 buildid-list
	holds "$stderr" "perf.data"
	expect 1 buildid-list -i /etc/passwd
	expect 129 buildid-list perf.data
	holds "$stderr" "buildid-list -i perf.data"
}
