load lib

teardown() {
	[ -z "${burner-}" ] || kill "$burner" 2>/dev/null || :
	[ ! -S socket ] || tmux -S socket kill-server
}

# burn: something to see.
burn() {
	"$PERFMINI" workload burn 900000000000 >/dev/null 3>&- &
	burner=$!
}

can_sample() {
	"$PERFMINI" record -q -a -e cpu-clock -F 100 -o can.data -- true 2>/dev/null || skip "cannot sample all CPUs here"
}

@test "top: the hottest function of the machine comes first, as text" {
	can_sample
	burn
	expect 0 top -n 2 -d 1 -w 1 --rows 5
	[ "$(grep -c '^# Overhead' <<<"$output")" -eq 2 ]
	[ "$(grep -c '^# perfmini itself: [0-9.]* % of a CPU' <<<"$output")" -eq 2 ]
	holds "$(grep '%  perfmini ' <<<"$output" | head -n 1)" "burn_share"
}

@test "top: one process alone; it ends with it" {
	"$PERFMINI" workload burn 900000000000 >/dev/null 3>&- &
	burner=$!
	"$PERFMINI" record -q -p $burner -e cpu-clock -F 100 -o can.data --timeout 50 2>/dev/null || skip "cannot sample here"
	expect 0 top -p $burner -n 1 -d 1 -w 1 -s sym
	[ "$(grep -c 'burn_share' <<<"$output")" -eq 1 ]
	run ! grep -q safe_halt <<<"$output"
	(sleep 1.5; kill $burner) 3>&- &
	expect 0 top -p $burner --stdio -d 1 -w 1
	burner=
}

@test "top: a view holds the samples of its window, and no older ones" {
	can_sample
	burn
	counts() { sed -n "s/^# Samples: \([0-9]*\) .*/\1/p" <<<"$output"; }
	# Windows of three views grow until they are full. A virtual machine may take fewer samples than asked for, never more.
	expect 0 top -n 3 -d 1 -w 3 -F 100 --rows 1
	counts | sort -n -u >grown
	[ "$(wc -l <grown)" -eq 3 ]
	diff grown <(counts)
	# Windows of one view do not: 100 samples a second and CPU, and what is read a little late.
	expect 0 top -n 4 -d 1 -w 1 -F 100 --rows 1
	for count in $(counts); do
		[ "$count" -gt 0 ] && [ "$count" -lt $((200 * $(nproc))) ]
	done
}

@test "top: costs less than 3 % of a CPU at 1 kHz" {
	can_sample
	burn
	for _ in 1 2 3; do
		expect 0 top -n 5 -d 1 -w 5 -F 1000 --rows 3
		cost=$(sed -n 's/^# perfmini itself: \([0-9.]*\) %.*/\1/p' <<<"$output" | sort -n | sed -n 3p)
		awk -v cost="$cost" 'BEGIN { exit !(cost < 3) }' && return
	done
	echo "$cost % of a CPU"
	false
}

@test "top: bad options are refused, and an event that cannot be sampled is told" {
	expect 129 top -p 1 -a
	expect 129 top -d 0
	expect 129 top -d 2 -w 1
	expect 129 top sleep 1
	holds "$stderr" "perfmini record -- sleep"
	expect 1 top -n 1 -e no-such-event
	holds "$stderr" "no-such-event"
	expect 1 top -n 1 -p 999999999
}

@test "top: on a terminal views follow one another, hold, change their columns, and leave" {
	can_sample
	command -v tmux >/dev/null || skip "no tmux"
	burn
	export LC_ALL=C.UTF-8 TERM=xterm-256color
	tmux -u -S socket -f /dev/null new-session -d -x 100 -y 30 "$PERFMINI top -d 0.5 -w 2; echo ended; sleep 100"
	sees() {
		for ((i = 0; i < 100; i++)); do
			tmux -S socket capture-pane -p >screen.txt
			! grep -qF -e "$1" screen.txt || return 0
			sleep 0.1
		done
		echo "wanted: $1"
		cat screen.txt
		return 1
	}
	sees "burn_share"
	sees "perfmini itself:"
	first=$(head -n 1 screen.txt)
	for ((i = 0; i < 50; i++)); do [ "$(tmux -S socket capture-pane -p | head -n 1)" = "$first" ] || break; sleep 0.1; done
	[ $i -lt 50 ]
	tmux -S socket send-keys p
	sees "held"
	first=$(head -n 1 screen.txt)
	sleep 1.2
	[ "$(tmux -S socket capture-pane -p | head -n 1)" = "$first" ]
	tmux -S socket send-keys o
	sees "Command"
	tmux -S socket send-keys d
	for ((i = 0; i < 50; i++)); do tmux -S socket capture-pane -p | grep -q kernel.kallsyms || break; sleep 0.1; done
	[ $i -lt 50 ]
	tmux -S socket send-keys q
	sees "ended"
	[ -z "$(pgrep -f "record --quiet --no-buildid" || :)" ]
}

@test "top: binaries are opened once, not for each view" {
	can_sample
	command -v strace >/dev/null || skip "no strace"
	cp "$PERFMINI" burner
	./burner workload burn 900000000000 >/dev/null 3>&- &
	burner=$!
	for views in 2 5; do
		under_strace -f -e trace=openat -o opened.$views "$PERFMINI" top -p $burner -g -n $views -d 0.5 -w 1 >/dev/null
		grep -c '"[^"]*/burner"' opened.$views >count.$views
	done
	[ "$(cat count.5)" -gt 0 ]
	diff count.2 count.5
}
