#!/bin/sh
# Builds copse as it is released, for the machine that GOOS, GOARCH and GOARM name:
# tools/build.sh FILE. No C is linked, so that it needs nothing of the system it runs
# on; nothing of the folder, the time or the builder is in it, so that everybody who
# builds the same source with the same Go gets the same bytes.
set -eu
cd "$(dirname "$0")/.."
CGO_ENABLED=0 GOFLAGS='' GOWORK=off GOEXPERIMENT='' GOAMD64='' GOARM64='' GO386='' \
	exec go build -trimpath -buildvcs=false -ldflags "-s -w -buildid= $(tools/stamp.sh)" -o "$1" ./cmd/copse
