# Runs files made up, for the tests of compare.

# [machine=NAME] ab_runs FILE BLOCKS EFFECT NOISE [PLAN…]: wall times of A around 1 ms, of B EFFECT (0.05: 5 %) longer, give or take NOISE.
ab_runs() {
	local file=$1 blocks=$2 effect=$3 noise=$4 plan=
	shift 4
	for text; do
		plan="$plan${plan:+,}\"$text\""
	done
	awk -v n="$blocks" -v effect="$effect" -v noise="$noise" -v plan="$plan" -v machine="${machine-}" 'BEGIN {
		split("-1 1 -0.6 0.6 -0.3 0.3 -0.8 0.8 -0.1 0.1 -0.45 0.45 -0.7 0.7 -0.2 0.2 -0.9 0.9 -0.5 0.5", z, " ")
		printf "{\"perfmini_runs\":1,\"kind\":\"ab\",\"version\":\"0\",\"seed\":7,\"plan\":[%s],\"settings\":[],", plan
		if (machine != "")
			printf "\"host\":\"%s\",\"cpu_model\":\"%s\",", machine, machine ~ /^old/ ? "Zen 2" : "Zen 4"
		printf "\"arms\":[{\"name\":\"A\",\"command\":[\"./old\"]},{\"name\":\"B\",\"command\":[\"./new\"]}],"
		print "\"events\":[{\"name\":\"cycles\",\"scale\":1,\"group\":0}],\"printed\":[]}"
		for (i = 0; i < n; i++)
			for (p = 0; p < 2; p++) {
				arm = (i + int(i / 3) + p) % 2
				wall = 1000000 + 500 * (i % 4)
				if (arm)
					wall *= 1 + effect + noise * z[i % 20 + 1]
				printf "{\"arm\":%d,\"block\":%d,\"position\":%d,\"wall_ns\":%d,", arm, i, p, wall
				printf "\"counts\":[[900719925474099%d,9,9]]}\n", 3 + arm * 2
			}
		printf "{\"end\":true,\"runs\":%d}\n", 2 * n
	}' >"$file"
}
