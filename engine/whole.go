package engine

import (
	"fmt"
	"slices"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/shapes"
)

// whole is an executable that the Go backend runs from beginning to end.
type whole struct {
	backend *Backend
	inner   compute.Executable
}

func (w *whole) Finalize() { w.inner.Finalize() }

func (w *whole) Inputs() ([]string, []shapes.Shape) { return w.inner.Inputs() }

func (w *whole) Outputs() []shapes.Shape { return w.inner.Outputs() }

// Execute runs the computation. As with other executables, an input that is
// given twice is not donated, and a panic is an error.
func (w *whole) Execute(inputs []compute.Buffer, donate []bool, device compute.DeviceNum) ([]compute.Buffer, error) {
	own, shared := make([]*Buffer, len(inputs)), make([]compute.Buffer, len(inputs))
	for i, in := range inputs {
		x, err := w.backend.own(i, in)
		if err != nil {
			return nil, err
		}
		own[i], shared[i] = x, x.shared
	}
	donate = slices.Clone(donate)
	for i := range min(len(donate), len(own)) {
		donate[i] = donate[i] && !givenTwice(own, i)
	}
	outputs, err := w.run(shared, donate, device)
	for i, x := range own {
		if i < len(donate) && donate[i] {
			x.release()
		}
	}
	return outputs, err
}

func (w *whole) run(inputs []compute.Buffer, donate []bool, device compute.DeviceNum) (outputs []compute.Buffer, err error) {
	defer catch(&err)
	if outputs, err = w.inner.Execute(inputs, donate, device); err != nil {
		return nil, err
	}
	for i, out := range outputs {
		if outputs[i], err = w.backend.adopt(out); err != nil {
			return nil, err
		}
	}
	return outputs, nil
}

// own returns an input as a buffer of this backend.
func (b *Backend) own(i int, in compute.Buffer) (*Buffer, error) {
	x, ok := in.(*Buffer)
	switch {
	case !ok || x == nil:
		return nil, fmt.Errorf("engine: input %d is a %T, not a buffer of this backend", i, in)
	case x.backend != b:
		return nil, fmt.Errorf("engine: input %d is a buffer of another backend", i)
	case x.shared == nil:
		return nil, fmt.Errorf("input %d: %w", i, errReleased)
	}
	return x, nil
}
