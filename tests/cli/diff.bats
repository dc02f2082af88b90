load lib

# The programs: alpha 4, beta 3 (6 in the second), gamma_ 2, delta_ 0 (1 in the second) units of work.
work() {
	cat >prog.h <<-'C'
	#include <stdint.h>
	#include <stdio.h>
	#define NI __attribute__((noinline))
	static volatile uint64_t sink;
	C
	cat >v1.c <<-'C'
	#include "prog.h"
	NI uint64_t alpha(uint64_t n){uint64_t x=1;for(uint64_t i=0;i<n*4;i++)x=x*6364136223846793005ull+i;return x;}
	NI uint64_t beta(uint64_t n){uint64_t x=1;for(uint64_t i=0;i<n*3;i++)x^=(x<<13)+i;return x;}
	NI uint64_t gamma_(uint64_t n){uint64_t x=1;for(uint64_t i=0;i<n*2;i++)x+=(x>>3)^i;return x;}
	int main(void){for(int k=0;k<20;k++){sink+=alpha(1000000+k);sink+=beta(1000000+k);sink+=gamma_(1000000+k);}return 0;}
	C
	cat >v2.c <<-'C'
	#include "prog.h"
	NI uint64_t pad(uint64_t n){uint64_t x=n;for(uint64_t i=0;i<n;i++){x^=x*3+i;x+=x<<7;x^=x>>9;}return x;}
	NI uint64_t delta_(uint64_t n){uint64_t x=1;for(uint64_t i=0;i<n;i++)x=(x^i)*31;return x;}
	NI uint64_t alpha(uint64_t n){uint64_t x=1;for(uint64_t i=0;i<n*4;i++)x=x*6364136223846793005ull+i;return x;}
	NI uint64_t beta(uint64_t n){uint64_t x=1;for(uint64_t i=0;i<n*6;i++)x^=(x<<13)+i;return x;}
	NI uint64_t gamma_(uint64_t n){uint64_t x=1;for(uint64_t i=0;i<n*2;i++)x+=(x>>3)^i;return x;}
	int main(int c,char**v){if(c>5)sink=pad(c);for(int k=0;k<20;k++){sink+=alpha(1000000+k);sink+=beta(1000000+k);sink+=gamma_(1000000+k);sink+=delta_(1000000+k);}return 0;}
	C
}

setup() {
	cd "$BATS_TEST_TMPDIR" || return 1
	export HOME=$BATS_TEST_TMPDIR
	work
}

record() {
	local out=$1
	shift
	"$PERFMINI" record -q -e cpu-clock:u -F 2000 -o "$out" -- "$@"
}

# row NAME: the line of the last diff's JSON whose A or B function is NAME.
row() {
	jq -c --arg n "$1" '[.[0].rows[] | select((.a_functions + .b_functions)[] | .shown == $n)][0]' <<<"$output"
}

# check NAME JQ-CONDITION: the row holds.
check() {
	local json
	json=$(row "$1")
	jq -e "$2" >/dev/null <<<"$json" || { echo "$1: not $2 in $json"; return 1; }
}

@test "diff: rebuilt in place, the first build only in the cache: the right pairs and absolute costs" {
	gcc -O1 -g v1.c -o prog && record old.data ./prog
	gcc -O1 -g v2.c -o prog && record new.data ./prog
	rm prog
	expect 0 diff --json old.data new.data
	check alpha '.pair == "name" and .code == "identical" and .a > 0'
	check beta '.changed and .code == "changed" and .ratio > 1.2 and .ratio < 3.5'
	check gamma_ '.code == "identical"'
	check delta_ '.pair == "new" and .changed'
	# rows sum to the difference of the totals
	jq -e '.[0] | ([.rows[].difference] | add) as $s | ($s - .difference) | fabs < 1' <<<"$output"
	jq -e '.[0].control.functions >= 2' <<<"$output"
}

