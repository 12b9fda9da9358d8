package engine

import (
	"unsafe"

	"github.com/kdcode/kdcode/internal/simd"
)

// frame is the registers of a loop on one processor.
type frame struct {
	memory unsafe.Pointer
	bytes  []byte
	loaded []int // how many elements of a repeating operand are loaded
	links  []simd.Link
}

func (x *execution) frame(bytes, operands int) *frame {
	x.mu.Lock()
	var f *frame
	if n := len(x.frames); n > 0 {
		f, x.frames = x.frames[n-1], x.frames[:n-1]
	}
	x.mu.Unlock()
	if f == nil {
		f = &frame{}
	}
	if len(f.bytes) < bytes {
		f.bytes = alignedBytes(bytes)
		f.memory = unsafe.Pointer(&f.bytes[0])
	}
	if cap(f.loaded) < operands {
		f.loaded = make([]int, operands)
	}
	f.loaded = f.loaded[:operands]
	clear(f.loaded)
	return f
}

func (x *execution) putFrame(f *frame) {
	clear(f.links[:cap(f.links)]) // they point to memory of others
	x.mu.Lock()
	x.frames = append(x.frames, f)
	x.mu.Unlock()
}
