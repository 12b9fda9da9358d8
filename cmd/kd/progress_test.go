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

func TestProgressOnlyOnTerminals(t *testing.T) {
	var screen bytes.Buffer
	p := newProgress(&screen, false)
	p.began = time.Now().Add(-time.Minute)
	p.update("converting", 1, -1)
	p.note("measuring")
	p.clear()
	if screen.Len() > 0 {
		t.Errorf("%q", screen.String())
	}
}
