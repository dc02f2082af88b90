load lib

record() {
	"$PERFMINI" record -g -o "$1" -e "${2:-cpu-clock}" -F 1000 sh -c \
		'i=0; while [ $i -lt 60000 ]; do i=$((i+1)); done; ls -R /usr/lib >/dev/null' >record.log 2>&1 ||
		skip "cannot record here"
}

# What report counts: samples and events of the first event.
totals() {
	expect 0 report -i "$1" --json --no-children -g none
	samples=$(jq '.events[0].samples' <<<"$output")
	period=$(jq '.events[0].period' <<<"$output")
	[ "$samples" -gt 20 ]
}

@test "export: folded chains are those of perf script" {
	command -v perf >/dev/null || skip "no perf"
	record a.data
	perf script -i a.data --no-inline -F comm,pid,ip,sym,dso 2>/dev/null | gawk -f "$TESTS/cli/folded.awk" |
		sed 's/__GI_*//g' | sort >theirs
	[ -s theirs ]
	expect 0 export --format folded -n --no-inline a.data
	sed 's/__GI_*//g' <<<"$output" | sort >ours
	# Names of one address may differ: chains without their names, and what they weigh.
	shape() { awk '{ n = gsub(/;/, ";", $0); print n, $NF }' "$1" | sort -n; }
	diff <(shape theirs) <(shape ours)

	awk '{ sum += $NF } END { print sum }' theirs >one
	awk '{ sum += $NF } END { print sum }' ours | diff one -
}

@test "export: folded keeps samples and events" {
	record a.data
	totals a.data
	expect 0 export --format folded -n a.data
	[ "$(awk '{ sum += $NF } END { print sum }' <<<"$output")" -eq "$samples" ]
	expect 0 export --format folded a.data
	[ "$(awk '{ sum += $NF } END { printf "%.0f", sum }' <<<"$output")" -eq "$period" ]
}

@test "export: speedscope keeps events; every sample's frames exist" {
	record a.data
	totals a.data
	expect 0 export -o a.speedscope.json -i a.data
	jq -e --argjson period "$period" '.profiles[0] | (.weights | add) == $period and .endValue == $period' a.speedscope.json
	jq -e '(.shared.frames | length) as $n | [.profiles[0].samples[][]] | all(. >= 0 and . < $n)' a.speedscope.json
	jq -e '.profiles[0] | (.samples | length) == (.weights | length) and .unit == "nanoseconds"' a.speedscope.json
	# The same chains as the folded form.
	jq -r '.shared.frames as $f | .profiles[0] | [.samples, .weights] | transpose[] |
		(.[0] | map($f[.].name) | join(";")) + " " + (.[1] | tostring)' a.speedscope.json | sort >ours
	expect 0 export --format folded a.data
	sort <<<"$output" | diff - ours
}

@test "export: the flame graph is XML, whole, and the same each time" {
	record a.data
	totals a.data
	expect 0 export -o a.svg a.data
	expect 0 export -o b.svg a.data
	cmp a.svg b.svg
	holds "$(cat a.svg)" "<title>all ($samples samples, 100.00 %)</title>"
	if command -v python3 >/dev/null; then
		python3 -c 'import sys, xml.dom.minidom; xml.dom.minidom.parse("a.svg")'
	fi
	run ! grep -qE '(href|src)="?http' a.svg
}

@test "export: names that would be markup are text" {
	cat >t.c <<-'END'
		#include <sys/prctl.h>
		int main(void) { prctl(PR_SET_NAME, "<b>&\"\033[2J;x"); for (volatile long i = 0; i < 80000000; i++); return 0; }
	END
	gcc -O1 -o t t.c
	"$PERFMINI" record -o t.data -e cpu-clock -F 1000 ./t >record.log 2>&1 || skip "cannot record here"
	expect 0 export -o t.svg t.data
	holds "$(cat t.svg)" '&lt;b&gt;&amp;&quot;\x1b[2J;x'
	expect 0 export --format folded t.data
	holds "$output" '<b>&"\x1b[2J:x;main '
	run ! grep -q "$(printf '\033')" t.svg
}

@test "export: format by ending, wrong ones, events" {
	record a.data cpu-clock,task-clock
	expect 129 export -o a.txt a.data
	holds "$stderr" "folded, svg, speedscope"
	expect 129 export --format pdf a.data
	expect 129 export a.data
	expect 1 export --format folded -e cycles a.data
	holds "$stderr" "it has cpu-clock, task-clock"
	expect 0 export -o a.folded -e task-clock a.data
	[ -s a.folded ]
	expect 0 export --format folded a.data
	holds "$stderr" "-e chooses another"
}

