load lib

# make_install TARGET: into a staging folder, with a prefix of its own.
make_install() {
	make -s -C "$TESTS/.." BUILD="${PERFMINI%/perfmini}" PREFIX=/opt/pm DESTDIR="$BATS_TEST_TMPDIR/stage" "$1"
}

@test "install: program, pages and completions arrive under DESTDIR and PREFIX, and nothing elsewhere" {
	make_install install
	[ "$(stage/opt/pm/bin/perfmini --version)" = "$("$PERFMINI" --version)" ]
	[ -f stage/opt/pm/share/man/man1/perfmini.1 ]
	[ -f stage/opt/pm/share/man/man1/perfmini-workload.1 ]
	[ -f stage/opt/pm/share/bash-completion/completions/perfmini ]
	[ -f stage/opt/pm/share/zsh/site-functions/_perfmini ]
	[ -z "$(find stage -type f -not -path 'stage/opt/pm/*')" ]
	[ "$(find stage/opt/pm/share/man -type f | wc -l)" -eq "$(find "$TESTS/../man" "$TESTS/../perfmini.1" -name '*.[1-8]' | wc -l)" ]
}

@test "uninstall: leaves no file" {
	make_install install
	make_install uninstall
	[ -z "$(find stage -type f)" ]
}
