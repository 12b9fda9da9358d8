package serve

import (
	"net/http"
	"runtime/debug"
	"strconv"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// metrics are what /metrics shows. Each server has its own.
type metrics struct {
	registry *prometheus.Registry
	page     http.Handler

	requests *prometheus.CounterVec
	seconds  *prometheus.HistogramVec
	vectors  *prometheus.CounterVec
	reloads  *prometheus.CounterVec
	symbols  *prometheus.GaugeVec
	bytes    *prometheus.GaugeVec
	opened   *prometheus.GaugeVec
}

func newMetrics() *metrics {
	counter := func(name, help string, labels ...string) *prometheus.CounterVec {
		return prometheus.NewCounterVec(prometheus.CounterOpts{Name: name, Help: help}, labels)
	}
	gauge := func(name, help string, labels ...string) *prometheus.GaugeVec {
		return prometheus.NewGaugeVec(prometheus.GaugeOpts{Name: name, Help: help}, labels)
	}
	m := &metrics{
		registry: prometheus.NewRegistry(),
		requests: counter("kd_requests_total", "Requests answered, by route and status; 499 is a client that went away.", "route", "status"),
		seconds: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "kd_request_seconds", Help: "Time taken to answer a request, by route.",
			Buckets: []float64{5e-6, 1e-5, 2.5e-5, 5e-5, 1e-4, 2.5e-4, 5e-4, 1e-3, 2.5e-3, 5e-3, 1e-2, 2.5e-2, 5e-2, 0.1, 0.25, 0.5, 1, 2.5, 5, 10},
		}, []string{"route"}),
		vectors: counter("kd_vectors_total", "Vectors served, by table.", "table"),
		reloads: counter("kd_reloads_total", "Reloads of a table, by result.", "table", "result"),
		symbols: gauge("kd_table_symbols", "Symbols of a table.", "table"),
		bytes:   gauge("kd_table_bytes", "What a table takes, by part; full is the ordinary table.", "table", "part"),
		opened:  gauge("kd_table_opened_timestamp_seconds", "When the table's file was opened.", "table"),
	}
	build := gauge("kd_build_info", "The build that runs.", "version", "go")
	version, goVersion := buildInfo()
	build.WithLabelValues(version, goVersion).Set(1)
	m.registry.MustRegister(m.requests, m.seconds, m.vectors, m.reloads, m.symbols, m.bytes, m.opened, build,
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	m.page = promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{})
	return m
}

func buildInfo() (version, goVersion string) {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown", "unknown"
	}
	return info.Main.Version, info.GoVersion
}

// serve is the route.
func (m *metrics) serve(w http.ResponseWriter, r *http.Request) error {
	m.page.ServeHTTP(w, r)
	return nil
}

// describe notes the newest edition of a table.
func (m *metrics) describe(name string, e *edition) {
	size := e.Size()
	m.symbols.WithLabelValues(name).Set(float64(e.Len()))
	m.opened.WithLabelValues(name).Set(float64(e.opened.UnixMilli()) / 1e3)
	for part, bits := range map[string]int64{"codes": size.Codes, "parameters": size.Parameters, "symbols": size.Symbols, "full": size.Full} {
		m.bytes.WithLabelValues(name, part).Set(float64(bits) / 8)
	}
}

// routeMetrics are those of a route, at hand without looking up their labels.
type routeMetrics struct {
	name     string
	requests *prometheus.CounterVec
	seconds  prometheus.Observer
	byStatus sync.Map // int → prometheus.Counter
}

func (m *metrics) route(path string) *routeMetrics {
	return &routeMetrics{name: path, requests: m.requests, seconds: m.seconds.WithLabelValues(path)}
}

func (r *routeMetrics) observe(status int, took time.Duration) {
	r.seconds.Observe(took.Seconds())
	counter, ok := r.byStatus.Load(status)
	if !ok {
		counter, _ = r.byStatus.LoadOrStore(status, r.requests.WithLabelValues(r.name, strconv.Itoa(status)))
	}
	counter.(prometheus.Counter).Inc()
}