# decoded: what another decoder reads of profile.pb.gz, in decoded.txt; strings in strings.txt, one a line from 0.
decoded() {
	command -v protoc >/dev/null || skip "no protoc"
	zcat profile.pb.gz | protoc --proto_path="$TESTS/cli" --decode=Profile pprof.proto >decoded.txt
	sed -n 's/^string_table: "\(.*\)"$/\1/p' decoded.txt >strings.txt
}

# string NUMBER: that one.
string() {
	sed -n "$(($1 + 1))p" strings.txt
}

@test "export: pprof holds every sample and event, and says what they are" {
	record a.data
	totals a.data
	expect 0 export -o profile.pb.gz --label arm=new --label commit=12ab a.data
	decoded
	# Each sample has two values: itself, and its events.
	awk '$1 == "value:" { sum[n++ % 2] += $2 } END { printf "%d %d\n", sum[0], sum[1] }' decoded.txt >ours
	echo "$samples $period" | diff - ours
	[ "$(string 0)" = "" ]
	awk '/^sample_type/ { inside = 1 } inside && $1 == "type:" { print $2 } /^}/ { inside = 0 }' decoded.txt >types
	[ "$(string "$(sed -n 2p types)")" = cpu-clock ]
	for text in samples count nanoseconds arm new commit 12ab machine comm sh; do
		grep -qx "$text" strings.txt || { echo "no $text"; false; }
	done
	expect 129 export -o profile.pb.gz --label nothing a.data
	holds "$stderr" "is not KEY=VALUE"
}

@test "export: pprof keeps inlined functions, files, lines and build ids" {
	cat >inlined.c <<-'END'
		static inline __attribute__((always_inline)) unsigned long inner(unsigned long n)
		{
			unsigned long sum = 0;
			for (unsigned long i = 0; i < n; i++)
				sum += i ^ (sum >> 3);
			return sum;
		}
		__attribute__((noinline)) unsigned long outer(unsigned long n)
		{
			return inner(n);
		}
		int main(void)
		{
			return (int)outer(200000000) & 1;
		}
	END
	"${CC:-cc}" -g -O2 -o inlined inlined.c || skip "no compiler"
	"$PERFMINI" record -q -e cpu-clock -F 1000 -o i.data ./inlined || [ $? -eq 1 ]
	expect 0 export -o profile.pb.gz --tasks i.data
	decoded
	# The location with two lines: inner, lines 4 or 5, then outer, line 10.
	awk '/^location/ { lines = 0; numbers = functions = "" } $1 == "function_id:" { functions = functions " " $2; lines++ }
		$1 == "line:" { numbers = numbers " " $2 }
		/^}/ && lines == 2 { print functions, numbers; lines = 0 }' decoded.txt | sort | uniq >inlined.txt
	name_of() {
		string "$(awk -v id="$1" '/^function/ { at = "" } $1 == "id:" { at = $2 } $1 == "name:" && at == id { print $2; exit }' decoded.txt)"
	}
	while read -r inner outer line of; do
		echo "$(name_of "$inner") $line $(name_of "$outer") $of"
	done <inlined.txt >named.txt
	grep -qE '^inner [45] outer 10$' named.txt
	grep -q 'inlined\.c$' strings.txt
	id=$("$PERFMINI" buildid-list -i i.data | awk '/\/inlined$/ { print $1 }')
	[ -n "$id" ]
	grep -qx "$id" strings.txt
	grep -qx pid strings.txt
}

