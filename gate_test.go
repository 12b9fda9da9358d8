package kdcode

import (
	"testing"
	"time"
)

// TestGateWaits: close returns only after the calls under way have left.
func TestGateWaits(t *testing.T) {
	var g gate
	l := g.enter()
	if l == nil {
		t.Fatal("an open gate turns a call away")
	}
	closed := make(chan bool)
	go func() { closed <- g.close() }()
	for !g.closed.Load() {
		time.Sleep(time.Millisecond)
	}
	if g.enter() != nil {
		t.Error("a closing gate lets a call in")
	}
	select {
	case <-closed:
		t.Fatal("close did not wait")
	case <-time.After(20 * time.Millisecond):
	}
	l.leave()
	if !<-closed {
		t.Error("the first to close was not told so")
	}
	if g.close() {
		t.Error("the second to close was told it was the first")
	}
}
