package kdcode

import (
	"sync/atomic"
	"time"
	"unsafe"
)

// gate lets any number of calls pass, and lets close wait for those under way
// and turn later ones away. One counter would be fought over by every core:
// each goroutine counts in a lane chosen by where its stack lies.
type gate struct {
	closed atomic.Bool
	lanes  [lanes]lane
}

const lanes = 64

// lane is a counter on cache lines of its own (two: they are fetched in pairs).
type lane struct {
	calls atomic.Int64
	_     [120]byte
}

// enter returns the lane to leave by, or nil if the gate is closed.
func (g *gate) enter() *lane {
	var here byte
	// Stacks begin on boundaries of at least 2 KB. The multiplication spreads
	// what is left of the address over the lanes.
	at := uint64(uintptr(unsafe.Pointer(&here))) >> 11
	l := &g.lanes[at*0x9e3779b97f4a7c15>>58]
	l.calls.Add(1)
	// A closer sets closed, then reads the counters; we count, then read
	// closed: one of the two sees the other.
	if g.closed.Load() {
		l.leave()
		return nil
	}
	return l
}

func (l *lane) leave() { l.calls.Add(-1) }

// close turns later calls away and waits for those under way. It reports
// whether it was the first to close.
func (g *gate) close() bool {
	first := g.closed.CompareAndSwap(false, true)
	for i := range g.lanes {
		for pause := time.Microsecond; g.lanes[i].calls.Load() != 0; pause = min(2*pause, time.Millisecond) {
			time.Sleep(pause)
		}
	}
	return first
}
