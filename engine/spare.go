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
// shapes again: new memory costs more time than most kernels.
type spareBuffers struct {
	mu    sync.Mutex
	kept  map[string][]spareBuffer
	total int64
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
	key := shapeKey(shape)
	s.mu.Lock()
	defer s.mu.Unlock()
	list := s.kept[key]
	if len(list) == 0 {
		return nil, nil
	}
	last := list[len(list)-1]
	list[len(list)-1] = spareBuffer{}
	s.kept[key] = list[:len(list)-1]
	s.total -= shape.ByteSize()
	return last.shared, last.flat
}

func (s *spareBuffers) put(shape shapes.Shape, shared compute.Buffer, flat any) {
	size := shape.ByteSize()
	if size > maxSpare {
		return
	}
	key := shapeKey(shape)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.kept == nil || s.total+size > maxSpareTotal { // full: of shapes that nobody asks for any more
		s.kept, s.total = map[string][]spareBuffer{}, 0
	}
	s.kept[key] = append(s.kept[key], spareBuffer{shared, flat})
	s.total += size
}

func (s *spareBuffers) clear() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.kept, s.total = nil, 0
}
