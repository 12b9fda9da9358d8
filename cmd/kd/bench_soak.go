package main

import (
	"context"
	"io"
	"net/http"
	"os"
	"regexp"
	"strconv"
	"sync"
	"time"

	"github.com/kdcode/kdcode/internal/atomicfile"
)

// soakResults are what was seen while the server reloaded its files.
type soakResults struct {
	Reloads      int     `json:"reloads"`
	Failures     int     `json:"reload_failures"`
	FirstFailure string  `json:"first_reload_failure,omitempty"`
	MemoryBytes  int64   `json:"memory_bytes"`      // of the server: its highest from 5 to 10 s
	MemoryMost   int64   `json:"memory_most_bytes"` // its highest since then
	Growth       float64 `json:"memory_growth"`     // 0.05 is 5 %
}

// A server's memory rises as the pages of a new file are first read, and falls
// when the old file is closed. So its highest points are compared: those between
// starting and settled, when it has its usual size, with those that follow.
const (
	starting    = 5 * time.Second
	settled     = 10 * time.Second
	memoryEvery = 50 * time.Millisecond
)

// soak reloads the server's files again and again, and watches its memory.
func (l *serveLoad) soak(ctx context.Context, end time.Time) *soakResults {
	r := &soakResults{}
	ctx, cancel := context.WithDeadline(ctx, end)
	defer cancel()
	var watching sync.WaitGroup
	watching.Go(func() { l.watchMemory(ctx, r) })
	each(ctx, l.o.reloadEvery, func() {
		switch err := l.reload(context.WithoutCancel(ctx)); {
		case err == nil:
			r.Reloads++
		default:
			if r.Failures++; r.FirstFailure == "" {
				r.FirstFailure = err.Error()
			}
		}
	})
	watching.Wait()
	if r.MemoryBytes > 0 && r.MemoryMost > 0 {
		r.Growth = float64(r.MemoryMost)/float64(r.MemoryBytes) - 1
	}
	return r
}

// each calls do again and again until ctx ends.
func each(ctx context.Context, every time.Duration, do func()) {
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			do()
		}
	}
}

// watchMemory notes the highest points of the server's memory.
func (l *serveLoad) watchMemory(ctx context.Context, r *soakResults) {
	began := time.Now()
	each(ctx, memoryEvery, func() {
		memory, err := l.memory(ctx)
		if err != nil {
			return // a server that does not answer shows in the errors
		}
		switch since := time.Since(began); {
		case since >= settled:
			r.MemoryMost = max(r.MemoryMost, memory)
		case since >= starting:
			r.MemoryBytes = max(r.MemoryBytes, memory)
		}
	})
}

// reload replaces the file and has it reloaded.
func (l *serveLoad) reload(ctx context.Context) error {
	if l.o.replace != "" {
		if err := replaceByCopy(l.o.replace); err != nil {
			return err
		}
	}
	return l.ask(ctx, http.MethodPost, "/admin/reload", nil, nil)
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
	if r.MemoryMost > 0 {
		line("memory", "%12s at most from %.0f to %.0f s, %s since: %+.1f %%", units(r.MemoryBytes), starting.Seconds(), settled.Seconds(), units(r.MemoryMost), 100*r.Growth)
	}
}
