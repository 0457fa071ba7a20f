# Copse. `make run` plays, `make test` tests; CONTRIBUTING.md says the rest.

SHELL := /bin/bash

.PHONY: run build test torture cluster same bench load lighthouse blocking train-check pictures lint fuzz race portable notices release release-check promtool interop interop-proxy interop-api clean FORCE

# No C is linked and no path of a machine is kept, in what is tested as in what is
# released: so a binary needs nothing of the system it runs on.
export CGO_ENABLED := 0
export GOFLAGS := -trimpath

# Builds what is not yet built and opens the table at http://localhost:8080.
run: build
	@./bin/copse serve

build: bin/copse

# Go itself knows what a binary is made of, so it is always asked; it answers at
# once where nothing has changed.
bin/copse: web/build/handbook FORCE
	@go build -buildvcs=false -ldflags "$$(tools/stamp.sh)" -o $@ ./cmd/copse

# The engines for the browser, one a game: each folder of games is one. A new one
# is taken only where it differs, so that a change of a comment does not build the
# page again; hence no word of the commit in it either.
ENGINES := $(patsubst games/%/,web/build/engine-%.wasm,$(wildcard games/*/))
$(ENGINES): web/build/engine-%.wasm: FORCE
	@mkdir -p web/build
	@GOOS=wasip1 GOARCH=wasm go build -tags single,$* -buildmode=c-shared -buildvcs=false -trimpath -ldflags='-s -w' -o web/build/$*.next ./cmd/wasm
	@{ test -e $@ && cmp -s web/build/$*.next web/build/$*.linked; } || { node web/scripts/join.mjs web/build/$*.next $@ && cp web/build/$*.next web/build/$*.linked; }

# What the page is built with and only Go knows.
PRINTED := $(wildcard web/build/print/*.json web/build/print/*/*.json)
web/build/print: FORCE
	@go run ./cmd/print $@

$(PRINTED): web/build/print ;

# The page, as it goes into the binary: web/dist/site.
PAGE := $(shell find web/src web/public web/scripts -type f ! -name '*.test.ts' 2>/dev/null) \
	$(wildcard web/index.html web/*.json web/*.js web/*.ts i18n/*.json games/*/rules.*.md nets/*.net)
web/build/site: $(ENGINES) $(PRINTED) web/node_modules/.package-lock.json $(PAGE) | web/build/print
	cd web && npm run --silent build
	@touch $@

# The documents as pages of the page, beside it in web/dist/site.
HANDBOOK := $(wildcard web/handbook/* *.md docs/*.md docs/pictures/*.svg train/README.md examples/*.py)
web/build/handbook: web/build/site $(HANDBOOK)
	cd web && npm run --silent handbook
	@touch $@

web/node_modules/.package-lock.json: web/package-lock.json
	@command -v npm >/dev/null || { echo "The page is built by Node: install Node 20.19 or newer from https://nodejs.org."; exit 1; }
	cd web && npm ci --no-audit --no-fund
	@touch $@

# Go beside the page, and at the end where the time went.
test:
	@tools/test.sh

# The tests that kill, harm and crash: 500 deaths of the server and of the store,
# 10,000 crash points, 3,000 harms, a small disk, and 2,000 small decks of Tree
# Society in each version of its rules, in place of the few that `make test` has
# time for; and the tests in a browser, with every screen loaded in every
# language and read in it at every size, where `make test` rewords it and takes one
# language a size, and every move seen by everybody. Its last lines are the figures
# of docs/store.md.
TORTURE := bin/torture.log
torture: build
	@set -o pipefail; POSTGRES=$$(tools/postgres.sh) || exit; export POSTGRES; COPSE_TORTURE=1 go test -tags torture -count 1 -p 1 -parallel 1 -timeout 120m -v -run 'Killed|Harm|Crashed|SmallDisk|SmallDecks|CrowdedDecks|SameWayWithStrangeDecks' ./games/treesociety ./store/... ./cmd/copse 2>&1 \
		| tee $(TORTURE) | grep -E --line-buffered 'so far|figures|^(---|ok|FAIL|panic)|^    [a-z_]+_test.go' || { tail -40 $(TORTURE); exit 1; }
	CHROMIUM=$$(tools/chromium.sh) && export CHROMIUM && cd web && COPSE_TORTURE=1 npm run --silent test:browser
	@$(MAKE) --no-print-directory cluster
	@echo; echo "make torture, $$(date -u +%Y-%m-%d), $$(git rev-parse --short HEAD 2>/dev/null), $$(nproc 2>/dev/null) cores:"; \
		sed -n 's/.*figures: /- /p' $(TORTURE) $(CLUSTER)

# Three real nodes under a nemesis: 1,000 mishaps within an hour, where `make test`
# has time for 40, and planted mistakes that must be caught. It is the same every
# time: COPSE_SEED=7 make cluster is another one. What was planned stands in the log.
CLUSTER := bin/cluster.log
cluster: build
	@mkdir -p bin; set -o pipefail; POSTGRES=$$(tools/postgres.sh) || exit; export POSTGRES; COPSE_TORTURE=1 go test -count 1 -parallel 1 -timeout 150m -v ./cluster 2>&1 \
		| tee $(CLUSTER) | grep -E --line-buffered '^so far|COPSE_SEED|figures|^(---|ok|FAIL|panic)' || { tail -60 $(CLUSTER); exit 1; }

# Levels choose the same in a browser: a thousand positions a game, where `make test`
# has time for 60.
same:
	COPSE_TORTURE=1 go test -count 1 -timeout 60m -v -run TheBrowserAnswersAsTheBinary ./cmd/wasm

# Figures, per CPU-second of one core; five runs of each show the spread. Then
# those of the page, and those of a server under load.
bench: build
	go test -run '^$$' -bench . -count 5 ./games/... ./game/... ./bot
	POSTGRES=$$(tools/postgres.sh) && export POSTGRES && go test -run '^$$' -bench . -count 5 ./table ./store/... ./news/... ./server/...
	CHROMIUM=$$(tools/chromium.sh) && export CHROMIUM && cd web && npm run --silent bench
	@$(MAKE) --no-print-directory load

# What a server costs under load, beside the least that could do the same:
# 1,000 tables at a move a second, and as fast as it goes; then one to three nodes
# over a PostgreSQL; docs/load.md.
load: build
	@for i in 1 2 3; do bin/copse load --bare || exit 1; done
	@for i in 1 2 3; do bin/copse load --bare --rate 0 || exit 1; done
	POSTGRES=$$(tools/postgres.sh) && export POSTGRES && go test -run '^$$' -bench Nodes -benchtime 1x -count 3 ./cmd/copse

# How quickly the page is there on a phone, by Lighthouse; web/lighthouse has what that
# needs by itself. It measures the machine too: on a busy one it says little.
lighthouse: build
	cd web/lighthouse && npm ci --no-audit --no-fund
	CHROMIUM=$$(tools/chromium.sh) && export CHROMIUM && node web/lighthouse/lighthouse.mjs

# What keeps the page from hearing anybody while it loads, task by task, in processor time:
# that says something on a busy machine too.
blocking: build
	CHROMIUM=$$(tools/chromium.sh) && export CHROMIUM && node web/scripts/blocking.mjs

# train.py makes a tiny net, and Go must read it and say of every position what Python says.
# It needs a Python with PyTorch and NumPy (PYTHON=… names it), and fails where there is
# none; it is no part of make test.
PYTHON ?= python3
train-check:
	@$(PYTHON) -c 'import numpy, torch' 2>/dev/null || { echo "train-check: $(PYTHON) has no PyTorch or no NumPy, so train.py cannot be tried: name another with PYTHON=…" >&2; exit 1; }
	COPSE_TRAIN_PYTHON="$$(command -v $(PYTHON))" go test -tags train -count=1 -v ./train

# The pictures of the page in docs/pictures, from real games.
pictures: build
	CHROMIUM=$$(tools/chromium.sh) && export CHROMIUM && cd web && npm run --silent pictures

lint: bin/golangci-lint
	bin/golangci-lint run ./...

bin/golangci-lint: tools/go.mod tools/go.sum
	cd tools && go build -o ../$@ github.com/golangci/golangci-lint/v2/cmd/golangci-lint

# Every decoder takes whatever anyone may send: a minute of it for each.
FUZZ_TIME := 60s
fuzz:
	@for package in $$(grep -rl --include='*_test.go' --exclude-dir=node_modules '^func Fuzz' . | xargs -n1 dirname | sort -u); do \
		for target in $$(grep -ho --include='*_test.go' '^func Fuzz[A-Za-z]*' $$package/*_test.go | sed 's/func //'); do \
			echo "== $$package $$target"; \
			go test -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZ_TIME) $$package || exit 1; \
		done; \
	done

# The race detector needs a C compiler, so it is no part of `make test`.
race:
	CGO_ENABLED=1 go test -race -timeout 60m ./...

# Everything is compiled and vetted for machines of 32 bits and for other systems:
# minutes, where nothing of it was compiled before.
portable:
	GOARCH=386 go vet ./...
	GOARCH=arm go vet ./...
	@for system in darwin/arm64 windows/amd64 freebsd/amd64; do \
		echo $$system; GOOS=$${system%/*} GOARCH=$${system#*/} go build -o /dev/null ./cmd/copse || exit 1; \
	done

# The licences of everything that is linked, as /licences.txt hands them out. A test
# says when they are old.
notices: web/build/site
	cd tools && go run ./release notices

# What people install, in dist/: docs/release.md.
release: build
	cd tools && go run ./release make

# Installs, starts, upgrades and removes what `make release` has made, as far as this
# machine can; docs/release.md says what it needs.
release-check:
	tools/release-check.sh

# The alerts and the dashboard in contrib/, by Prometheus's own tool.
promtool:
	tools/promtool.sh

# What Copse is told to work with, by the real programs.
interop: interop-proxy interop-api

# contrib/nginx.conf and contrib/Caddyfile, by the real nginx and Caddy.
interop-proxy: build
	NGINX_PROGRAM=$$(tools/proxy.sh nginx) && CADDY_PROGRAM=$$(tools/proxy.sh caddy) && export NGINX_PROGRAM CADDY_PROGRAM && \
		go vet -tags interop ./cmd/copse && go test -tags interop -count 1 -timeout 10m -run '^TestBehind' ./cmd/copse

# What tools that nobody here wrote make of the API: two linters of its document, and
# two clients made of it that play whole games; docs/api.md.
interop-api: build
	tools/clients/check.sh

clean:
	rm -rf bin dist web/build web/dist/site
