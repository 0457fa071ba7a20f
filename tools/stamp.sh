#!/bin/sh
# Prints the flags of Go's linker that write into the binary what it is built from:
# the commit, its date, and whether files were changed since. Where there is no
# repository it goes by what `git archive` has written into .stamp; where that says
# nothing either it prints nothing, and the version is told alone. `stamp.sh date`
# prints the date alone, in seconds.
set -eu
cd "$(dirname "$0")/.."

changed=
if [ -e .git ] && commit=$(git rev-parse HEAD 2>/dev/null); then
	at=$(git log -1 --format=%ct)
	[ -z "$(git status --porcelain 2>/dev/null)" ] || changed=true
else
	read -r commit at <.stamp
	case $commit in \$*) commit= at= ;; esac # nobody has filled it in
fi
if [ "${1:-}" = date ]; then
	echo "${at:-0}"
elif [ -n "$commit" ]; then
	date=$(date -u -d "@$at" +%Y-%m-%dT%H:%M:%SZ 2>/dev/null || date -u -r "$at" +%Y-%m-%dT%H:%M:%SZ)
	echo "-X main.commit=$commit -X main.date=$date -X main.changed=$changed"
fi