@test "export: perf writes a recording again with the samples that pass, which perf reads too" {
	"$PERFMINI" record -q -g -e cpu-clock -F 1000 -o a.data -- sh -c \
		"'$PERFMINI' workload burn 60000000; '$PERFMINI' workload calls 200" >record.log 2>&1 || skip "cannot record here"
	pid=$("$PERFMINI" script -i a.data -F comm,pid | awk '$1 == "perfmini" { print $2 }' | tail -n 1)
	expect 0 export -o one.data --pid "$pid" a.data
	expect 0 report --stdio -i a.data --pid "$pid" -g none --no-children
	wanted=$output
	expect 0 report --stdio -i one.data -g none --no-children
	[ "$output" = "$wanted" ]
	"$PERFMINI" export --format perf --pid "$pid" a.data 2>/dev/null | "$PERFMINI" report --stdio -i - -g none --no-children >piped
	[ "$(cat piped)" = "$wanted" ]
	# Without a filter nothing changes.
	expect 0 export -o all.data a.data
	diff <("$PERFMINI" script -i a.data) <("$PERFMINI" script -i all.data)
	diff <("$PERFMINI" report --header-only -i a.data | grep -v 'captured\|data size\|feat offset\|data offset') \
		<("$PERFMINI" report --header-only -i all.data | grep -v 'captured\|data size\|feat offset\|data offset')
	"$PERFMINI" record -q -z -e cpu-clock -F 1000 -o packed.data -- "$PERFMINI" workload burn 60000000 >record.log 2>&1
	expect 0 export -o unpacked.data packed.data
	diff <("$PERFMINI" script -i packed.data) <("$PERFMINI" script -i unpacked.data)
	expect 129 export -o a.data a.data
	expect 1 export -o none.data -e no-such a.data
	[ ! -e none.data ]
	if command -v perf >/dev/null; then
		[ "$(perf script -i one.data -F pid 2>/dev/null | grep -v '^$' | tr -d ' ' | sort -u)" = "$pid" ]
	fi
}

@test "export: a differential flame graph has both widths, and grey where nothing changed" {
	for n in 200 300; do
		"$PERFMINI" record -q -g -e cpu-clock -F 1000 -o $n.data -- "$PERFMINI" workload calls $n >record.log 2>&1 ||
			skip "cannot record here"
	done
	expect 0 export -o grew.svg --base 200.data 300.data
	grep -q '<title>hot ([0-9]* to [0-9]* samples, [0-9.]*x, changed' grew.svg
	[ "$(grep -c 'data-p="0".*data-n="hot"' grew.svg)" -ge 1 ]
	# The wider half is as wide as the picture, the other in proportion.
	width() { sed -n "s/.*data-p=\"$1\" data-x=\"0.000000000\" data-w=\"\([0-9.]*\)\" data-d=\"0\".*/\1/p" grew.svg; }
	[ "$(width 1)" = 1.000000000 ]
	awk -v before="$(width 0)" 'BEGIN { exit !(before > 0.5 && before < 0.85) }'
	[ "$(grep 'data-n="hot"' grew.svg | grep -c 'rgb(255,')" -ge 2 ]
	# The same recording twice: all grey.
	expect 0 export -o same.svg --base 200.data 200.data
	grep -q ': 0 of [0-9]* chains changed' same.svg
	[ "$(grep 'class="f"' same.svg | grep -vc 'rgb(200,200,200)')" -eq 0 ]
	expect 129 export --format folded --base 200.data 300.data
	if command -v python3 >/dev/null; then python3 -c 'import xml.dom.minidom; xml.dom.minidom.parse("grew.svg")'; fi
}

@test "export: a chain as deep as a record holds" {
	command -v python3 >/dev/null || skip "no python3"
	python3 - >deep.data <<-'END'
		import struct, sys
		out = sys.stdout.buffer
		out.write(struct.pack('<QQ', 0x32454c4946524550, 16))
		kind = 1 | 2 | 4 | 32 | 256 # IP TID TIME CALLCHAIN PERIOD
		attr = struct.pack('<IIQQQQQ', 1, 112, 0, 1000, kind, 0, 0) + bytes(112 - 48)
		out.write(struct.pack('<IHH', 64, 0, 8 + 112 + 8) + attr + struct.pack('<Q', 7))
		comm = struct.pack('<II', 5, 5) + b'deep\0\0\0\0'
		out.write(struct.pack('<IHH', 3, 0, 8 + len(comm)) + comm)
		depth = 8000
		for sample in range(3):
		    chain = [0xfffffffffffffe00] + [0x1000 + 16 * i for i in range(depth)]
		    body = struct.pack('<QIIQQQ', 0x1000, 5, 5, 100 + sample, 1000, len(chain)) + struct.pack('<%dQ' % len(chain), *chain)
		    out.write(struct.pack('<IHH', 9, 2, 8 + len(body)) + body)
	END
	expect 0 export --format folded -n --max-stack 20000 deep.data
	[ "$(wc -l <<<"$output")" -eq 1 ]
	[ "$(tr ';' '\n' <<<"$output" | wc -l)" -eq 8001 ]
	[ "$(awk '{ print $NF }' <<<"$output")" = 3 ]
	expect 0 export -o deep.svg --max-stack 20000 deep.data
	holds "$(tail -c 3000 deep.svg)" "chains deeper than the picture are cut"
	expect 0 export --format speedscope --max-stack 20000 deep.data
	[ "$(jq '.profiles[0].samples[0] | length' <<<"$output")" -eq 8001 ]
	expect 0 export -o deep.pb.gz --max-stack 20000 deep.data
	expect 0 report --stdio -i deep.data --max-stack 20000 -g folded
	expect 0 export -o same.svg --base deep.data --max-stack 20000 deep.data
}

