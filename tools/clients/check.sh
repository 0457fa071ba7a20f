#!/usr/bin/env bash
# The API by tools that nobody here wrote, with the OpenAPI document of a running server
# alone: Redocly and Spectral look for anything wrong in it, oapi-codegen and
# openapi-typescript make clients of it, and each of these plays whole games.
set -euo pipefail
cd "$(dirname "$0")"
COPSE=${COPSE:-$PWD/../../bin/copse}
[ -x "$COPSE" ] || { echo "there is no $COPSE: make build"; exit 1; }
work=$(mktemp -d)
server=
end() {
	[ -z "$server" ] || { kill "$server" 2>/dev/null; wait "$server" 2>/dev/null; } || true
	rm -rf "$work"
}
trap end EXIT
trap 'exit 130' INT TERM

# What comes from registries, at the versions that are written down. No script of it runs.
npm ci --silent --no-audit --no-fund --ignore-scripts

mkfifo "$work/said"
"$COPSE" serve --addr localhost:0 --data "$work/data" --requests=-1 >"$work/said" 2>"$work/log" &
server=$!
exec 3<"$work/said"
read -r said <&3 || { cat "$work/log"; exit 1; }
[[ $said =~ (http://[^[:space:]]+) ]] || { echo "it said: $said"; exit 1; }
export COPSE COPSE_URL=${BASH_REMATCH[1]%/}
curl -fsS "$COPSE_URL/api/openapi.json" >openapi.json

export REDOCLY_TELEMETRY=off REDOCLY_SUPPRESS_UPDATE_NOTICE=true
echo "== Redocly"
# It fails on errors alone: so its list is counted.
npx --no-install redocly lint --config redocly.yaml --format json openapi.json >"$work/redocly" 2>"$work/redocly.said" || true
node -e '
  const { totals, problems } = JSON.parse(require("fs").readFileSync(process.argv[1], "utf8"));
  for (const p of problems) console.log(p.severity, p.ruleId, p.location[0]?.pointer, p.message);
  console.log(JSON.stringify(totals));
  process.exit(problems.length || totals.errors + totals.warnings + totals.ignored ? 1 : 0);
' "$work/redocly" || { cat "$work/redocly.said"; exit 1; }
echo "== Spectral"
npx --no-install spectral lint --ruleset spectral.yaml --fail-severity hint openapi.json

echo "== Go, by oapi-codegen"
mkdir -p api
go tool oapi-codegen -config oapi-codegen.yaml openapi.json
go vet ./...
go test -count 1 -v ./... | grep -vE '^(=== |\?)'

echo "== TypeScript, by openapi-typescript and openapi-fetch"
npx --no-install openapi-typescript openapi.json --output api.gen.ts >"$work/typescript" 2>&1 || { cat "$work/typescript"; exit 1; }
npx --no-install tsc
node --test --test-reporter=spec build/play.test.js
