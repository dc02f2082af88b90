load lib

# offers WORD…: what bash offers for the last of these words of a command line, a line each.
offers() {
	bash -c '
		PATH=${PERFMINI%/*}:$PATH
		source "$1"
		shift
		COMP_WORDS=("$@")
		COMP_CWORD=$(($# - 1))
		_perfmini perfmini
		printf "%s\n" "${COMPREPLY[@]}"
	' bash "$TESTS/../src/cmd/completion/perfmini.bash" "$@"
}

# is_one_of LINE TEXT: one line of the text is exactly that.
is_one_of() {
	grep -qxe "$1" <<<"$2" || { printf 'no line "%s" in:\n%s\n' "$1" "$2"; return 1; }
}

@test "completion, bash: offers commands" {
	[ "$(offers perfmini worklo)" = workload ]
	is_one_of version "$(offers perfmini '')"
	is_one_of help "$(offers perfmini '')"
}

@test "completion, bash: offers the options of the command" {
	[ "$(offers perfmini workload --mark)" = --markers ]
	is_one_of --libraries "$(offers perfmini version -)"
	is_one_of --help "$(offers perfmini version -)"
}

@test "completion, bash: offers the words of an option" {
	[ "$(offers perfmini workload --markers g)" = global ]
	[ "$(offers perfmini workload --markers = i)" = imm ]
	is_one_of random "$(offers perfmini workload --pressure =)"
}

@test "completion, bash: leaves the rest to files" {
	[ -z "$(offers perfmini workload --array 1)" ]
	[ -z "$(offers perfmini workload sp)" ]
	[ -z "$(offers perfmini nosuch -)" ]
}

@test "completion, bash: perfmini is registered with files as the default" {
	run bash -c "source '$TESTS/../src/cmd/completion/perfmini.bash'; complete -p perfmini"
	[ "$output" = "complete -o default -F _perfmini perfmini" ]
}

# zsh's own functions are replaced by ones that print what they were asked to offer.
zsh_offers() {
	command -v zsh >/dev/null || skip "no zsh"
	PATH=${PERFMINI%/*}:$PATH zsh -f -c '
		_describe() { print -l -- "${(@P)2}" }
		_arguments() { print -l -- "$@" }
		file=$1; shift
		words=("$@") CURRENT=$#
		source $file
	' zsh "$TESTS/../src/cmd/completion/perfmini.zsh" "$@"
}

@test "completion, zsh: offers commands, options and their words" {
	command -v zsh >/dev/null || skip "no zsh"
	is_one_of "version:print the version and the libraries in use" "$(zsh_offers perfmini ver)"
	is_one_of "\*--markers=\[.*\]:KIND:(none global imm)" "$(zsh_offers perfmini workload --)"
	is_one_of "\*-t\[.*\]:N:_files" "$(zsh_offers perfmini workload --)"
	is_one_of "\*--list\[.*\]" "$(zsh_offers perfmini workload --)"
}
