package serve

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"
)

// Serve answers requests that come through l until ctx ends. Then it takes no
// more, waits for those under way as long as Limits.Drain says, and returns nil
// if all of them were answered. It closes l, not the server.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	s.local.Store(loopback(l.Addr()))
	limits := s.options.Limits
	h := &http.Server{
		Handler:           s,
		ReadHeaderTimeout: limits.Header,
		ReadTimeout:       limits.Time,
		WriteTimeout:      2 * limits.Time, // counted from the header: reading, then answering
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    64 << 10,
		ErrorLog:          slog.NewLogLogger(s.log.Handler(), slog.LevelDebug),
	}
	ended := make(chan error, 1)
	go func() { ended <- h.Serve(l) }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	s.draining.Store(true)
	s.log.Info("shutting down", "drain", limits.Drain)
	wait, cancel := context.WithTimeout(context.WithoutCancel(ctx), limits.Drain)
	defer cancel()
	err := h.Shutdown(wait)
	if errors.Is(err, context.DeadlineExceeded) {
		h.Close()
		err = fmt.Errorf("serve: requests were still under way %s after the end; they were cut off", limits.Drain)
	}
	<-ended // http.ErrServerClosed
	return err
}
