package engine

import (
	"fmt"
	"runtime/debug"
	"sync"
	"unsafe"

	"github.com/gomlx/compute"

	"github.com/kdcode/kdcode/internal/gemm"
	"github.com/kdcode/kdcode/internal/hugepages"
	"github.com/kdcode/kdcode/internal/parallel"
)

// execution is a run of a plan: its memory.
type execution struct {
	plan    *plan
	base    []unsafe.Pointer // of each storage
	keep    [][]byte         // the arena
	shared  []compute.Buffer // of storages that the Go backend reads
	lent    []compute.Buffer // of those that it returned
	packed  []gemm.Packed    // of storages with packed matrices
	inputs  []*Buffer
	outputs []*Buffer // new ones

	part divided // what split runs
	body func(from, to int)

	mu     sync.Mutex
	frames []*frame
}

// divided is a step of which processors run parts.
type divided interface {
	part(x *execution, from, to int)
}

// newExecution makes the memory of a run. Too much of it is an error.
func (p *plan) newExecution() (x *execution, err error) {
	defer catch(&err)
	x = &execution{plan: p, base: make([]unsafe.Pointer, len(p.storages)),
		packed: make([]gemm.Packed, len(p.storages)), shared: make([]compute.Buffer, len(p.storages)), lent: make([]compute.Buffer, len(p.storages))}
	x.body = func(from, to int) { x.part.part(x, from, to) }
	arena := alignedBytes(p.arena)
	x.keep = [][]byte{arena}
	for _, s := range p.storages {
		switch s.home {
		case inArena:
			if s.last >= 0 && s.bytes > 0 {
				x.base[s.id] = unsafe.Pointer(&arena[s.offset])
			}
		case ofConstant:
			x.base[s.id] = pointer(s.flat)
		case shared:
			b, flat, err := p.backend.allocate(s.shape)
			if err != nil {
				return nil, err
			}
			x.shared[s.id], x.base[s.id] = b, pointer(flat)
		}
	}
	return x, nil
}

func pointer(flat any) unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(bytes(flat))) }

// alignedBytes returns memory that begins at a cache line.
func alignedBytes(n int) []byte {
	all := make([]byte, n+alignment)
	hugepages.Advise(all)
	skip := -int(uintptr(unsafe.Pointer(&all[0]))) & (alignment - 1)
	return all[skip : skip+n]
}

// execute runs the steps. A panic in one is the error.
func (x *execution) execute() (outputs []compute.Buffer, err error) {
	defer catch(&err)
	x.outputs = make([]*Buffer, len(x.plan.outputs))
	for _, s := range x.plan.storages {
		switch s.home {
		case ofParameter:
			x.base[s.id] = pointer(x.inputs[s.index].flat)
		case ofOutput:
			if s.last < 0 {
				continue
			}
			b, err := x.plan.backend.newBuffer(s.shape)
			if err != nil {
				return nil, err
			}
			x.outputs[s.index], x.base[s.id] = b, pointer(b.flat)
		}
	}
	for _, s := range x.plan.steps {
		s.run(x)
	}
	return x.collect()
}

// collect returns the outputs.
func (x *execution) collect() ([]compute.Buffer, error) {
	outputs := make([]compute.Buffer, len(x.outputs))
	for i, s := range x.plan.outputs {
		switch s.home {
		case ofParameter:
			in := x.inputs[s.index]
			outputs[i] = &Buffer{in.backend, in.shape, in.shared, in.flat}
			in.release()
		case lent:
			b, err := x.plan.backend.adopt(x.lent[s.id])
			if err != nil {
				return nil, err
			}
			outputs[i] = b
		default:
			outputs[i] = x.outputs[i]
		}
	}
	x.forget()
	return outputs, nil
}

// forget lets go of memory that belongs to the caller.
func (x *execution) forget() {
	for _, s := range x.plan.storages {
		if s.home == ofParameter || s.home == ofOutput || s.home == lent {
			x.base[s.id] = nil
		}
	}
	clear(x.lent)
	x.inputs, x.outputs = nil, nil
}

// catch, deferred, makes an error of a panic.
func catch(err *error) {
	if r := recover(); r != nil {
		*err = asError(r)
	}
}

// asError returns what a kernel panicked with.
func asError(r any) error {
	if p, ok := r.(*parallel.Panic); ok {
		return p
	}
	if err, ok := r.(stepError); ok {
		return err.error
	}
	return fmt.Errorf("panic: %v\n%s", r, debug.Stack())
}

// stepError is how a step that fails ends an execution.
type stepError struct{ error }

// split runs a step on all processors, in ranges of at least grain of n.
func (x *execution) split(d divided, n, grain int) {
	if n <= grain {
		d.part(x, 0, n)
		return
	}
	x.part = d
	parallel.For(n, grain, x.body)
}

// floats returns n floats of an operand.
func (x *execution) floats(o operand, n int) []float32 {
	return unsafe.Slice((*float32)(unsafe.Add(x.base[o.storage], o.offset*4)), n)
}

// bytesOf returns n elements of an operand as bytes.
func (x *execution) bytesOf(o operand, n int) []byte {
	return unsafe.Slice((*byte)(unsafe.Add(x.base[o.storage], o.offset*o.width)), n*o.width)
}
