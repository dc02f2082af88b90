load lib

@test "version: prints the program's version" {
	expect 0 version
	holds "$output" "perfmini 0."
	expect 0 --version
}

@test "version: names the libraries on request" {
	expect 0 version --libraries
	holds "$output" "libpfm 4."
}

@test "version: an unknown option is named, with a near one, status 129" {
	expect 129 version --librarys
	holds "$stderr" "unknown option '--librarys'"
	holds "$stderr" "did you mean --libraries?"
}

@test "perfmini: an unknown command suggests a near one" {
	expect 129 versoin
	holds "$stderr" "did you mean 'perfmini version'?"
}

@test "perfmini: a full standard output is an error" {
	run bash -c "'$PERFMINI' version >/dev/full"
	[ "$status" -eq 1 ]
	holds "$output" "No space left on device"
}

@test "perfmini: help lists the commands, and of one its options" {
	expect 0 help
	holds "$output" "compare commands by interleaved runs"
	expect 0 help stat
	local of_help=$output
	expect 0 stat -h
	[ "$output" = "$of_help" ]
	expect 129 help versoin
	holds "$stderr" "did you mean 'perfmini version'?"
}
