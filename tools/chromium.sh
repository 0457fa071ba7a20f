#!/bin/sh
# Prints where Chromium is, for the tests that need a real browser: the one that
# $CHROMIUM names, or one on the path. Where there is none and Debian's can be
# installed without asking anybody, it is.
set -eu

look() {
	for browser in chromium chromium-browser google-chrome \
		"/Applications/Chromium.app/Contents/MacOS/Chromium" \
		"/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"; do
		command -v "$browser" && return
	done
	return 1
}

if [ -n "${CHROMIUM:-}" ]; then
	command -v "$CHROMIUM" && exit
	echo "CHROMIUM names $CHROMIUM, and that is no program: correct it, or unset it to use the Chromium on the path." >&2
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
		echo "Installing Chromium for the browser tests…" >&2
		install="$as_root apt-get install -y --no-install-recommends chromium"
		{ $install || { $as_root apt-get update && $install; }; } >&2 && look && exit
	fi
fi
echo "The browser tests need Chromium or Chrome: install one (Debian: apt-get install chromium; macOS: brew install --cask chromium), or set CHROMIUM to the path of yours." >&2
exit 1
