package main

import (
	"context"
	"io"
	"net/http"
	"os"
	"regexp"
	"strconv"
	"time"

	"github.com/kdcode/kdcode/internal/atomicfile"
)

// soakResults are what was seen while the server reloaded its files.
type soakResults struct {
	Reloads      int     `json:"reloads"`
	Failures     int     `json:"reload_failures"`
	FirstFailure string  `json:"first_reload_failure,omitempty"`
	MemoryBytes  int64   `json:"memory_bytes"`      // of the server, after the first 10 s
	MemoryMost   int64   `json:"memory_most_bytes"` // since then
	Growth       float64 `json:"memory_growth"`     // 0.05 is 5 %
}

// settled is when a server's memory has its usual size.
const settled = 10 * time.Second

// soak reloads the server's files again and again, and watches its memory.
func (l *serveLoad) soak(ctx context.Context, end time.Time) *soakResults {
	r := &soakResults{}
	began := time.Now()
	tick := time.NewTicker(l.o.reloadEvery)
	defer tick.Stop()
	for time.Now().Before(end) {
		select {
		case <-ctx.Done():
			return r
		case <-tick.C:
		}
		memory, err := l.reload(ctx)
		if err != nil && ctx.Err() == nil {
			if r.Failures++; r.FirstFailure == "" {
				r.FirstFailure = err.Error()
			}
			continue
		}
		r.Reloads++
		r.MemoryMost = max(r.MemoryMost, memory)
		if time.Since(began) < settled {
			r.MemoryBytes, r.MemoryMost = memory, memory
		}
	}
	if r.MemoryBytes > 0 {
		r.Growth = float64(r.MemoryMost)/float64(r.MemoryBytes) - 1
	}
	return r
}

// reload replaces the file, has it reloaded, and returns the server's memory.
func (l *serveLoad) reload(ctx context.Context) (int64, error) {
	if l.o.replace != "" {
		if err := replaceByCopy(l.o.replace); err != nil {
			return 0, err
		}
	}
	if err := l.ask(ctx, http.MethodPost, "/admin/reload", nil, nil); err != nil {
		return 0, err
	}
	return l.memory(ctx)
}

// replaceByCopy renames a copy of the file over it.
func replaceByCopy(path string) error {
	from, err := os.Open(path)
	if err != nil {
		return err
	}
	defer from.Close()
	to, err := atomicfile.Create(path)
	if err != nil {
		return err
	}
	defer to.Close()
	if _, err := io.Copy(to, from); err != nil {
		return err
	}
	return to.Commit()
}

var residentMemory = regexp.MustCompile(`(?m)^process_resident_memory_bytes (\S+)$`)

// memory returns the server's resident memory; 0 where it does not know it.
func (l *serveLoad) memory(ctx context.Context) (int64, error) {
	var text string
	if err := l.ask(ctx, http.MethodGet, "/metrics", nil, &text); err != nil {
		return 0, err
	}
	found := residentMemory.FindStringSubmatch(text)
	if found == nil {
		return 0, nil
	}
	bytes, err := strconv.ParseFloat(found[1], 64)
	return int64(bytes), err
}

func (r *soakResults) print(line func(what, format string, args ...any)) {
	line("reloads", "%12s, %d failed", grouped(int64(r.Reloads)), r.Failures)
	if r.FirstFailure != "" {
		line("the first", "%s", r.FirstFailure)
	}
	line("memory", "%12s after %.0f s, then at most %s: %+.1f %%", units(r.MemoryBytes), settled.Seconds(), units(r.MemoryMost), 100*r.Growth)
}
