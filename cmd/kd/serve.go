package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/kdcode/kdcode/serve"
)

// serveOptions are what kd serve is told.
type serveOptions struct {
	files     []string // FILE or NAME=FILE
	addr      string
	originals []string
	maps      []string
	mapSize   int
	load      bool
	tokenFile string
	public    bool
	cert, key string
	access    bool
	maxBody   byteSize
	maxBatch  int
	searches  int
	timeout   time.Duration
	drain     time.Duration
	check     bool
	json      bool
}

func newServe(s *streams) *cobra.Command {
	o := serveOptions{maxBody: serve.DefaultBody}
	cmd := &cobra.Command{
		Use:   "serve [NAME=]FILE…",
		Short: "Answer for tables over HTTP, with a page to explore them",
		Long: `Answer for code files over HTTP: vectors, codes, neighbours, analogies, and a page to
explore them in a browser. /openapi.json describes the requests. A table is called as
its file is, without the ending, or by the name given.

Only this machine can ask, unless --addr says otherwise; then a token is needed, in
--token-file or the environment variable KD_TOKEN. SIGHUP or POST /admin/reload opens files
again that were replaced, without dropping a request. Ctrl-C and SIGTERM end it, after
the requests under way. With --check, FILE is the URL of a running server, and the exit
code says whether it takes requests.`,
		Example: `  kd serve glove.kd
  kd serve glove.kd --original glove.6B.100d.txt
  kd serve words=glove.kd items=items.kd --addr :8080 --token-file token.txt
  kd serve --check http://127.0.0.1:8080`,
		Args:              wantArgs(true, "FILE"),
		ValidArgsFunction: completeCodeFiles,
		RunE: func(cmd *cobra.Command, args []string) error {
			o.files = args
			if o.check {
				return checkServer(cmd.Context(), s, o)
			}
			if err := o.valid(); err != nil {
				return err
			}
			return serveTables(cmd.Context(), s, o)
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.addr, "addr", "127.0.0.1:8080", "`HOST:PORT` to listen on; port 0 takes a free one")
	f.StringArrayVar(&o.originals, "original", nil, "`[NAME=]FILE` of the ordinary vectors a table was made from, to compare with")
	f.StringArrayVar(&o.maps, "map", nil, "`[NAME=]FILE` that kd map wrote; without, the map is computed")
	f.IntVar(&o.mapSize, "map-size", serve.DefaultMapSize, "put the `N` most frequent symbols on the map")
	f.BoolVar(&o.load, "load", false, "read files into memory; without, they are mapped, and must not be changed in place")
	f.StringVar(&o.tokenFile, "token-file", "", "ask clients for the token in `FILE`")
	f.BoolVar(&o.public, "insecure-public", false, "let other machines ask without a token")
	f.StringVar(&o.cert, "tls-cert", "", "`FILE` of a TLS certificate, PEM")
	f.StringVar(&o.key, "tls-key", "", "`FILE` of its key, PEM")
	f.BoolVar(&o.access, "access-log", false, "log every request")
	f.Var(&o.maxBody, "max-body", "most `BYTES` of a request's body")
	f.IntVar(&o.maxBatch, "max-batch", serve.DefaultBatch, "most vectors `N` of a request")
	f.IntVar(&o.searches, "max-searches", 0, "requests `N` that search at the same time; 0 is one a core")
	f.DurationVar(&o.timeout, "timeout", serve.DefaultTime, "`TIME` that a request may take")
	f.DurationVar(&o.drain, "drain", serve.DefaultDrain, "`TIME` that requests under way have at the end")
	f.BoolVar(&o.check, "check", false, "ask the server at a URL whether it takes requests")
	jsonFlag(cmd, &o.json)
	return cmd
}

func (o *serveOptions) valid() error {
	switch _, port, err := net.SplitHostPort(o.addr); {
	case err != nil || !isPort(port):
		return usagef("--addr %s: give HOST:PORT, such as 127.0.0.1:8080, with a port from 0 to 65535", o.addr)
	case (o.cert == "") != (o.key == ""):
		return usagef("--tls-cert and --tls-key go together: give both")
	case o.mapSize < 1:
		return usagef("--map-size %d: give a number from 1 up", o.mapSize)
	case o.maxBody < 1:
		return usagef("--max-body %d: give a number from 1 up", o.maxBody)
	case o.maxBatch < 1:
		return usagef("--max-batch %d: give a number from 1 up", o.maxBatch)
	case o.searches < 0:
		return usagef("--max-searches %d: give a number from 0 up", o.searches)
	case o.timeout <= 0:
		return usagef("--timeout %s: give a time above 0, such as 30s", o.timeout)
	case o.drain <= 0:
		return usagef("--drain %s: give a time above 0, such as 10s", o.drain)
	}
	return nil
}

// isPort reports whether text is the number or the name of a port.
func isPort(text string) bool {
	_, err := net.LookupPort("tcp", text)
	return text != "" && err == nil
}

func serveTables(ctx context.Context, s *streams, o serveOptions) error {
	token, err := readToken(o.tokenFile)
	if err != nil {
		return err
	}
	sources, err := o.sources(ctx, s)
	if err != nil {
		return err
	}
	l, err := serve.Listen(o.addr, serve.Access{Token: token, Public: o.public})
	if errors.Is(err, serve.ErrPublic) {
		return usagef("--addr %s: other machines can reach it; give a token with --token-file, or say --insecure-public", o.addr)
	}
	if err != nil {
		return fmt.Errorf("--addr %s: %w; give another with --addr", o.addr, err)
	}
	defer l.Close()
	log := newLog(s, o.json)
	reload := func() {}
	scheme := "http"
	if o.cert != "" {
		cert, err := serve.OpenCertificate(o.cert, o.key)
		if err != nil {
			return err
		}
		reload = func() {
			if err := cert.Reload(); err != nil {
				log.Error("certificate not reloaded", "error", err)
			}
		}
		l, scheme = cert.Listener(l), "https"
	}
	server, err := serve.New(sources, serve.Options{
		Token: token, MapSize: o.mapSize, Load: o.load, Log: log, AccessLog: o.access,
		Limits: serve.Limits{Body: int64(o.maxBody), Batch: o.maxBatch, Searches: o.searches, Time: o.timeout, Drain: o.drain},
	})
	if err != nil {
		return err
	}
	defer server.Close()
	defer onHangup(func() {
		reload()
		server.Reload(ctx)
	})()
	go warm(ctx, server, log)
	s.progress.clear()
	if err := announce(s, o, scheme+"://"+l.Addr().String(), sources); err != nil {
		return err
	}
	if token != "" && scheme == "http" && !l.Addr().(*net.TCPAddr).IP.IsLoopback() {
		log.Warn("the token travels unencrypted; give --tls-cert and --tls-key, or encrypt in front of kd")
	}
	return server.Serve(ctx, l)
}

// newLog returns the log, on stderr.
func newLog(s *streams, json bool) *slog.Logger {
	if json {
		return slog.New(slog.NewJSONHandler(s.err, nil))
	}
	return slog.New(slog.NewTextHandler(s.err, nil))
}

// onHangup calls do at each SIGHUP, until the function returned is called.
func onHangup(do func()) (stop func()) {
	hangup := make(chan os.Signal, 1)
	signal.Notify(hangup, syscall.SIGHUP)
	done := make(chan struct{})
	go func() {
		for {
			select {
			case <-hangup:
				do()
			case <-done:
				return
			}
		}
	}()
	return func() {
		signal.Stop(hangup)
		close(done)
	}
}

// warm makes what searches need while nobody waits for it yet.
func warm(ctx context.Context, server *serve.Server, log *slog.Logger) {
	began := time.Now()
	if err := server.Warm(ctx); err != nil {
		if ctx.Err() == nil {
			log.Warn("not all could be prepared", "error", err)
		}
		return
	}
	log.Info("ready to search", "took", time.Since(began).Round(time.Millisecond))
}
