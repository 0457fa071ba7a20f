package server

import (
	"errors"
	"net/http"
	"net/netip"
	"os"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"copse/doorbell"
	"copse/server/hall"
	"copse/store"
)

// Figures are what an operator can measure, in the form that Prometheus reads.
type Figures struct {
	registry *prometheus.Registry
	handler  http.Handler

	answers *prometheus.CounterVec
	took    *prometheus.HistogramVec
	build   *prometheus.GaugeVec
	streams prometheus.Gauge
	entries prometheus.Counter
	appends prometheus.Histogram
	failed  prometheus.Counter
	late    prometheus.Counter
	thought prometheus.Histogram
	cut     prometheus.Counter
	opened  prometheus.Histogram
	pushed  *prometheus.CounterVec
}

// NewFigures makes figures that are all zero.
func NewFigures() *Figures {
	quick := []float64{.0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 10}
	histogram := func(name, help string) prometheus.Histogram {
		return prometheus.NewHistogram(prometheus.HistogramOpts{Name: name, Help: help, Buckets: quick})
	}
	counter := func(name, help string) prometheus.Counter {
		return prometheus.NewCounter(prometheus.CounterOpts{Name: name, Help: help})
	}
	f := &Figures{
		registry: prometheus.NewRegistry(),
		answers:  prometheus.NewCounterVec(prometheus.CounterOpts{Name: "copse_answers_total", Help: "Requests answered, by what was asked and status."}, []string{"do", "status"}),
		took:     prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: "copse_answer_seconds", Help: "How long answers took, by what was asked and status, streams not counted.", Buckets: quick}, []string{"do", "status"}),
		build:    prometheus.NewGaugeVec(prometheus.GaugeOpts{Name: "copse_build_info", Help: "Which Copse this is; always 1."}, []string{"version", "commit", "date", "goversion", "platform"}),
		streams:  prometheus.NewGauge(prometheus.GaugeOpts{Name: "copse_streams", Help: "Streams that are open."}),
		entries:  counter("copse_entries_total", "Entries of logs that were synced to disk."),
		appends:  histogram("copse_append_seconds", "How long it took until entries were synced."),
		failed:   counter("copse_appends_failed_total", "Appends that were not done, conflicts not counted."),
		late:     counter("copse_append_conflicts_total", "Appends that were not done because another node was quicker."),
		thought:  histogram("copse_bot_seconds", "How long bots thought about a turn."),
		cut:      counter("copse_bots_cut_total", "Bots whose time was up before they had thought as much as they do."),
		pushed:   prometheus.NewCounterVec(prometheus.CounterOpts{Name: "copse_push_total", Help: "Messages for browsers, by what became of them."}, []string{"outcome"}),
		opened:   histogram("copse_open_seconds", "How long it took to open a table from its log."),
	}
	f.registry.MustRegister(f.answers, f.took, f.build, f.streams, f.entries, f.appends, f.failed, f.late, f.thought, f.cut, f.opened, f.pushed,
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	for _, o := range doorbell.Outcomes() { // from zero on, so that a first one shows
		f.pushed.WithLabelValues(string(o))
	}
	f.handler = promhttp.HandlerFor(f.registry, promhttp.HandlerOpts{})
	return f
}

// Heed are the functions by which a hall updates the figures.
func (f *Figures) Heed() hall.Heed {
	return hall.Heed{
		Appended: func(entries int, took time.Duration, err error) {
			var conflict *store.Conflict
			switch {
			case errors.As(err, &conflict):
				f.late.Inc()
				return
			case err != nil:
				f.failed.Inc()
				return
			}
			f.entries.Add(float64(entries))
			f.appends.Observe(took.Seconds())
		},
		Thought: func(_ string, took time.Duration, cut bool) {
			f.thought.Observe(took.Seconds())
			if cut {
				f.cut.Inc()
			}
		},
		Opened: func(took time.Duration) { f.opened.Observe(took.Seconds()) },
	}
}

