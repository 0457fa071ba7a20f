#!/bin/sh
# Prints the folder of PostgreSQL's programs, for the tests that need a real server:
# the one that $POSTGRES names, that of postgres on the path, or Debian's newest.
# Where there is none and Debian's can be installed without asking anybody, it is.
set -eu

look() {
	if program=$(command -v postgres); then
		folder=$(dirname "$(readlink -f "$program")")
		[ -x "$folder/initdb" ] && echo "$folder" && return
	fi
	for folder in $(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -rV) /opt/homebrew/opt/postgresql*/bin; do
		[ -x "$folder/postgres" ] && [ -x "$folder/initdb" ] && echo "$folder" && return
	done
	return 1
}

if [ -n "${POSTGRES:-}" ]; then
	[ -x "$POSTGRES/postgres" ] && echo "$POSTGRES" && exit
	echo "POSTGRES names $POSTGRES, and there is no program postgres in it: correct it, or unset it to use the one that is installed." >&2
	exit 1
fi
look && exit

if command -v apt-get >/dev/null; then
	as_root=none
	if [ "$(id -u)" = 0 ]; then
		as_root=
	elif sudo -n true 2>/dev/null; then
		as_root="sudo -n"
	fi
	if [ "$as_root" != none ]; then
		echo "Installing PostgreSQL for the tests…" >&2
		install="$as_root apt-get install -y --no-install-recommends postgresql"
		{ $install || { $as_root apt-get update && $install; }; } >&2 && look && exit
	fi
fi
echo "The tests need PostgreSQL: install it (Debian: apt-get install postgresql; macOS: brew install postgresql), or set POSTGRES to the folder of its programs." >&2
exit 1
