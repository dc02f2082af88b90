#!/bin/sh
# Print a C source that holds each file named as  const char events_STEM_tsv[].
for file; do
	stem=$(basename "$file" .tsv)
	printf 'extern const char events_%s_tsv[];\nconst char events_%s_tsv[] =\n' "$stem" "$stem"
	sed 's/\\/\\\\/g; s/"/\\"/g; s/\t/\\t/g; s/^/"/; s/$/\\n"/' "$file"
	echo '"";'
done