@test "diff: text fits its columns and says what one run a side cannot say" {
	gcc -O1 -g v1.c -o prog && record old.data ./prog
	gcc -O1 -g v2.c -o prog && record new.data ./prog
	expect 0 diff old.data new.data
	holds "$output" "one run a side: sampling noise only"
	holds "$output" "-- only in B"
	holds "$output" "the marked rows explain"
	[ "$(grep -E 'alpha|beta|pair ' <<<"$output" | sed 's/  (needs.*//' | wc -L)" -le 100 ]
	expect 0 diff --csv old.data new.data
	[ "$(head -n 1 <<<"$output" | tr ',' '\n' | wc -l)" -eq 22 ]
}

@test "diff: renamed program" {
	gcc -O1 -g v1.c -o prog_v1 && gcc -O1 -g v2.c -o prog_v2
	record old.data ./prog_v1 && record new.data ./prog_v2
	expect 0 diff --json old.data new.data
	check beta '.pair == "name" and .object_renamed and .changed'
	check alpha '.object_renamed and .code == "identical"'
}

@test "diff: the same build under another name is an A/A comparison" {
	gcc -O1 -g v1.c -o prog_v1 && mkdir a && cp prog_v1 a/prog
	record old.data ./prog_v1 && record new.data ./a/prog
	expect 0 diff old.data new.data
	holds "$output" "this is an A/A comparison"
	expect 0 diff --json old.data new.data
	check alpha '.pair == "same build"'
}

@test "diff: stripped: with a debug link every name, without one row that says so" {
	mkdir a b
	gcc -O1 -g v1.c -o v1.full && gcc -O1 -g v2.c -o v2.full
	strip -o a/prog v1.full && strip -o b/prog v2.full
	record old.data ./a/prog && record new.data ./b/prog
	expect 0 diff old.data new.data
	holds "$output" "-- without symbols"
	for v in 1 2; do
		d=$([ $v = 1 ] && echo a || echo b)
		objcopy --only-keep-debug v$v.full $d/prog.debug
		(cd $d && objcopy --add-gnu-debuglink=prog.debug prog)
	done
	expect 0 diff --json old.data new.data
	check beta '.pair == "name" and .changed'
}

suffixed() { # suffixed DIR SYMBOL
	mkdir -p "$1"
	cat >s.c <<-'C'
	#include "prog.h"
	uint64_t work(uint64_t n) __asm__(SYM);
	NI uint64_t work(uint64_t n){uint64_t x=1;for(uint64_t i=0;i<n*4;i++)x=x*6364136223846793005ull+i;return x;}
	NI uint64_t other(uint64_t n){uint64_t x=1;for(uint64_t i=0;i<n*3;i++)x^=(x<<13)+i;return x;}
	int main(void){for(int k=0;k<20;k++){sink+=work(1000000+k);sink+=other(1000000+k);}return 0;}
	C
	gcc -O1 -g "-DSYM=\"$2\"" s.c -o "$1/prog" && record "$1.data" "./$1/prog"
}

@test "diff: compiler suffixes and Rust hashes" {
	suffixed base work
	for s in constprop.0 isra.0 part.0 cold constprop.0.isra.0 lto_priv.0; do
		suffixed w "work.$s"
		expect 0 diff --json base.data w.data
		check work '.pair == "name without suffixes" and .ratio > 0.4 and .ratio < 2.5'
	done
	suffixed l1 work.llvm.1111111111 && suffixed l2 work.llvm.2222222222
	expect 0 diff --json l1.data l2.data
	jq -e '[.[0].rows[] | select(.pair == "name without suffixes")] | length == 1' <<<"$output"
	suffixed r1 _ZN3foo3bar17h0123456789abcdefE && suffixed r2 _ZN3foo3bar17hfedcba9876543210E
	expect 0 diff --json r1.data r2.data
	jq -e '[.[0].rows[] | select(.pair == "name without suffixes")] | length == 1' <<<"$output"
	# tightened, nothing pairs
	expect 0 diff --json --pair-by name --no-inline l1.data l2.data
	jq -e '[.[0].rows[] | select(.pair == "gone")] | length >= 1' <<<"$output"
}

