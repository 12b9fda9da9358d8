package engine

import (
	"sync"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/shapes"
)

const (
	maxSpare      = 64 << 20 // larger buffers go back to the garbage collector
	maxSpareTotal = 256 << 20
)

// spareBuffers keeps finalized buffers for the next step, which makes the same
// shapes again: new memory costs more time than most kernels. Of a shape it keeps
// no more than were ever asked for in vain: the Go backend makes buffers, too,
// that nobody asks for here.
type spareBuffers struct {
	mu    sync.Mutex
	kept  map[string]*spareShape
	total int64
}

// spareShape is the buffers of one shape.
type spareShape struct {
	free   []spareBuffer
	wanted int
}

type spareBuffer struct {
	shared compute.Buffer
	flat   any
}

// shapeKey is a shape as a string, made without fmt: it is on the way of every
// output.
func shapeKey(s shapes.Shape) string {
	key := make([]byte, 1, 32)
	key[0] = byte(s.DType)
	for _, d := range s.Dimensions {
		for ; d >= 128; d >>= 7 {
			key = append(key, byte(d)|128)
		}
		key = append(key, byte(d))
	}
	return string(key)
}

func (s *spareBuffers) take(shape shapes.Shape) (compute.Buffer, any) {
	if shape.ByteSize() > maxSpare {
		return nil, nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	of := s.of(shape)
	n := len(of.free) - 1
	if n < 0 {
		of.wanted++
		return nil, nil
	}
	last := of.free[n]
	of.free[n] = spareBuffer{}
	of.free = of.free[:n]
	s.total -= shape.ByteSize()
	return last.shared, last.flat
}

func (s *spareBuffers) put(shape shapes.Shape, shared compute.Buffer, flat any) {
	size := shape.ByteSize()
	if size > maxSpare {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.total+size > maxSpareTotal { // full: of shapes that nobody asks for any more
		s.kept, s.total = nil, 0
	}
	if of := s.of(shape); len(of.free) < of.wanted {
		of.free = append(of.free, spareBuffer{shared, flat})
		s.total += size
	}
}

// of returns the buffers of a shape.
func (s *spareBuffers) of(shape shapes.Shape) *spareShape {
	if s.kept == nil {
		s.kept = map[string]*spareShape{}
	}
	key := shapeKey(shape)
	if s.kept[key] == nil {
		s.kept[key] = &spareShape{}
	}
	return s.kept[key]
}

func (s *spareBuffers) clear() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.kept, s.total = nil, 0
}
