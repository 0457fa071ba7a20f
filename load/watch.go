package load

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"runtime"
	"runtime/pprof"
	"strconv"
	"strings"
	"sync"
)

// Usage is what a process has used.
type Usage struct {
	CPU   float64 `json:"cpu"`   // seconds, since it began
	Heap  uint64  `json:"heap"`  // bytes that are in use; what is left of them after a collection where that was asked for
	Stack uint64  `json:"stack"` // bytes of stacks
	Taken float64 `json:"taken"` // bytes of the heap that were taken, since it began, whether they are in use or not

	Appends   float64 `json:"appends"`   // to logs, that were tried
	Conflicts float64 `json:"conflicts"` // of these, because another node was quicker

	Spans []Span `json:"spans,omitempty"` // how long appends took
}

// Span is how many took no longer than so many seconds.
type Span struct{ Most, Count float64 }

// usageNow is what this process has used.
func usageNow(collect bool) Usage {
	if collect {
		runtime.GC()
		runtime.GC() // what only waited to be finished is gone after the second
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return Usage{CPU: cpuTime().Seconds(), Heap: m.HeapAlloc, Stack: m.StackInuse, Taken: float64(m.TotalAlloc)}
}

// Watch lets a process that is put under load be measured from outside: what it
// uses, and where its time goes. It is for the process that started it alone.
func Watch() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /usage", func(w http.ResponseWriter, r *http.Request) {
		_ = json.NewEncoder(w).Encode(usageNow(r.URL.Query().Has("collect"))) // who hangs up does not want to know
	})
	var mu sync.Mutex
	var profile bytes.Buffer
	mux.HandleFunc("GET /profile/begin", func(w http.ResponseWriter, _ *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		profile.Reset()
		if err := pprof.StartCPUProfile(&profile); err != nil {
			http.Error(w, err.Error(), http.StatusConflict)
		}
	})
	mux.HandleFunc("GET /profile/end", func(w http.ResponseWriter, _ *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		pprof.StopCPUProfile()
		_, _ = w.Write(profile.Bytes())
	})
	mux.HandleFunc("GET /allocs", func(w http.ResponseWriter, _ *http.Request) {
		_ = pprof.Lookup("allocs").WriteTo(w, 0) // who hangs up does not want to know
	})
	return mux
}

// Meter tells what the server has used, if need be after a collection.
type Meter func(ctx context.Context, collect bool) (Usage, error)

// Watched asks a process that serves Watch at an address.
func Watched(url string) Meter {
	return func(ctx context.Context, collect bool) (u Usage, err error) {
		at := url + "/usage"
		if collect {
			at += "?collect"
		}
		raw, err := fetch(ctx, at)
		if err == nil {
			err = json.Unmarshal(raw, &u)
		}
		return u, err
	}
}

// Together is what several have used.
func Together(meters ...Meter) Meter {
	return func(ctx context.Context, collect bool) (sum Usage, err error) {
		for _, meter := range meters {
			u, err := meter(ctx, collect)
			if err != nil {
				return sum, err
			}
			sum = Usage{sum.CPU + u.CPU, sum.Heap + u.Heap, sum.Stack + u.Stack, sum.Taken + u.Taken, sum.Appends + u.Appends, sum.Conflicts + u.Conflicts, addSpans(sum.Spans, u.Spans, 1)}
		}
		return sum, nil
	}
}

// addSpans adds the counts of other spans, so many times.
func addSpans(list, more []Span, times float64) []Span {
	if len(list) == 0 {
		list = make([]Span, len(more))
	}
	sum := make([]Span, min(len(list), len(more)))
	for i := range sum {
		sum[i] = Span{more[i].Most, list[i].Count + times*more[i].Count}
	}
	return sum
}

// middle is what half of them take at most, as far as the spans tell: in between it
// is taken to be even.
func middle(spans []Span) float64 {
	if len(spans) == 0 {
		return 0
	}
	half, before := spans[len(spans)-1].Count/2, Span{}
	for _, s := range spans {
		if s.Count >= half && s.Count > before.Count {
			return before.Most + (s.Most-before.Most)*(half-before.Count)/(s.Count-before.Count)
		}
		before = s
	}
	return 0
}

// Counted is a meter that takes what a server counts from its metrics.
func Counted(meter Meter, url string) Meter {
	return func(ctx context.Context, collect bool) (Usage, error) {
		u, err := meter(ctx, collect)
		if err != nil {
			return u, err
		}
		counted, err := Metrics(url)(ctx, false)
		u.Appends, u.Conflicts, u.Spans = counted.Appends, counted.Conflicts, counted.Spans
		return u, err
	}
}

// Metrics asks a server for the figures that it shows to Prometheus. Nobody can
// make it collect, so the heap is what it happens to be.
func Metrics(url string) Meter {
	return func(ctx context.Context, _ bool) (u Usage, err error) {
		raw, err := fetch(ctx, url+"/metrics")
		if err != nil {
			return u, err
		}
		for lines := bufio.NewScanner(strings.NewReader(string(raw))); lines.Scan(); {
			name, value, _ := strings.Cut(lines.Text(), " ")
			n, err := strconv.ParseFloat(value, 64)
			if err != nil {
				continue
			}
			if most, ok := strings.CutPrefix(name, `copse_append_seconds_bucket{le="`); ok {
				most, err := strconv.ParseFloat(strings.TrimSuffix(most, `"}`), 64)
				if err == nil {
					u.Spans = append(u.Spans, Span{most, n})
				}
			}
			switch name {
			case "process_cpu_seconds_total":
				u.CPU = n
			case "go_memstats_heap_alloc_bytes":
				u.Heap = uint64(n)
			case "go_memstats_stack_inuse_bytes":
				u.Stack = uint64(n)
			case "go_memstats_alloc_bytes_total":
				u.Taken = n
			case "copse_append_seconds_count", "copse_appends_failed_total":
				u.Appends += n
			case "copse_append_conflicts_total":
				u.Appends += n
				u.Conflicts = n
			}
		}
		return u, nil
	}
}

// Profile has a watched process note where its time goes, from now until what it
// gives is called, which writes the profile.
func Profile(ctx context.Context, url string, out io.Writer) (ended func() error, err error) {
	if _, err := fetch(ctx, url+"/profile/begin"); err != nil {
		return nil, err
	}
	return func() error {
		raw, err := fetch(ctx, url+"/profile/end")
		if err == nil {
			_, err = out.Write(raw)
		}
		return err
	}, nil
}

// Allocs writes where a watched process has taken memory since it began.
func Allocs(ctx context.Context, url string, out io.Writer) error {
	raw, err := fetch(ctx, url+"/allocs")
	if err == nil {
		_, err = out.Write(raw)
	}
	return err
}

func fetch(ctx context.Context, url string) ([]byte, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, err
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	defer func() { _ = res.Body.Close() }()
	raw, err := io.ReadAll(io.LimitReader(res.Body, longestAnswer))
	if err == nil && res.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s is %w", url, &problem{res.StatusCode, raw})
	}
	return raw, err
}