@test "diff: a function split into itself and its cold part is one row" {
	suffixed base work
	cat >hc.c <<-'C'
	#include "prog.h"
	uint64_t fc(uint64_t n) __asm__("work.cold");
	NI uint64_t fc(uint64_t n){uint64_t x=1;for(uint64_t i=0;i<n*2;i++)x=x*6364136223846793005ull+i;return x;}
	NI uint64_t work(uint64_t n){uint64_t x=1;for(uint64_t i=0;i<n*2;i++)x=x*6364136223846793005ull+i;return x+fc(n);}
	NI uint64_t other(uint64_t n){uint64_t x=1;for(uint64_t i=0;i<n*3;i++)x^=(x<<13)+i;return x;}
	int main(void){for(int k=0;k<20;k++){sink+=work(1000000+k);sink+=other(1000000+k);}return 0;}
	C
	gcc -O1 -g hc.c -o prog && record hc.data ./prog
	expect 0 diff --json base.data hc.data
	check work '(.b_functions | length) == 2 and .ratio > 0.4 and .ratio < 2.5'
	expect 0 diff --json --clones base.data hc.data
	check work '(.b_functions | length) == 1'
}

@test "diff: a function that the other build inlined gets its cost back" {
	cat >s.c <<-'C'
	#include "prog.h"
	static inline INL uint64_t helper(uint64_t n){uint64_t x=1;for(uint64_t i=0;i<n*4;i++)x=x*6364136223846793005ull+i;return x;}
	NI uint64_t caller(uint64_t n){uint64_t y=helper(n);for(uint64_t i=0;i<n*2;i++)y^=(y<<13)+i;return y;}
	int main(void){for(int k=0;k<15;k++)sink+=caller(1000000+k);return 0;}
	C
	mkdir a b
	gcc -O2 -g '-DINL=__attribute__((noinline))' s.c -o a/prog
	gcc -O2 -g '-DINL=__attribute__((always_inline))' s.c -o b/prog
	record a.data ./a/prog && record b.data ./b/prog
	expect 0 diff --json a.data b.data
	check helper '.a > 0 and .b > 0 and .ratio > 0.4 and .ratio < 2.5'
	check caller '.ratio > 0.4 and .ratio < 2.5'
	# without debug information: a note, since the sums fit
	gcc -O2 "-DINL=__attribute__((noinline))" s.c -o a/prog
	gcc -O2 '-DINL=__attribute__((always_inline))' s.c -o b/prog
	record a.data ./a/prog && record b.data ./b/prog
	expect 0 diff a.data b.data
	holds "$output" "probably inlined into caller"
}

