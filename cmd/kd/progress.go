package main

import (
	"fmt"
	"io"
	"strings"
	"time"
)

// progress shows how far a verb is, in one line of a terminal. On anything
// else it shows nothing.
type progress struct {
	w     io.Writer // nil where nothing is shown
	began time.Time
	shown time.Time
	phase string     // that bar shows
	first float64    // part of it that was done when it was first shown
	width func() int // of the terminal; nil is unknown
}

// Nothing is shown of what takes less than progressDelay, and then only as
// often as an eye can follow.
const (
	progressDelay = 300 * time.Millisecond
	progressEvery = 100 * time.Millisecond
)

func newProgress(w io.Writer, terminal bool) *progress {
	p := &progress{began: time.Now()}
	if terminal {
		p.w = w
	}
	return p
}

// start begins a new piece of work.
func (p *progress) start() { p.began = time.Now() }

// update shows that done of total things are done; a total below 1 is unknown.
func (p *progress) update(what string, done, total int) {
	if p.w == nil {
		return
	}
	now := time.Now()
	spent := now.Sub(p.began)
	if spent < progressDelay || now.Sub(p.shown) < progressEvery {
		return
	}
	p.shown = now
	line := fmt.Sprintf("%s: %s", what, grouped(int64(done)))
	if total > 0 {
		part := float64(done) / float64(total)
		line += fmt.Sprintf(" of %s (%.0f%%)", grouped(int64(total)), 100*part)
		if part > 0.01 { // less tells nothing of the rest
			line += fmt.Sprintf(", %s left", time.Duration(float64(spent)*max(1/part-1, 0)).Round(time.Second))
		}
	}
	p.show(line)
}

// show replaces the line that is shown. What does not fit is cut off: a second
// line would not be replaced by the next.
func (p *progress) show(line string) {
	if p.width != nil {
		if width := p.width(); width > 0 {
			runes := []rune(line)
			line = string(runes[:min(len(runes), width-1)])
		}
	}
	fmt.Fprintf(p.w, "\r\x1b[K%s", line)
}

// bar shows a phase of long work, how much of it is done, what else there is to
// say, and the time left. Each phase has a bar of its own.
func (p *progress) bar(phase string, done, total int, detail string) {
	if p.w == nil {
		return
	}
	now := time.Now()
	part := 0.0
	if total > 0 {
		part = min(max(float64(done)/float64(total), 0), 1)
	}
	if phase != p.phase {
		p.phase, p.began, p.first = phase, now, part
	}
	if now.Sub(p.shown) < progressEvery {
		return
	}
	p.shown = now
	line := phase
	if total > 0 {
		const width = 24
		full := int(part * width)
		line += fmt.Sprintf("  %s%s %3.0f%%", strings.Repeat("█", full), strings.Repeat("░", width-full), 100*part)
		if spent := now.Sub(p.began); part > p.first+0.01 && spent > progressDelay {
			line += fmt.Sprintf("  %s left", time.Duration(float64(spent)*(1-part)/(part-p.first)).Round(time.Second))
		}
		if detail != "" {
			line += "  " + detail
		}
	}
	p.show(line)
}

// clear removes the line.
func (p *progress) clear() {
	if p.w != nil && !p.shown.IsZero() {
		fmt.Fprint(p.w, "\r\x1b[K")
		p.shown = time.Time{}
	}
}

// note shows what is being done where its end cannot be foretold.
func (p *progress) note(what string) {
	if p.w != nil {
		p.shown = time.Now()
		p.show(what)
	}
}
