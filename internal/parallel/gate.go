package parallel

import "sync/atomic"

// A gate lets workers into the loop under way, and its caller wait until all
// have left. A worker that comes late finds the gate closed, and has nothing
// to do with the loop any more.
//
// Its state is the number of the loop in the high bits, then whether the gate is
// open, whether the caller sleeps until it is empty, and in the low bits how
// many workers are inside.
type gate struct {
	state atomic.Uint64
	empty chan struct{} // tells a sleeping caller
}

const (
	gateInside  = 1<<16 - 1
	gateWaiting = 1 << 16
	gateOpen    = 1 << 17
	gateLoop    = 1 << 18
)

// loop returns the number of the last loop.
func (g *gate) loop() uint64 { return g.state.Load() / gateLoop }

// open begins a loop. Nobody is inside.
func (g *gate) open() { g.state.Add(gateLoop | gateOpen) }

// enter returns whether there is a loop to take part in.
func (g *gate) enter() bool {
	for {
		s := g.state.Load()
		if s&gateOpen == 0 {
			return false
		}
		if g.state.CompareAndSwap(s, s+1) {
			return true
		}
	}
}

func (g *gate) leave() {
	if s := g.state.Add(^uint64(0)); s&gateInside == 0 && s&gateWaiting != 0 {
		g.empty <- struct{}{}
	}
}

// close lets no further worker in, and returns when all have left.
func (g *gate) close() {
	g.state.And(^uint64(gateOpen))
	if spin(func() bool { return g.state.Load()&gateInside == 0 }) {
		return
	}
	for {
		s := g.state.Load()
		if s&gateInside == 0 {
			return
		}
		if g.state.CompareAndSwap(s, s|gateWaiting) {
			<-g.empty
			g.state.And(^uint64(gateWaiting))
			return
		}
	}
}
