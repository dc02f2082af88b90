# The examples of every manual page do what they say.
load lib

# What the examples name: programs, a repository with a branch main and a commit on it, saved runs.
setup() {
	cd "$BATS_TEST_TMPDIR" || return 1
	mkdir bin
	ln -s "$PERFMINI" bin/perfmini
	export PATH=$PWD/bin:$PATH PERFMINI_BUILD_ID_DIR=$PWD/cache HOME=$PWD
	cat >prog.c <<-'END'
		#include <stdio.h>
		#ifndef TURNS
		#define TURNS 3000000
		#endif
		__attribute__((noinline)) unsigned long hot(unsigned long n)
		{
			unsigned long sum = 1;
			for (unsigned long i = 0; i < n; i++)
				sum = sum * 33 + (i ^ sum >> 7);
			return sum;
		}
		int main(void) { return printf("%d\n", (int)(hot(TURNS) & 1)) < 0; }
	END
	printf 'bench: prog.c\n\t%s -O1 -g -o $@ prog.c\n' "${CC:-cc}" >Makefile
	make -s bench || skip "no compiler"
	for name in old new prog prog.old loop; do cp bench $name; done
	"${CC:-cc}" -O1 -g -DTURNS=3300000 -o prog.new prog.c
	echo text >input
	echo text >file
	git init -q -b main . && git config user.email a@example.org && git config user.name a
	printf '%s\n' '*' '!prog.c' '!Makefile' >.gitignore
	git add -f prog.c Makefile .gitignore && git commit -q -m one
	git checkout -q -b topic && sed -i 's/3000000/3030000/' prog.c && git commit -q -am two
	perfmini ab -q --blocks 6 --save ab.runs ./old ./new >/dev/null || :
	perfmini stat -r 6 --save monday.runs ./old >/dev/null 2>&1
	perfmini stat -r 6 --save tuesday.runs ./new >/dev/null 2>&1
	perfmini record -q -o one.data -- ./old >/dev/null 2>&1
	perfmini record -q -o two.data -- ./new >/dev/null 2>&1
}

# examples_of PAGE: its lines that start with "perfmini ".
examples_of() {
	awk '/^\.SH/ { on = $2 == "EXAMPLES" } on && /^perfmini / { gsub(/\\-/, "-"); print }' "$1"
}

# works LINE: it ends well; ab and compare may also have a verdict.
works() {
	local status=0
	bash -c "$1" >out 2>err </dev/null || status=$?
	case $1:$status in
	*:0 | perfmini\ ab*:[13] | perfmini\ compare*:[13]) return ;;
	esac
	printf '%s\nended with %s\n' "$1" "$status"
	cat out err
	return 1
}

@test "pages: the examples work" {
	for page in "$TESTS"/../perfmini.1 "$TESTS"/../man/*.1; do
		examples_of "$page" >examples
		while IFS= read -r line; do
			[[ $line == *" -a "* && $(id -u) -ne 0 ]] || works "$line"
		done <examples
	done
}

@test "pages: every command's page has examples, and one that is wrong is noticed" {
	for page in "$TESTS"/../man/perfmini-*.1; do
		[ -n "$(examples_of "$page")" ] || { echo "$page has none"; false; }
	done
	! works "perfmini stat --no-such-option true" || false
	! works "perfmini diff before.data nowhere.data" || false
}
