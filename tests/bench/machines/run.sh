#!/bin/bash
# Merging many parts: time and memory of `compare` on 1 000 parts of 100 blocks with 20 events.
# usage: run.sh [PERFMINI [PARTS]]
set -eu
perfmini=$(realpath "${1:-build/release/perfmini}")
parts=${2:-1000}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

gawk -v parts="$parts" -v directory="$scratch" '
function header(part, e) {
	printf "{\"perfmini_runs\":1,\"kind\":\"ab\",\"version\":\"0\",\"host\":\"m%d\",\"cpu_model\":\"CPU %d\",\"seed\":%d,", part, part % 5, part >file
	printf "\"plan\":[\"share=%d/%d\",\"experiment-seed=7\",\"machine-id=%d\"],\"settings\":[],", part, parts, part >file
	printf "\"arms\":[{\"name\":\"A\",\"command\":[\"./old\"]},{\"name\":\"B\",\"command\":[\"./new\"]}],\"events\":[" >file
	for (e = 0; e < 20; e++)
		printf "%s{\"name\":\"event%d\",\"scale\":1,\"group\":0}", e ? "," : "", e >file
	print "],\"printed\":[]}" >file
}
function run(block, position, arm, wall, e) {
	printf "{\"arm\":%d,\"block\":%d,\"position\":%d,\"wall_ns\":%d,\"counts\":[", arm, block, position, wall >file
	for (e = 0; e < 20; e++)
		printf "%s[%d,9,9]", e ? "," : "", wall * (e + 1) >file
	print "]}" >file
}
BEGIN {
	srand(1)
	for (part = 1; part <= parts; part++) {
		system("mkdir " directory "/part-" part)
		file = directory "/part-" part "/ab.runs"
		header(part)
		effect = 0.02 * (rand() - 0.5)
		for (block = 0; block < 100; block++)
			for (position = 0; position < 2; position++) {
				arm = (block + position) % 2
				run(block, position, arm, int(1e6 * (1 + 0.05 * rand()) * (arm ? 1 + effect : 1)))
			}
		print "{\"end\":true,\"runs\":200}" >file
		close(file)
	}
}'
"$perfmini" stat -r 1 --save "$scratch/runs" -- "$perfmini" compare -f json --report "$scratch/report" "$scratch" 2>/dev/null ||
	[ $? -le 3 ]
echo "$(jq .blocks "$scratch/report") blocks of $(jq '.machines | length' "$scratch/report") machines:" \
	"$(jq -s '.[1].wall_ns / 1e9 * 100 | round / 100' "$scratch/runs") s," \
	"$(jq -s '.[1].peak_bytes / 1048576 | round' "$scratch/runs") MiB"
