#!/bin/sh
# Checks what Prometheus and Grafana are given in contrib/: the rules, what they say to
# what happens, and every question of the dashboard. promtool is the one that $PROMTOOL
# names, that on the path, or Debian's, which is fetched without installing anything.
set -eu
cd "$(dirname "$0")/.."

promtool=${PROMTOOL:-$(command -v promtool || true)}
if [ -z "$promtool" ] && command -v apt-get >/dev/null; then
	promtool=$PWD/bin/prometheus/usr/bin/promtool
	if [ ! -x "$promtool" ]; then
		echo "Fetching promtool from Debian's package prometheus…" >&2
		mkdir -p bin/prometheus
		(cd bin/prometheus && apt-get download prometheus >&2 && dpkg -x prometheus_*.deb .)
	fi
fi
[ -x "$promtool" ] || {
	echo "The rules are checked by promtool: install Prometheus, or set PROMTOOL to the program." >&2
	exit 1
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$promtool" check rules contrib/prometheus/copse.rules.yml
"$promtool" test rules contrib/prometheus/copse.test.yml

# Each question of the dashboard becomes a rule, with its variables filled in.
node -e '
	const board = JSON.parse(require("fs").readFileSync("contrib/grafana/copse.json"));
	const asked = board.panels.flatMap((panel) => panel.targets.map((target) => target.expr.replaceAll("$instance", ".*")));
	if (asked.length < 20) throw new Error("the dashboard has only " + asked.length + " questions");
	console.log(JSON.stringify({ groups: [{ name: "dashboard", rules: asked.map((expr, i) => ({ record: "asked:" + i, expr })) }] }));
' >"$work/dashboard.yml"
"$promtool" check rules "$work/dashboard.yml"
if [ "$#" -gt 0 ]; then # figures as a server tells them
	"$promtool" check metrics <"$1"
fi
