#!/bin/sh
# Every command of commands.def has its source, its man page and its tests; every option stands in its page.
# usage: registry.sh PERFMINI
perfmini=$1
status=0
names=$(sed -n 's/^COMMAND(\([a-z_]*\), "\([a-z-]*\)",.*/\1:\2/p' src/cmd/commands.def)
for pair in $names; do
	id=${pair%%:*} name=${pair#*:}
	page=man/perfmini-$name.1
	for file in "src/cmd/$id.c" "$page" "tests/cli/$name.bats"; do
		[ -f "$file" ] || { echo "commands.def: $name has no $file"; status=1; }
	done
	[ -f "$page" ] || continue
	for option in $("$perfmini" --complete "$name" | cut -f1 | sed 's/^--no-/--/' | sort -u); do
		plain=$(printf %s "$option" | sed 's/-/\\\\-/g')
		grep -q -e "$option" -e "$plain" "$page" || { echo "$page: does not explain $option"; status=1; }
	done
done
if command -v mandoc >/dev/null; then
	mandoc -T lint -W warning perfmini.1 man/*.[1-8] || status=1
else
	echo 'skipped: man page syntax (no mandoc)'
fi
exit $status
