package engine

import (
	"fmt"

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

func (w *whole) Execute(inputs []compute.Buffer, donate []bool, device compute.DeviceNum) ([]compute.Buffer, error) {
	shared := make([]compute.Buffer, len(inputs))
	for i, in := range inputs {
		x, err := w.backend.own(i, in)
		if err != nil {
			return nil, err
		}
		shared[i] = x.shared
	}
	outputs, err := w.inner.Execute(shared, donate, device)
	for i, in := range inputs {
		if i < len(donate) && donate[i] {
			in.(*Buffer).release()
		}
	}
	if err != nil {
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
