#!/usr/bin/gawk -f
# Folds what `perf script -F comm,pid,ip,sym,dso` prints: a line a sample ("comm pid ip sym (dso)"), or a head ("comm pid")
# with a line a frame under it, innermost first.
function frame(name, dso) {
	if (name == "[unknown]" || name == "") {
		name = dso
		sub(/.*\//, "", name)
		sub(/ \(deleted\)/, "", name)
		if (name !~ /^\[/)
			name = "[" name "]"
	}
	gsub(/;/, ":", name)
	return name
}
function begin(name) { put(); comm = name; gsub(/;/, ":", comm) }
function put() { if (comm != "") count[comm chain]++; comm = chain = "" }
/^$/ { put(); next }
match($0, /^[\t ]+([0-9a-f]+) (.*) \((.*)\) *$/, m) && comm != "" { chain = ";" frame(m[2], m[3]) chain; next }
match($0, /^ *(.*[^ ]) +(-?[0-9]+) +([0-9a-f]+) (.*) \((.*)\) *$/, m) {
	begin(m[1])
	chain = ";" frame(m[4], m[5])
	put()
	next
}
match($0, /^ *(.*[^ ]) +(-?[0-9]+) *$/, m) { begin(m[1]) }
END { put(); for (c in count) print c, count[c] }
