package engine

import (
	"errors"
	"fmt"
	"runtime/debug"
	"sync"
	"unsafe"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/shapes"

	"github.com/kdcode/kdcode/internal/gemm"
	"github.com/kdcode/kdcode/internal/parallel"
)

// executable is a compiled computation.
type executable struct {
	backend    *Backend
	name       string
	parameters []*node
	outputs    []shapes.Shape
	newPlan    func(donated []bool) (*plan, error)

	mu    sync.Mutex
	plans map[string]*plan // by which inputs are donated
	idle  map[*plan][]*execution
}

var _ compute.Executable = (*executable)(nil)

// Finalize gives the memory of plans back.
func (e *executable) Finalize() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.plans, e.idle = nil, nil
}

// Inputs returns the names and shapes of the parameters.
func (e *executable) Inputs() (names []string, all []shapes.Shape) {
	for _, n := range e.parameters {
		names = append(names, n.attrs.(parameter).name)
		all = append(all, n.shape)
	}
	return names, all
}

// Outputs returns the shapes of the outputs.
func (e *executable) Outputs() []shapes.Shape { return e.outputs }

// Execute runs the computation. It may be called from several goroutines.
func (e *executable) Execute(inputs []compute.Buffer, donate []bool, device compute.DeviceNum) ([]compute.Buffer, error) {
	if device != 0 {
		return nil, fmt.Errorf("engine: there is one device, number 0, and no %d", device)
	}
	own, err := e.check(inputs, donate)
	if err != nil {
		return nil, err
	}
	x, err := e.begin(own, donate)
	if err != nil {
		return nil, err
	}
	outputs, err := x.execute()
	for i, in := range own {
		if x.plan.donated[i] {
			in.Finalize() // nothing, where it became an output
		}
	}
	if err != nil {
		return nil, fmt.Errorf("engine: running %q: %w", e.name, err)
	}
	e.end(x)
	return outputs, nil
}

// check returns the inputs if they are what the parameters ask for.
func (e *executable) check(inputs []compute.Buffer, donate []bool) ([]*Buffer, error) {
	if e.backend.IsFinalized() {
		return nil, errFinalized
	}
	if len(inputs) != len(e.parameters) || len(donate) != 0 && len(donate) != len(inputs) {
		return nil, fmt.Errorf("engine: %q has %d parameters, not %d (%d flags for donation)", e.name, len(e.parameters), len(inputs), len(donate))
	}
	own := make([]*Buffer, len(inputs))
	for i, in := range inputs {
		x, err := e.backend.own(i, in)
		if err != nil {
			return nil, err
		}
		if want := e.parameters[i]; !x.shape.Equal(want.shape) {
			return nil, fmt.Errorf("engine: input %d of %q, %q, has the shape %s, not %s", i, e.name, want.attrs.(parameter).name, x.shape, want.shape)
		}
		own[i] = x
	}
	return own, nil
}

// begin returns an execution of the plan for those donations. An input that is
// given twice is not donated: the other one is still read.
func (e *executable) begin(inputs []*Buffer, donate []bool) (*execution, error) {
	key := make([]byte, len(inputs))
	for i := range donate {
		if donate[i] && !givenTwice(inputs, i) {
			key[i] = 1
		}
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.plans == nil {
		return nil, errors.New("engine: the computation is finalized")
	}
	p := e.plans[string(key)]
	if p == nil {
		donated := make([]bool, len(inputs))
		for i := range key {
			donated[i] = key[i] == 1
		}
		var err error
		if p, err = e.newPlan(donated); err != nil {
			return nil, err
		}
		e.plans[string(key)] = p
	}
	var x *execution
	if idle := e.idle[p]; len(idle) > 0 {
		x = idle[len(idle)-1]
		e.idle[p] = idle[:len(idle)-1]
	} else {
		var err error
		if x, err = p.newExecution(); err != nil {
			return nil, err
		}
	}
	x.inputs = inputs
	return x, nil
}

func givenTwice(inputs []*Buffer, i int) bool {
	for j, x := range inputs {
		if j != i && x == inputs[i] {
			return true
		}
	}
	return false
}

// end keeps the memory of an execution for the next one.
func (e *executable) end(x *execution) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.idle != nil {
		e.idle[x.plan] = append(e.idle[x.plan], x)
	}
}

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

func (p *plan) newExecution() (*execution, error) {
	x := &execution{plan: p, base: make([]unsafe.Pointer, len(p.storages)),
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
			b, flat, err := p.backend.portable.NewSharedBuffer(0, s.shape)
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
	skip := -int(uintptr(unsafe.Pointer(&all[0]))) & (alignment - 1)
	return all[skip : skip+n]
}

// execute runs the steps. A panic in one is the error.
func (x *execution) execute() (outputs []compute.Buffer, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = asError(r)
		}
	}()
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
	clear(x.lent)
	x.inputs, x.outputs = nil, nil
	return outputs, nil
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

// frame is the registers of a loop on one processor.
type frame struct {
	memory unsafe.Pointer
	bytes  []byte
	loaded []int // how many elements of a repeating operand are loaded
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
	x.mu.Lock()
	x.frames = append(x.frames, f)
	x.mu.Unlock()
}
