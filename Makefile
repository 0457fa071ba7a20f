# Copse. `make run` plays, `make test` tests; CONTRIBUTING.md says the rest.

.PHONY: run test build bench lint fuzz race clean

run: build
	@./bin/copse play bosk

build:
	go build -o bin/copse ./cmd/copse

test: build
	@out=$$(gofmt -l .); if [ -n "$$out" ]; then echo "not formatted, run gofmt -w: $$out"; exit 1; fi
	go vet ./...
	go test ./...

# Figures, per CPU-second of one core; five runs of each show the spread.
bench:
	go test -run '^$$' -bench . -count 5 ./games/... ./game/...

lint: bin/golangci-lint
	bin/golangci-lint run ./...

bin/golangci-lint: tools/go.mod tools/go.sum
	cd tools && go build -o ../$@ github.com/golangci/golangci-lint/v2/cmd/golangci-lint

# Every decoder takes whatever anyone may send: a minute of it for each.
FUZZ_TIME := 60s
fuzz:
	@for package in $$(grep -rl --include='*_test.go' '^func Fuzz' . | xargs -n1 dirname | sort -u); do \
		for target in $$(grep -ho --include='*_test.go' '^func Fuzz[A-Za-z]*' $$package/*_test.go | sed 's/func //'); do \
			echo "== $$package $$target"; \
			go test -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZ_TIME) $$package || exit 1; \
		done; \
	done

# The race detector needs a C compiler, so it is no part of `make test`.
race:
	go test -race ./...

clean:
	rm -rf bin
