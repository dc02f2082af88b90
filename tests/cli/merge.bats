load lib

record() {
	"$PERFMINI" record -q -g -e "${2:-cpu-clock}" -F 1000 -o "$1" -- "$PERFMINI" workload burn 40000000 >record.log 2>&1 ||
		skip "cannot record here"
}

# text OF: the profile decoded by protobuf's own program.
text() {
	command -v protoc >/dev/null || skip "no protoc"
	zcat "$1" | protoc --proto_path="$TESTS/cli" --decode=Profile pprof.proto
}

# sums OF: samples and events.
sums() {
	text "$1" | awk '$1 == "value:" { sum[n++ % 2] += $2 } END { printf "%d %d\n", sum[0], sum[1] }'
}

@test "merge: totals are the sums; equal functions and binaries are there once" {
	record one.data
	record two.data
	for i in one two; do expect 0 export -o $i.pb.gz $i.data; done
	expect 0 merge all.pb.gz one.data two.data
	holds "$stderr" "of 2 recordings"
	[ "$(sums all.pb.gz)" = "$(echo "$(sums one.pb.gz)" "$(sums two.pb.gz)" | awk '{ print $1 + $3, $2 + $4 }')" ]
	text all.pb.gz >all.txt
	text one.pb.gz >one.txt
	[ "$(grep -c '^string_table: "perfmini"$' all.txt)" -eq 1 ]
	# A copy under another path with the same build id is the same binary.
	[ "$(sed -n '/^mapping/,/^}/p' all.txt | grep -c build_id)" -eq "$(sed -n '/^mapping/,/^}/p' all.txt | grep build_id | sort -u | wc -l)" ]
	expect 0 merge twice.pb.gz one.data one.data
	text twice.pb.gz >twice.txt
	for kind in location function mapping; do
		[ "$(grep -c "^$kind {" twice.txt)" -eq "$(grep -c "^$kind {" one.txt)" ]
	done
	[ "$(grep -c '^sample {' twice.txt)" -eq "$(grep -c '^sample {' one.txt)" ]
}

@test "merge: a binary is the same by build id, under any path" {
	cp "$PERFMINI" here
	mkdir there && cp "$PERFMINI" there/elsewhere
	"$PERFMINI" record -q -e cpu-clock -F 1000 -o one.data -- ./here workload burn 40000000 >record.log 2>&1 || skip "cannot record here"
	"$PERFMINI" record -q -e cpu-clock -F 1000 -o two.data -- there/elsewhere workload burn 40000000 >record.log 2>&1
	expect 0 merge all.pb.gz one.data two.data
	text all.pb.gz >all.txt
	[ "$(grep -c '^string_table: ".*/here"$' all.txt)" -eq 1 ]
	[ "$(grep -c '^string_table: ".*/elsewhere"$' all.txt)" -eq 0 ]
}

@test "merge: labels keep machines, arms and commits apart" {
	record one.data
	expect 0 merge --by-machine --label commit=12ab all.pb.gz one.data
	text all.pb.gz >all.txt
	for word in machine "$(hostname)" commit 12ab comm; do grep -qx "string_table: \"$word\"" all.txt; done
	"$PERFMINI" ab -q --record --record-every 1 --blocks 2 -o experiment "$PERFMINI workload burn 20000000" \
		"$PERFMINI workload burn 30000000" >/dev/null 2>&1 || [ $? -lt 4 ]
	expect 0 merge arms.pb.gz experiment
	text arms.pb.gz >arms.txt
	for word in arm A B; do grep -qx "string_table: \"$word\"" arms.txt; done
}

@test "merge: what cannot be added is refused, and nothing is written" {
	record one.data
	"$PERFMINI" record -q -e page-faults -c 1 -o two.data -- "$PERFMINI" workload burn 1000 >record.log 2>&1 || skip "cannot record here"
	expect 1 merge all.pb.gz one.data two.data
	holds "$stderr" "two.data: has no event 'cpu-clock'"
	[ ! -e all.pb.gz ]
	head -c 2000 one.data >cut.data
	expect 1 merge all.pb.gz one.data cut.data
	[ ! -e all.pb.gz ]
	expect 129 merge all.pb.gz
	expect 129 merge one.data two.data
	holds "$stderr" "does not end in .pb.gz"
	expect 129 merge --label x all.pb.gz one.data
	[ -e one.data ]
}

@test "merge: memory depends on functions, not on the number of recordings" {
	! grep -q __asan_init "$PERFMINI" || skip "the sanitizer keeps what is freed"
	record one.data
	peak() {
		local files
		files=$(for _ in $(seq "$1"); do echo one.data; done)
		# shellcheck disable=SC2086
		"$PERFMINI" stat -r 1 --save runs -- "$PERFMINI" merge all.pb.gz $files 2>/dev/null >&2
		sed -n 's/.*"peak_bytes":\([0-9]*\).*/\1/p' runs
	}
	few=$(peak 3)
	many=$(peak 60)
	[ "$many" -lt $((few + 4 * 1048576)) ] || { echo "$few bytes of 3, $many of 60"; false; }
}
