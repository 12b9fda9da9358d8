package main

import (
	"context"
	"fmt"
	"io"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
)

// benchServeOptions are what kd bench serve is told.
type benchServeOptions struct {
	url         *url.URL
	table       string
	mode        string
	connections int
	seconds     float64
	batch       int
	tokenFile   string
	token       string
	reloadEvery time.Duration
	replace     string
	json        bool
}

// benchModes are what kd bench serve can ask for.
var benchModes = []string{"single", "packed", "neighbours"}

func newBenchServe(s *streams) *cobra.Command {
	var o benchServeOptions
	cmd := &cobra.Command{
		Use:   "serve URL",
		Short: "Measure a running kd serve",
		Long: `Ask a running kd serve as much as it answers, for random symbols: vectors one by one
(single), batches of ids packed (packed), or nearest neighbours. Requests a second and
how long they took are shown; an answer that is not as it should be is an error, and
makes the exit code 1.

With --reload-every, the server reloads its files all the while, and what its memory
grows by after the first 10 seconds is shown too. --replace names the table's file, which
is then replaced by a copy of itself before each reload.`,
		Example: `  kd bench serve http://127.0.0.1:8080
  kd bench serve http://127.0.0.1:8080 --mode packed --batch 256
  kd bench serve http://127.0.0.1:8080 --seconds 60 --reload-every 1s --replace glove.kd`,
		Args: wantArgs(false, "URL"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := o.check(args[0]); err != nil {
				return err
			}
			return benchServe(cmd.Context(), s, o)
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.mode, "mode", benchModes[0], "what to `ASK`: "+strings.Join(benchModes, ", "))
	f.StringVar(&o.table, "table", "", "`NAME` of the table; without, the first one")
	f.IntVar(&o.connections, "connections", 16, "`N` connections, each with a request under way")
	f.Float64Var(&o.seconds, "seconds", 10, "time `S` to ask for")
	f.IntVar(&o.batch, "batch", 256, "ids `N` of a packed request")
	f.StringVar(&o.tokenFile, "token-file", "", "`FILE` of the server's token; or set KD_TOKEN")
	f.DurationVar(&o.reloadEvery, "reload-every", 0, "reload the server's files each `TIME`, such as 1s")
	f.StringVar(&o.replace, "replace", "", "`FILE` to replace by a copy of itself before each reload")
	completeFlag(cmd, "mode", benchModes...)
	jsonFlag(cmd, &o.json)
	return cmd
}

func (o *benchServeOptions) check(text string) error {
	var err error
	if o.url, err = serverURL(text); err != nil {
		return err
	}
	switch {
	case !slices.Contains(benchModes, o.mode):
		return usagef("--mode %s: use one of %s", o.mode, strings.Join(benchModes, ", "))
	case o.connections < 1:
		return usagef("--connections %d: give a number from 1 up", o.connections)
	case !(o.seconds > 0) || o.seconds > 86400:
		return usagef("--seconds %g: give a time above 0", o.seconds)
	case o.batch < 1:
		return usagef("--batch %d: give a number from 1 up", o.batch)
	case o.reloadEvery < 0:
		return usagef("--reload-every %s: give a time above 0, such as 1s", o.reloadEvery)
	case o.replace != "" && o.reloadEvery == 0:
		return usagef("--replace needs --reload-every")
	}
	o.token, err = readToken(o.tokenFile)
	return err
}

// benchServeResult is what --json prints.
type benchServeResult struct {
	URL         string       `json:"url"`
	Table       string       `json:"table"`
	Mode        string       `json:"mode"`
	Connections int          `json:"connections"`
	Batch       int          `json:"batch"` // vectors a request
	Seconds     float64      `json:"seconds"`
	Requests    int64        `json:"requests"`
	Errors      int64        `json:"errors"`
	FirstError  string       `json:"first_error,omitempty"`
	PerSecond   float64      `json:"requests_per_s"`
	Vectors     float64      `json:"vectors_per_s,omitempty"`
	P50         float64      `json:"p50_ms"`
	P90         float64      `json:"p90_ms"`
	P99         float64      `json:"p99_ms"`
	P999        float64      `json:"p99_9_ms"`
	Max         float64      `json:"max_ms"`
	Soak        *soakResults `json:"soak,omitempty"`
}

func benchServe(ctx context.Context, s *streams, o benchServeOptions) error {
	load, err := newServeLoad(ctx, &o)
	if err != nil {
		return err
	}
	s.progress.note("asking " + o.url.String())
	r, err := load.run(ctx)
	if err != nil {
		return err
	}
	s.progress.clear()
	if o.json {
		err = s.writeJSON(r)
	} else {
		r.print(s.out)
	}
	if err == nil && (r.Errors > 0 || r.Soak != nil && r.Soak.Failures > 0) {
		return exitError(exitFailed)
	}
	return err
}

// print writes the measurements for humans.
func (r *benchServeResult) print(w io.Writer) {
	fmt.Fprintf(w, "%s, table %s: %s, %s, %.0f s\n\n", r.URL, r.Table, r.Mode, plural(r.Connections, "connection"), r.Seconds)
	line := func(what, format string, args ...any) {
		fmt.Fprintf(w, "%-22s %s\n", what, fmt.Sprintf(format, args...))
	}
	line("requests", "%12s a second (%s in all)", grouped(int64(r.PerSecond)), grouped(r.Requests))
	if r.Vectors > 0 {
		line("vectors", "%12s a second, %d a request", grouped(int64(r.Vectors)), r.Batch)
	}
	for _, p := range []struct {
		name string
		ms   float64
	}{{"median", r.P50}, {"90 % within", r.P90}, {"99 % within", r.P99}, {"99.9 % within", r.P999}, {"longest", r.Max}} {
		line(p.name, "%12.3f ms", p.ms)
	}
	line("errors", "%12s", grouped(r.Errors))
	if r.FirstError != "" {
		line("the first", "%s", r.FirstError)
	}
	if r.Soak != nil {
		r.Soak.print(line)
	}
}
