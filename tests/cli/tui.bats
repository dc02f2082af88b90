# The terminal interface: keys sent through tmux, screens compared.
load lib

setup() {
	cd "$BATS_TEST_TMPDIR" || return 1
	command -v tmux >/dev/null || skip "no tmux"
	export LC_ALL=C.UTF-8 TERM=xterm-256color
	unset NO_COLOR
}

teardown() {
	[ ! -S socket ] || tmux -S socket kill-server
}

mux() {
	tmux -S socket "$@"
}

# start COLUMNSxROWS COMMAND: a shell in a window of that size runs it; what is left of the terminal stands below.
start() {
	cat >run.sh <<-END
		trap : INT
		stty -a | tail -n +2 >before
		$2
		echo "status=\$?"
		stty -a | tail -n +2 >after
		echo ended >ended
		sleep 100
	END
	tmux -u -S socket -f /dev/null new-session -d -x "${1%x*}" -y "${1#*x}" sh run.sh
}

screen() {
	mux capture-pane -p "$@"
}

# sees TEXT: it is on the screen within 10 seconds.
sees() {
	for ((i = 0; i < 100; i++)); do
		screen >screen.txt
		! grep -qF -e "$1" screen.txt || return 0
		sleep 0.1
	done
	printf 'wanted on the screen: %s\n' "$1"
	cat screen.txt
	return 1
}

keys() {
	mux send-keys "$@"
}

# leaves KEY: the program ends, and the terminal is as it was.
leaves() {
	keys "$1"
	sees 'status=0'
	for ((i = 0; i < 50; i++)); do [ ! -f ended ] || break; sleep 0.1; done
	diff before after
}

# A run of some hundred samples, nearly all below main().
record_chains() {
	"$PERFMINI" record -q -g -e cpu-clock -F 2000 -o "$1" -- "$PERFMINI" workload calls 500 >workload.txt 2>&1 ||
		{ cat workload.txt; return 1; }
}

@test "tui: a report opens on a terminal, as the text report has it, and q restores the terminal" {
	record_chains a.data
	"$PERFMINI" report --stdio -i a.data >text 2>&1
	start 80x24 "$PERFMINI report -i a.data"
	sees "of event 'cpu-clock'"
	sees "Children"
	local first
	first=$(grep -m1 -oE '^ +[0-9.]+% +[0-9.]+%' text | tr -s ' ')
	[ -n "$first" ]
	tr -s ' ' <screen.txt | grep -qF -e "$first"
	leaves q
}

@test "tui: --stdio, and output that is no terminal, are text" {
	record_chains a.data
	start 80x24 "$PERFMINI report --stdio -i a.data | head -9; $PERFMINI report --stdio -i a.data 2>&1 | tail -3"
	sees '# Samples:'
	sees 'status=0'
}

@test "tui: chains open with Enter and close with -" {
	record_chains a.data
	start 100x30 "$PERFMINI report -i a.data"
	sees '▸'
	keys Enter
	sees '▾'
	local open
	open=$(screen | wc -c)
	keys -- -
	sleep 1
	! screen | grep -qF '▾' || false
	keys E
	sees '▾'
	[ "$(screen | wc -c)" != 0 ] && [ "$open" -gt 0 ]
	leaves q
}

@test "tui: / finds, n goes on, and what is not there is said" {
	record_chains a.data
	start 80x24 "$PERFMINI report -i a.data"
	sees Children
	keys / m a i n Enter
	# The selected line is the one in reverse video.
	for ((i = 0; i < 100; i++)); do
		! screen -e | grep -F $'\e[7m' | grep -q main || break
		sleep 0.1
	done
	screen -e | grep -F $'\e[7m' | grep -q main
	keys / n o s u c h t h i n g Enter
	sees "no line holds 'nosuchthing'"
	leaves q
}

@test "tui: the help lists every key of the table, and q goes back" {
	record_chains a.data
	start 100x60 "$PERFMINI report -i a.data"
	sees Children
	keys h
	sees 'Searching'
	grep -oE '^REQUEST\([A-Z_]+, "[^"]*", "[^"]*", "[^"]*"' "$TESTS/../src/tui/requests.def" |
		sed 's/.*, "\(.*\)"$/\1/' >helps
	[ "$(wc -l <helps)" -gt 20 ]
	while read -r help; do grep -qF -e "$help" screen.txt; done <helps
	keys q
	sees Children
	leaves Q
}

