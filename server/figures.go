package server

import (
	"errors"
	"net/http"
	"net/netip"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"copse/server/hall"
	"copse/store"
)

// Figures are what an operator can measure, in the form that Prometheus reads.
type Figures struct {
	registry *prometheus.Registry
	handler  http.Handler

	answers *prometheus.CounterVec
	took    *prometheus.HistogramVec
	streams prometheus.Gauge
	entries prometheus.Counter
	appends prometheus.Histogram
	failed  prometheus.Counter
	late    prometheus.Counter
	thought prometheus.Histogram
	cut     prometheus.Counter
	opened  prometheus.Histogram
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
		took:     prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: "copse_answer_seconds", Help: "How long answers took, streams not counted.", Buckets: quick}, []string{"do"}),
		streams:  prometheus.NewGauge(prometheus.GaugeOpts{Name: "copse_streams", Help: "Streams that are open."}),
		entries:  counter("copse_entries_total", "Entries of logs that were synced to disk."),
		appends:  histogram("copse_append_seconds", "How long it took until entries were synced."),
		failed:   counter("copse_appends_failed_total", "Appends that were not done, conflicts not counted."),
		late:     counter("copse_append_conflicts_total", "Appends that were not done because another node was quicker."),
		thought:  histogram("copse_bot_seconds", "How long bots thought about a turn."),
		cut:      counter("copse_bots_cut_total", "Bots whose time was up before they had thought as much as they do."),
		opened:   histogram("copse_open_seconds", "How long it took to open a table from its log."),
	}
	f.registry.MustRegister(f.answers, f.took, f.streams, f.entries, f.appends, f.failed, f.late, f.thought, f.cut, f.opened,
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
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

// Watch counts the tables of a hall that are open, and the bots that wait.
func (f *Figures) Watch(h *hall.Hall) {
	f.registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "copse_tables_open", Help: "Tables in memory."}, func() float64 { return float64(h.Rooms()) }),
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "copse_bots_waiting", Help: "Bots that are to think and wait for their turn."}, func() float64 { return float64(h.Waiting()) }))
}

// answered are the figures of an endpoint. The answer that is usual there has no need
// to be looked up each time.
type answered struct {
	*Figures
	end   *endpoint
	usual atomic.Pointer[usualAnswer]
}

type usualAnswer struct {
	answers prometheus.Counter
	took    prometheus.Observer
}

// of are the figures of an endpoint, nil where there are none at all.
func (f *Figures) of(e *endpoint) *answered {
	if f == nil {
		return nil
	}
	return &answered{Figures: f, end: e}
}

// count counts an answer.
func (a *answered) count(status int, took time.Duration) {
	if a == nil {
		return
	}
	u := a.usual.Load()
	if u == nil || status != a.end.status {
		u = &usualAnswer{answers: a.answers.WithLabelValues(a.end.name, strconv.Itoa(status))}
		if a.end.mime != eventStream {
			u.took = a.took.WithLabelValues(a.end.name)
		}
		if status == a.end.status {
			a.usual.Store(u)
		}
	}
	u.answers.Inc()
	if u.took != nil {
		u.took.Observe(took.Seconds())
	}
}

// figures shows the figures to clients on this machine, or to everyone where that
// is wanted.
func (s *Server) figures(w http.ResponseWriter, r *http.Request) {
	if !s.AllSee {
		from, err := netip.ParseAddrPort(r.RemoteAddr)
		if err != nil || !from.Addr().Unmap().IsLoopback() || r.Header.Get("X-Forwarded-For") != "" || r.Header.Get("Forwarded") != "" {
			say(w, http.StatusForbidden, "Figures are shown to this machine only: ask from here, or start copse serve with --open-metrics.")
			return
		}
	}
	w.Header().Set("Cache-Control", "no-store")
	s.Figures.handler.ServeHTTP(w, r)
}