@test "diff: PIE, fixed and static programs" {
	for kind in "pie -fPIE -pie v1" "fixed -fno-pie -no-pie v2" "static -static v2" "spie -static-pie v2"; do
		set -- $kind
		mkdir "$1"
		name=$1
		shift
		# shellcheck disable=SC2086
		gcc -O1 -g ${*:1:$#-1} "${!#}.c" -o "$name/prog" && record "$name.data" "./$name/prog"
	done
	for other in fixed static spie; do
		expect 0 diff --json pie.data "$other.data"
		check beta '.pair == "name" and .changed and .ratio > 1.2 and .ratio < 3.5'
		check alpha '.pair == "name"'
	done
}

@test "diff: without build ids a rebuilt binary is not resolved to wrong names silently" {
	mkdir nb
	gcc -O1 -g -Wl,--build-id=none v1.c -o nb/prog && record nb1.data ./nb/prog
	gcc -O1 -g -Wl,--build-id=none v2.c -o nb/prog && record nb2.data ./nb/prog
	expect 0 diff nb1.data nb2.data
	# either the old names from a kept copy, or no names; never pad, which cost nothing in either build
	! grep -q ' pad ' <<<"$output" || false
}

@test "diff: two static functions of one name stay two rows when they change places" {
	cat >x.c <<-'C'
	#include "prog.h"
	static NI uint64_t work(uint64_t n){uint64_t x=1;for(uint64_t i=0;i<n*1;i++)x=x*6364136223846793005ull+i;return x;}
	uint64_t call_x(uint64_t n){return work(n);}
	C
	cat >y.c <<-'C'
	#include "prog.h"
	static NI uint64_t work(uint64_t n){uint64_t x=1;for(uint64_t i=0;i<n*6;i++)x^=(x<<13)+i;return x;}
	uint64_t call_y(uint64_t n){return work(n);}
	C
	cat >m.c <<-'C'
	#include "prog.h"
	uint64_t call_x(uint64_t),call_y(uint64_t);
	int main(void){for(int k=0;k<20;k++){sink+=call_x(1000000+k);sink+=call_y(1000000+k);}return 0;}
	C
	mkdir a b
	for flags in -g -g0; do
		gcc -O1 $flags m.c x.c y.c -o a/prog && gcc -O1 $flags m.c y.c x.c -o b/prog
		record a.data ./a/prog && record b.data ./b/prog
		expect 0 diff --json a.data b.data
		jq -e '[.[0].rows[] | select(.a_functions[0].name == "work" and .b_functions[0].name == "work")] |
			length == 2 and all(.[]; .code == "identical" and (.a_functions | length) == 1)' <<<"$output"
	done
}

@test "diff: moved into a library, and another version of the library" {
	cat >f.c <<-'C'
	#include "prog.h"
	NI uint64_t work(uint64_t n){uint64_t x=1;for(uint64_t i=0;i<n*4;i++)x=x*6364136223846793005ull+i;return x;}
	C
	cat >m.c <<-'C'
	#include "prog.h"
	uint64_t work(uint64_t);
	NI uint64_t other(uint64_t n){uint64_t x=1;for(uint64_t i=0;i<n*3;i++)x^=(x<<13)+i;return x;}
	int main(void){for(int k=0;k<15;k++){sink+=work(1000000+k);sink+=other(1000000+k);}return 0;}
	C
	mkdir a b c
	gcc -O1 -g m.c f.c -o a/prog
	gcc -O1 -g -fPIC -shared f.c -o b/libw.so.1.0 && gcc -O1 -g m.c b/libw.so.1.0 -Wl,-rpath,'$ORIGIN' -o b/prog
	gcc -O1 -g -fPIC -shared f.c -o c/libw.so.1.1 && gcc -O1 -g m.c c/libw.so.1.1 -Wl,-rpath,'$ORIGIN' -o c/prog
	record a.data ./a/prog && record b.data env LD_LIBRARY_PATH=b ./b/prog && record c.data env LD_LIBRARY_PATH=c ./c/prog
	expect 0 diff --json a.data b.data
	check work '.pair == "moved" and .a > 0 and .b > 0'
	expect 0 diff --json b.data c.data
	check work '(.pair == "name" or .pair == "same build") and .object_renamed'
}

@test "diff: C++ names whose parameter, template argument or lambda number changed" {
	command -v g++ >/dev/null || skip "no g++"
	cat >s.cpp <<-'C'
	#include "prog.h"
	namespace { NI uint64_t anon(uint64_t n){uint64_t x=1;for(uint64_t i=0;i<n*2;i++)x=x*6364136223846793005ull+i;return x;} }
	NI uint64_t sig(uint64_t n,ARG){uint64_t x=1;for(uint64_t i=0;i<n*2;i++)x^=(x<<13)+i;return x;}
	template<class T> NI T tmpl(T n){T x=1;for(T i=0;i<n*2;i++)x+=(x>>3)^i;return x;}
	int main(){
	#ifdef V2
	 auto extra=[](uint64_t n) NI { return n; }; sink+=extra(1);
	#endif
	 auto lam=[](uint64_t n) NI {uint64_t x=1;for(uint64_t i=0;i<n*2;i++)x=(x^i)*31;return x;};
	 for(uint64_t k=0;k<15;k++){sink+=anon(k+1000000);sink+=sig(k+1000000,1);sink+=tmpl<TT>(k+1000000);sink+=lam(k+1000000);} return 0;}
	C
	mkdir a b
	g++ -O1 -g -DARG=int '-DTT=unsigned long' s.cpp -o a/prog
	g++ -O1 -g -DV2 -DARG=long '-DTT=unsigned long long' s.cpp -o b/prog
	record a.data ./a/prog && record b.data ./b/prog
	expect 0 diff --json a.data b.data
	for name in sig tmpl '(anonymous namespace)::anon' 'main::{lambda'; do
		jq -e --arg n "$name" '[.[0].rows[] | select((.a_functions[0].shown // "") | startswith($n))] |
			length == 1 and .[0].b > 0 and .[0].ratio > 0.4 and .[0].ratio < 2.5' <<<"$output" ||
			{ echo "$name"; false; }
	done
}

@test "diff: replicates, with and without blocks" {
	gcc -O1 -g v1.c -o p1 && gcc -O1 -g v2.c -o p2
	mkdir before after
	for i in 1 2 3; do record before/$i.data ./p1; record after/$i.data ./p2; done
	expect 0 diff --json before after
	check beta '.p < 0.05'
	jq -e '.[0].a.runs == 3' <<<"$output"
	expect 0 diff --json --paired -A before/1.data -A before/2.data -A before/3.data -B 'after/*.data'
	check beta '.a > 0'
	# slower by 40 %: convicted, or on a very noisy machine not settled; never passed, and the other way never convicted
	run "$PERFMINI" diff --gate before after
	[ "$status" -eq 1 ] || [ "$status" -eq 3 ]
	run "$PERFMINI" diff --gate after before
	[ "$status" -eq 0 ] || [ "$status" -eq 3 ]
	# one pair never convicts
	expect 3 diff --gate before/1.data after/1.data
	expect 129 diff --paired -A before -B after/1.data
	holds "$stderr" "cannot be paired"
}

@test "diff: an event of the kernel is not an event of the user" {
	gcc -O1 -g v1.c -o prog
	"$PERFMINI" record -q -e cpu-clock:u -o u.data -- ./prog
	"$PERFMINI" record -q -e task-clock:u -o t.data -- ./prog
	expect 129 diff u.data t.data
	holds "$stderr" "no event is in both sides: A has cpu-clock:u; B has task-clock:u"
}

@test "diff: three files" {
	gcc -O1 -g v1.c -o prog && record a.data ./prog && record b.data ./prog
	gcc -O1 -g v2.c -o prog && record c.data ./prog
	expect 0 diff --json a.data b.data c.data
	jq -e 'length == 2' <<<"$output"
	expect 0 diff --json -o 2 a.data b.data c.data
	jq -e 'length == 1 and .[0].b.label == "c.data"' <<<"$output"
	expect 129 diff -o 3 a.data b.data c.data
}

@test "diff: objects only, functions whatever the object, filters" {
	gcc -O1 -g v1.c -o p1 && gcc -O1 -g v2.c -o p2
	record a.data ./p1 && record b.data ./p2
	expect 0 diff --json -s dso a.data b.data
	jq -e '[.[0].rows[] | select(.a_functions[0].name != null)] | length == 0' <<<"$output"
	expect 0 diff --json -S beta a.data b.data
	jq -e '.[0].rows | length == 1' <<<"$output"
	expect 129 diff -s cpu a.data b.data
}

@test "diff: bad input: one line, the right status" {
	expect 129 diff only.data
	holds "$stderr" "only one side is given"
	expect 1 diff no.data nor.data
	holds "$stderr" "no.data"
	echo nonsense >x.data
	expect 1 diff x.data x.data
	holds "$stderr" "x.data"
	mkdir empty
	expect 1 diff empty empty
	holds "$stderr" "empty holds no recording"
	expect 129 diff -c worse a b
	expect 129 diff --pair-by luck a b
	expect 129 diff --ops 0 a b
	expect 129 diff --phi 0.5 a b
	expect 129 diff -A a.data
	holds "$stderr" "-A is given, but no -B"
	gcc -O1 -g v1.c -o prog && record ok.data ./prog
	mkdir mixed && cp ok.data mixed/1.data && echo broken >mixed/2.data
	expect 1 diff ok.data mixed
	holds "$stderr" "mixed/2.data"
	expect 129 diff -A ok.data -A ok.data -B ok.data
	holds "$stderr" "ok.data is given twice on one side"
	expect 0 diff ok.data ok.data
	holds "$output" "A/A comparison"
}

@test "diff: along an axis the share of a contended lock grows, and its trend is told" {
	for threads in 1 2; do
		"$PERFMINI" record -q -e cpu-clock -F 1000 -o lock$threads.data "$PERFMINI" workload lock --threads $threads 200000 >/dev/null
	done
	expect 0 diff --axis threads=1,2 --json lock1.data lock2.data
	jq -e '.[0].axis == "threads" and .[0].values == ["1", "2"]' <<<"$output"
	jq -e '.[0].rows[] | select(.function == "lock_acquire") | .shares[1] > .shares[0] and .z > 0' <<<"$output"
	# The shares of one value are of all its samples.
	jq -e '[.[0].rows[].shares[0]] | add | . > 0.999 and . < 1.001' <<<"$output"
	jq -e '.[0] as $all | [$all.rows[].samples[1]] | add == $all.samples[1]' <<<"$output"
	expect 0 diff --axis threads=1,2 lock1.data lock2.data
	grep -qE '^\* .*grows .* lock_acquire ' <<<"$output"
	expect 0 diff --axis threads=1,2 --csv lock1.data lock2.data
	[ "$(head -n 1 <<<"$output")" = event,object,function,threads,samples,events,share,z,q ]
	expect 129 diff --axis threads=1 lock1.data lock2.data
	expect 129 diff --axis threads=1,one lock1.data lock2.data
	expect 129 diff --axis threads=2,1 lock1.data lock2.data
	expect 129 diff --axis threads lock1.data lock2.data
}

@test "diff: the axis of a scan's bundle is known" {
	"$PERFMINI" ab -q -L n=10,20 -b 2 -R --record-every 1 -o scan2 -- "$PERFMINI workload calls {n}" >/dev/null 2>&1 || [ $? -eq 3 ]
	expect 0 diff --axis n --json scan2
	jq -e '.[0].values == ["10", "20"]' <<<"$output"
}

# on HOST COMMAND…: with another host name.
on() {
	unshare --uts sh -c 'hostname "$1" && shift && exec "$@"' sh "$@" >on.log 2>&1
}

@test "diff: recordings of the same machines are one pair a machine" {
	on m1 true || skip "no right to another host name"
	for machine in m1 m2 m3; do
		for run in 1 2; do
			on $machine "$PERFMINI" record -q -F 1000 -e cpu-clock -o a.$machine.$run.data -- "$PERFMINI" workload burn 60000000 ||
				skip "cannot record here"
			on $machine "$PERFMINI" record -q -F 1000 -e cpu-clock -o b.$machine.$run.data -- "$PERFMINI" workload burn 90000000
		done
	done
	a=(a.*.data) b=(b.*.data)
	expect 0 diff --json "${a[@]/#/-A}" "${b[@]/#/-B}"
	[ "$(jq -c '.[0] | [.a.runs, .b.runs]' <<<"$output")" = '[3,3]' ]
	paired=$(jq '.[0].b.events / .[0].a.events' <<<"$output")
	holds "$output" "recordings of 3 machines: each machine is one pair"
	expect 0 diff --json --no-by-machine "${a[@]/#/-A}" "${b[@]/#/-B}"
	[ "$(jq -c '.[0] | [.a.runs, .b.runs]' <<<"$output")" = '[6,6]' ]
	# As many runs of each machine: the means are the same.
	[ "$(jq --argjson paired "$paired" '(.[0].b.events / .[0].a.events - $paired) | fabs < 1e-9' <<<"$output")" = true ]
	expect 0 diff --json -A a.m1.1.data -A a.m2.1.data -B b.m1.1.data -B b.m3.1.data
	holds "$output" "is on one side only"
	[ "$(jq -c '.[0] | [.a.runs, .b.runs]' <<<"$output")" = '[2,2]' ]
}

@test "diff: the page has the rows of the text, and asks for nothing" {
	for n in 200 300; do
		"$PERFMINI" record -q -e cpu-clock -F 1000 -o $n.data -- "$PERFMINI" workload calls $n >record.log 2>&1 ||
			skip "cannot record here"
	done
	expect 0 diff --html 200.data 300.data
	echo "$output" >page.html
	for name in hot warm cool; do grep -q "<td class=\"n\">$name</td>" page.html; done
	grep -q 'commands differ' page.html
	[ "$(grep -oE '(https?:)?//[a-z][^" <]*' page.html | wc -l)" -eq 0 ]
	run ! grep -qE '<(link|img|iframe|script[^>]*src)' page.html
	run ! grep -q 'nan\|inf' page.html
	tail -n 1 page.html | grep -q '</html>'
}