@test "tui: d keeps the line's binary, and the same key lifts it" {
	record_chains a.data
	start 120x30 "$PERFMINI report -i a.data"
	sees Children
	keys d
	sees ', Object: '
	keys d
	sleep 1
	! screen | grep -qF ', Object: ' || false
	keys t
	sees ', Thread: '
	leaves q
}

@test "tui: from 300x100 to 10x3, resized while open, and back" {
	record_chains a.data
	start 300x100 "$PERFMINI report -i a.data"
	sees Children
	[ "$(screen | tail -1 | grep -c 'h:help')" -eq 1 ]
	mux resize-window -x 20 -y 6
	sees 'q:back'
	[ "$(screen | wc -l)" -eq 6 ]
	mux resize-window -x 10 -y 3
	sees 'too small'
	mux resize-window -x 80 -y 24
	sees Children
	[ "$(screen | tail -1 | grep -c 'h:help')" -eq 1 ]
	leaves q
}

@test "tui: it starts in 20x6, and is left by Ctrl-C" {
	record_chains a.data
	start 20x6 "$PERFMINI report -i a.data"
	sees 'Samples'
	leaves C-c
}

@test "tui: colours, none with NO_COLOR" {
	record_chains a.data
	start 80x24 "$PERFMINI report -i a.data"
	sees Children
	screen -e | grep -q $'\e\\[[0-9;]*38;5;'
	leaves q
	mux kill-server
	rm -f ended
	start 80x24 "NO_COLOR=1 $PERFMINI report -i a.data"
	sees Children
	! screen -e | grep -q $'\e\\[[0-9;]*[34][0-8]' || false
	leaves q
}

@test "tui: without UTF-8 nothing else is drawn" {
	record_chains a.data
	start 80x24 "LC_ALL=C $PERFMINI report -i a.data"
	sees Children
	! screen | LC_ALL=C grep -q '[^ -~]' || false
	leaves q
}

@test "tui: an unknown terminal gets text" {
	record_chains a.data
	start 80x24 "TERM=no-such-terminal $PERFMINI report -i a.data --percent-limit 20; TERM=dumb $PERFMINI report -i a.data -g none --percent-limit 20"
	sees 'status=0'
	[ "$(mux capture-pane -p -S -400 | grep -cF '# Samples:')" -eq 2 ]
}

@test "tui: control characters in names stay on their line as text" {
	command -v gcc >/dev/null && command -v objcopy >/dev/null || skip "no gcc"
	cat >evil.c <<-'END'
		__attribute__((noinline)) unsigned plainname(unsigned n)
		{
			for (unsigned i = 0; i < 200000000; i++)
				n = n * 5 + i;
			return n;
		}
		int main(int argc, char **argv) { (void)argv; return plainname(argc) == 1; }
	END
	gcc -O1 -g0 -o evil evil.c
	objcopy --redefine-sym plainname=$'ev\e[2Jil\xe6\x97\xa5\xe6\x9c\xac' evil
	"$PERFMINI" record -e cpu-clock -F 1000 -o e.data -- ./evil >/dev/null 2>&1 || skip "cannot record here"
	start 80x24 "$PERFMINI report -i e.data"
	sees 'ev\x1b[2Jil日本'
	sees 'Overhead'
	leaves q
}

@test "tui: what cannot be read is told after the terminal is back" {
	head -c 100 /dev/urandom >broken.data
	start 80x24 "$PERFMINI report -i broken.data"
	sees 'status=1'
	sees 'perfmini report:'
	for ((i = 0; i < 50; i++)); do [ ! -f ended ] || break; sleep 0.1; done
	diff before after
}

@test "tui: SIGTERM gives the terminal back" {
	record_chains a.data
	start 80x24 "sh -c 'echo \$\$ >pid; exec $PERFMINI report -i a.data'"
	sees Children
	kill -TERM "$(cat pid)"
	sees 'status=143'
	for ((i = 0; i < 50; i++)); do [ ! -f ended ] || break; sleep 0.1; done
	diff before after
}

# Two builds of one function that differ in what they do for each number.
build_two() {
	command -v gcc >/dev/null || skip "no gcc"
	for side in a b; do
		cat >burn.c <<-END
			__attribute__((noinline)) unsigned burn(unsigned n)
			{
				unsigned s = 1;

				for (unsigned i = 0; i < n; i++)
					s = s * 5 + i$([ $side = a ] || echo ' % 7 / 3');
				return s;
			}
			int main(int argc, char **argv) { (void)argv; return burn(200000000 * argc) == 1; }
		END
		mkdir -p $side
		gcc -O1 -g -o $side/burn burn.c
		"$PERFMINI" record -g -e cpu-clock -F 1000 -o $side.data -- ./$side/burn >/dev/null 2>&1 ||
			skip "cannot record here"
	done
}

