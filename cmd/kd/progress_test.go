package main

import (
	"bytes"
	"strings"
	"testing"
	"time"
)

func TestProgress(t *testing.T) {
	var screen bytes.Buffer
	p := newProgress(&screen, true)
	p.update("converting", 1, 10)
	if screen.Len() > 0 {
		t.Errorf("shown at once: %q", screen.String())
	}
	p.began = time.Now().Add(-time.Minute)
	p.update("converting", 5000, 10000)
	p.update("converting", 5001, 10000) // too soon
	if got, want := screen.String(), "\r\x1b[Kconverting: 5,000 of 10,000 (50%), 1m0s left"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	p.clear()
	if !strings.HasSuffix(screen.String(), "\r\x1b[K") {
		t.Errorf("%q", screen.String())
	}
}

func TestProgressBar(t *testing.T) {
	var screen bytes.Buffer
	p := newProgress(&screen, true)
	p.bar("learn", 0, 40, "")
	p.bar("learn", 1, 40, "") // too soon
	if got, want := screen.String(), "\r\x1b[Klearn  "+strings.Repeat("░", 24)+"   0%"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	screen.Reset()
	p.began, p.shown = time.Now().Add(-time.Minute), time.Time{}
	p.bar("learn", 10, 40, "error 0.0712")
	if got, want := screen.String(), "\r\x1b[Klearn  ██████"+strings.Repeat("░", 18)+"  25%  3m0s left  error 0.0712"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	screen.Reset()
	p.shown = time.Time{}
	p.bar("encode", 20, 40, "") // a phase of its own: no telling how long it takes
	if got, want := screen.String(), "\r\x1b[Kencode  "+strings.Repeat("█", 12)+strings.Repeat("░", 12)+"  50%"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// A line that does not fit is cut: the terminal would wrap it.
func TestProgressNarrow(t *testing.T) {
	var screen bytes.Buffer
	p := newProgress(&screen, true)
	p.width = func() int { return 20 }
	p.note(strings.Repeat("ä", 30))
	if got, want := screen.String(), "\r\x1b[K"+strings.Repeat("ä", 19); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestProgressOnlyOnTerminals(t *testing.T) {
	var screen bytes.Buffer
	p := newProgress(&screen, false)
	p.began = time.Now().Add(-time.Minute)
	p.update("converting", 1, -1)
	p.bar("learn", 1, 2, "")
	p.note("measuring")
	p.clear()
	if screen.Len() > 0 {
		t.Errorf("%q", screen.String())
	}
}