// Pushed counts what became of a message for a browser.
func (f *Figures) Pushed(o doorbell.Outcome) { f.pushed.WithLabelValues(string(o)).Inc() }

// gauge adds a figure that is asked for when somebody looks.
func (f *Figures) gauge(name, help string, now func() float64) {
	f.registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: help}, now))
}

// Watch counts the tables of a hall that are open, and the bots that wait.
func (f *Figures) Watch(h *hall.Hall) {
	f.gauge("copse_tables_open", "Tables in memory.", func() float64 { return float64(h.Rooms()) })
	f.gauge("copse_bots_waiting", "Bots that are to think and wait for their turn.", func() float64 { return float64(h.Waiting()) })
}

// Measure tells how large the file of the database is, and the log file beside it,
// whose pages are not in the database yet.
func (f *Figures) Measure(database, wal string) {
	size := func(file string) func() float64 {
		return func() float64 {
			info, err := os.Stat(file)
			if err != nil {
				return 0 // there is none: a log file goes when the last who has it open closes it
			}
			return float64(info.Size())
		}
	}
	f.gauge("copse_database_bytes", "How large the file of the database is.", size(database))
	f.gauge("copse_wal_bytes", "How large the log file of the database is (its WAL).", size(wal))
}

// Built says which Copse this is.
func (f *Figures) Built(version, commit, date string) {
	f.build.WithLabelValues(version, commit, date, runtime.Version(), runtime.GOOS+"/"+runtime.GOARCH).Set(1)
}

// operation is the figures of one thing that can be asked for. Which of them belong to
// a status is looked up without a lock: it is asked with every request.
type operation struct {
	of    *Figures
	do    string
	timed bool // how long it takes says something

	mu   sync.Mutex
	seen atomic.Pointer[[]outcome]
}

// outcome is the figures of one status.
type outcome struct {
	status int
	times  prometheus.Counter
	took   prometheus.Observer // nil where it is not timed
}

// operation makes the figures of something that can be asked for.
func (f *Figures) operation(do string, timed bool) *operation {
	return &operation{of: f, do: do, timed: timed}
}

// count counts an answer.
func (o *operation) count(status int, took time.Duration) {
	out := o.find(status)
	if out == nil {
		out = o.add(status)
	}
	out.times.Inc()
	if out.took != nil {
		out.took.Observe(took.Seconds())
	}
}

// find is the figures of a status that was seen before.
func (o *operation) find(status int) *outcome {
	if seen := o.seen.Load(); seen != nil {
		for i := range *seen {
			if (*seen)[i].status == status {
				return &(*seen)[i]
			}
		}
	}
	return nil
}

// add makes the figures of a status that is seen for the first time.
func (o *operation) add(status int) *outcome {
	o.mu.Lock()
	defer o.mu.Unlock()
	if known := o.find(status); known != nil {
		return known // somebody was quicker
	}
	next := outcome{status: status, times: o.of.answers.WithLabelValues(o.do, strconv.Itoa(status))}
	if o.timed {
		next.took = o.of.took.WithLabelValues(o.do, strconv.Itoa(status))
	}
	var list []outcome
	if seen := o.seen.Load(); seen != nil {
		list = append(list, *seen...)
	}
	list = append(list, next)
	o.seen.Store(&list)
	return &list[len(list)-1]
}

// figures shows the figures to clients on this machine, or to everyone where that
// is wanted.
func (s *Server) figures(w http.ResponseWriter, r *http.Request) {
	if !s.AllSee {
		from, err := netip.ParseAddrPort(r.RemoteAddr)
		near := err == nil && from.Addr().Unmap().IsLoopback() || r.RemoteAddr == onSocket
		if !near || forwards(r) {
			say(w, http.StatusForbidden, "Figures are shown to this machine only: ask from here, or start copse serve with --open-metrics.")
			return
		}
	}
	w.Header().Set("Cache-Control", "no-store")
	s.Figures.handler.ServeHTTP(w, r)
}