@test "export: firefox holds every chain and its weight, in tables that fit together" {
	record a.data
	totals a.data
	expect 0 export -o a.firefox.json a.data
	jq -e '.meta | .preprocessedProfileVersion == 47 and .symbolicated and (.categories | map(.color) | index("grey") != null)' a.firefox.json
	jq -e '.threads | all(
		(.samples | .length == (.stack | length) and .length == (.time | length) and .length == (.weight | length)) and
		(.stackTable as $s | $s.length == ($s.frame | length) and $s.length == ($s.prefix | length) and
			$s.length == ($s.category | length) and
			([range($s.length)] | all(. as $i | $s.prefix[$i] == null or $s.prefix[$i] < $i))) and
		(.frameTable as $f | .funcTable as $u | $f.length == $u.length and ($f.func | max) < $u.length and
			($f | to_entries | all(.key == "length" or (.value | length) == $f.length)) and
			($u | to_entries | all(.key == "length" or (.value | length) == $u.length))) and
		(.stringArray | length) == .funcTable.length and (.pid | type) == "string" and
		.samples.weightType == "tracing-ms")' a.firefox.json
	# Milliseconds of all threads are the events of the report.
	jq -e --argjson period "$period" '([.threads[].samples.weight[]] | add) * 1e6 - $period | fabs < 1' a.firefox.json
	# The same chains as the folded form.
	jq -r '.threads[] | . as $t | .samples | [.stack, .weight] | transpose[] | . as $s |
		([$s[0] | recurse($t.stackTable.prefix[.]; . != null)] | reverse |
			map($t.stringArray[$t.funcTable.name[$t.frameTable.func[$t.stackTable.frame[.]]]]) | join(";")) + " " +
			($s[1] * 1e6 | round | tostring)' a.firefox.json | sort >ours
	expect 0 export --format folded a.data
	sort <<<"$output" | diff - ours
	expect 0 export --format firefox -n a.data
	[ "$(jq '[.threads[].samples.weight[]] | add' <<<"$output")" -eq "$samples" ]
	[ "$(jq -r '.threads[0].samples.weightType' <<<"$output")" = samples ]
}

@test "export: perf damaged in the middle leaves what was there, and is cut short with a word" {
	command -v python3 >/dev/null || skip "no python3"
	"$PERFMINI" record -q -e cpu-clock -F 1000 -o a.data -- "$PERFMINI" workload burn 40000000 >record.log 2>&1 ||
		skip "cannot record here"
	# The third sample says that it is smaller than its header.
	python3 - <<-'END'
		import struct
		bytes_ = bytearray(open('a.data', 'rb').read())
		at, size = struct.unpack_from('<QQ', bytes_, 40)
		end, samples = at + size, 0
		while samples < 3:
		    kind, misc, length = struct.unpack_from('<IHH', bytes_, at)
		    samples += kind == 9
		    if samples == 3:
		        struct.pack_into('<H', bytes_, at + 6, 4)
		    at += length
		open('bad.data', 'wb').write(bytes_)
	END
	echo old >out.data
	expect 1 export -o out.data bad.data
	[ "$(cat out.data)" = old ]
	[ "$(find . -name 'out.data*' | wc -l)" -eq 1 ]
	expect 0 export --force -o out.data bad.data
	holds "$stderr" "warning: bad.data"
	expect 0 script -i out.data -F ip
	[ "$(grep -c . <<<"$output")" -ge 2 ]
	head -c 3000 a.data >cut.data
	echo old >out.data
	expect 1 export -o out.data cut.data
	[ "$(cat out.data)" = old ]
	expect 0 export --force -o out.data cut.data
	holds "$stderr" "warning: cut.data"
}
