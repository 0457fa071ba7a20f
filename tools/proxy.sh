#!/bin/sh
# Prints where a proxy is, for the tests that need the real one: nginx or caddy, as $1
# says. It is the one that $NGINX_PROGRAM or $CADDY_PROGRAM names, or one on the path, or
# Debian's, which is fetched without installing anything: an installed one would begin to
# serve.
set -eu
cd "$(dirname "$0")/.."
PATH=$PATH:/usr/sbin:/usr/local/sbin

case $1 in
nginx) named=${NGINX_PROGRAM:-} asks="-v" place=usr/sbin/nginx name=NGINX_PROGRAM ;;
caddy) named=${CADDY_PROGRAM:-} asks="version" place=usr/bin/caddy name=CADDY_PROGRAM ;;
*)
	echo "There is no proxy $1 in contrib/." >&2
	exit 2
	;;
esac
runs() { "$1" $asks >/dev/null 2>&1; }

if [ -n "$named" ]; then
	runs "$named" && command -v "$named" && exit
	echo "$name names $named, and that does not run: correct it, or unset it to use the one on the path." >&2
	exit 1
fi
if program=$(command -v "$1") && runs "$program"; then
	echo "$program"
	exit
fi
program=$PWD/bin/$1/$place
if [ ! -x "$program" ] && command -v apt-get >/dev/null && command -v dpkg >/dev/null; then
	echo "Fetching $1 from Debian's package…" >&2
	mkdir -p "bin/$1"
	(cd "bin/$1" && apt-get download "$1" >&2 && dpkg -x "$1"_*.deb .) || rm -rf "bin/$1"
fi
if [ -x "$program" ] && runs "$program"; then
	echo "$program"
	exit
fi
echo "The tests of contrib/ need $1: install it (Debian: apt-get install $1; macOS: brew install $1), or set $name to the path of yours." >&2
exit 1
