package serve

import (
	"errors"
	"log/slog"
	"net/http"
	"runtime/debug"
	"time"
)

// recorder remembers what a handler answered.
type recorder struct {
	http.ResponseWriter
	status int
	bytes  int
}

func (r *recorder) WriteHeader(status int) {
	if r.status == 0 {
		r.status = status
	}
	r.ResponseWriter.WriteHeader(status)
}

func (r *recorder) Write(p []byte) (int, error) {
	if r.status == 0 {
		r.status = http.StatusOK
	}
	n, err := r.ResponseWriter.Write(p)
	r.bytes += n
	return n, err
}

// Unwrap is for http.ResponseController.
func (r *recorder) Unwrap() http.ResponseWriter { return r.ResponseWriter }

// watched answers requests of a route, counts them, and tells clients and the
// log what went wrong.
func (s *Server) watched(route route) http.Handler {
	seen := s.metrics.route(route.path)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		began := time.Now()
		rec := recorder{ResponseWriter: w}
		defer func() {
			s.recovered(&rec, r, recover())
			took := time.Since(began)
			seen.observe(rec.status, took)
			if s.options.AccessLog {
				s.log.LogAttrs(r.Context(), slog.LevelInfo, "request",
					slog.String("method", r.Method), slog.String("path", r.URL.Path), slog.Int("status", rec.status),
					slog.Int("bytes", rec.bytes), slog.Duration("took", took), slog.String("from", r.RemoteAddr))
			}
		}()
		if err := s.answer(&route, &rec, r); err != nil {
			s.failed(&rec, r, err)
		}
	})
}

// failed tells the client about err, and the log where it is our fault.
func (s *Server) failed(w *recorder, r *http.Request, err error) {
	f := told(err)
	if f.Code == "internal" {
		s.log.Error("failed", "method", r.Method, "path", r.URL.Path, "error", err)
	}
	if w.status != 0 {
		return // the answer has begun
	}
	if f.status == clientGone {
		w.status = clientGone
		return
	}
	writeFailure(w, f)
}

// recovered ends a request whose handler panicked.
func (s *Server) recovered(w *recorder, r *http.Request, reason any) {
	if reason == nil {
		return
	}
	if err, ok := reason.(error); ok && errors.Is(err, http.ErrAbortHandler) {
		panic(reason) // how net/http is told to hang up
	}
	s.log.Error("panic", "method", r.Method, "path", r.URL.Path, "reason", reason, "stack", string(debug.Stack()))
	if w.status == 0 {
		writeFailure(w, fail(http.StatusInternalServerError, "internal", "the server failed; its log says why"))
	}
}
