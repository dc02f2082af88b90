#!/bin/bash
# Run command tests with perfmini under valgrind: any error or leak of it makes the command fail.
# usage: valgrind.sh BUILD BATS…
build=$1
shift
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/perfmini" <<END
#!/bin/sh
exec valgrind -q --error-exitcode=99 --leak-check=full --errors-for-leak-kinds=definite "$build/perfmini" "\$@"
END
chmod +x "$folder/perfmini"
ln -s "$build/workloads" "$folder/workloads"
export PERFMINI=$folder/perfmini UNDER_VALGRIND=1
bats "$@"
