#!/usr/bin/env bash
# Everything that is tested, in two lanes: one for Go, one for the page, which is
# built first. Each line of a part stands behind its name; the whole of what a
# failed part said is shown again at the end, after where the time went. A part
# that fails stops no other, so that one run tells all.
set -u
cd "$(dirname "$0")/.."
work=$(mktemp -d)
set -m # a lane is a group of its own, so that all of it can be ended
lanes=()
end() {
	for lane in ${lanes[@]+"${lanes[@]}"}; do kill -- "-$lane" 2>/dev/null; done
	rm -rf "$work"
}
trap end EXIT
trap 'exit 130' INT TERM

# part NAME COMMAND…: runs a command and notes what it said, what it took and
# whether it failed.
part() {
	local name=$1 took
	shift
	# The time comes last, behind a mark of its own.
	{
		TIMEFORMAT="$mark %0R"
		time "$@" 2>&1 || echo "$name" >>"$work/failed"
	} 2>&1 | while IFS= read -r line; do
		case $line in
		"$mark "*)
			took=${line#"$mark "}
			echo "$name $took" >>"$work/took"
			;;
		*)
			printf '%s\n' "$line" >>"$work/$name.said"
			printf '%-7s| %s\n' "$name" "$line"
			;;
		esac
	done
	[ ! -e "$work/failed" ] || ! grep -qx "$name" "$work/failed"
}
mark="took $$"

formatted() {
	local out
	out=$(find . -name node_modules -prune -o -name '*.go' -print | xargs gofmt -l)
	[ -z "$out" ] || { echo "not formatted, run gofmt -w:" $out; return 1; }
}
# The page is in these, so they wait for it; the others do not.
paged='^copse/(web|cmd/copse)$'
# For the browser the engine is vetted as it is built (-trimpath): what one has
# compiled, the other takes.
vetted() {
	go vet $(go list -e ./... | grep -vE "$paged") && GOOS=wasip1 GOARCH=wasm go vet -trimpath ./cmd/wasm
}
vettedAfter() {
	go vet $(go list ./... | grep -E "$paged")
}
browsed() {
	CHROMIUM=$(tools/chromium.sh) || return
	export CHROMIUM
	cd web && npm run --silent test:browser
}

# Whether the build is done, and well: the binary and its page are in the tests of
# Go too, so they wait for it.
built() {
	until [ -e "$work/built" ]; do sleep 0.2; done
	! grep -qsx build "$work/failed"
}

# Tests make much garbage and keep little: with memory to spare (some hundred
# megabytes) a fifth of their time is not spent on collecting it.
tested() {
	POSTGRES=$(tools/postgres.sh) || return
	export POSTGRES
	GOGC=400 go test -vet=off -timeout 30m ./...
}

# What makes releases is a module of its own.
toolsTested() {
	cd tools && go vet ./release && go test -vet=off ./release
}

# `go vet` asks all that `go test` would ask of vet again, and more.
{
	part gofmt formatted
	part vet vetted
	if built; then
		part vet-2 vettedAfter
		part tools toolsTested
		part go tested
	fi
} </dev/null &
lanes+=($!)
{
	part build "${MAKE:-make}" --no-print-directory build
	touch "$work/built"
	if built; then
		part types npm --prefix web run --silent check
		part page npm --prefix web run --silent unit
		part browser browsed
	fi
} </dev/null &
lanes+=($!)
wait
lanes=()

echo
echo "where the time went, in seconds:"
while read -r name seconds; do printf '%6d  %s\n' "$seconds" "$name"; done <"$work/took"
printf '%6d  all, Go beside the page\n' "$SECONDS"

[ -e "$work/failed" ] || exit 0
while read -r name; do
	echo
	echo "FAILED: $name"
	cat "$work/$name.said" 2>/dev/null
done <"$work/failed"
echo
echo "FAILED:" $(cat "$work/failed")
exit 1