@test "tui: a function's instructions and source, from the report and back" {
	build_two
	start 100x40 "$PERFMINI report --no-children -i a.data"
	sees Overhead
	keys / ] Space b u r n Enter a
	sees 'Percent  Source and instructions'
	sees 'samples of cpu-clock'
	# The addresses are those that objdump gives the function.
	if command -v objdump >/dev/null; then
		objdump -d a/burn | sed -n '/<burn>:/,/^$/s/^ *\([0-9a-f]*\):.*/\1: /p' >addresses
		[ -s addresses ]
		while read -r address; do grep -qF -e "$address" screen.txt; done <addresses
	fi
	keys H
	sleep 1
	screen -e | grep -F $'\e[7m' | grep -qE '[0-9]+\.[0-9]+'
	keys q
	sees Overhead
	leaves q
}

@test "tui: a diff's rows, one's details and aligned code, the notes, and back" {
	build_two
	"$PERFMINI" diff --stdio a.data b.data >text
	start 120x40 "$PERFMINI diff a.data b.data"
	sees 'A: a.data'
	# The row of the text form, character by character.
	grep -E ' burn  \[burn\]' text | sed 's/ *$//' >row
	[ "$(wc -l <row)" -eq 1 ]
	grep -qxF -f row screen.txt
	keys / b u r n Enter v
	sees 'paired by'
	sees "object              $PWD/b/burn"
	keys q Enter
	sees 'code of B'
	sees ' same, '
	grep -qE ' [+~-] ' screen.txt
	keys q
	sees 'A: a.data'
	keys i
	sees '# warning: commands differ'
	keys q
	sees 'A: a.data'
	leaves q
}

@test "tui: annotate opens the hottest function, and --diff both builds of it" {
	build_two
	start 100x40 "$PERFMINI annotate -i a.data"
	sees 'Percent  Source and instructions'
	sees 'burn'
	leaves q
	rm ended && mux kill-server
	start 120x40 "$PERFMINI annotate --diff a.data b.data burn"
	sees 'burn'
	sees 'code of A'
	leaves q
	rm ended && mux kill-server
	start 100x40 "$PERFMINI annotate --stdio -i a.data burn | head -4; $PERFMINI annotate -i a.data nosuch"
	sees "no sample is in a function 'nosuch'"
}

@test "tui: eight colours, or none, do as well" {
	record_chains a.data
	for term in screen vt100; do
		export TERM=$term
		rm -f ended
		start 80x24 "TERM=$term $PERFMINI report -i a.data"
		sees "hot"
		screen -e >colored.txt
		run ! grep -qE '\[[0-9;]*38;5' colored.txt
		if [ $term = vt100 ]; then run ! grep -qE '\[[0-9;]*3[1-6]m' colored.txt; fi
		leaves q
		mux kill-server; rm -f socket
	done
}

@test "tui: names in Arabic and with combining marks are shown as they are, and stay in their columns" {
	cat >names.c <<-'END'
		volatile unsigned long sum;
		#define SPIN for (unsigned long i = 0; i < n; i++) sum += i ^ (sum >> 3)
		__attribute__((noinline)) void قياس_الوقت(unsigned long n) { SPIN; }
		__attribute__((noinline)) void e\u0301te_(unsigned long n) { SPIN; }
		int main(void) { قياس_الوقت(150000000); e\u0301te_(50000000); return 0; }
	END
	LC_ALL=C.UTF-8 "${CC:-cc}" -O1 -g -Wno-normalized -o names names.c 2>compile.log || skip "no compiler for such names"
	"$PERFMINI" record -q -e cpu-clock -F 1000 -o n.data -- ./names >record.log 2>&1 || skip "cannot record here"
	"$PERFMINI" report --stdio -g none -i n.data | grep -q '\[\.\] قياس_الوقت'
	start 80x24 "$PERFMINI report -i n.data"
	sees "قياس_الوقت"
	# The line under it begins its columns where the head does.
	sees "te_"
	leaves q
	expect 0 export -o n.svg n.data
	grep -q 'data-n="قياس_الوقت"' n.svg
}
