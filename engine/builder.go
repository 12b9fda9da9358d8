package engine

import (
	"errors"
	"fmt"
	"reflect"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/shapes"
)

// builder records a computation as nodes. A shadow of it is built in GoMLX's
// Go backend at the same time: that checks every operation and infers its
// shape, finds common subexpressions, and is what runs where a graph has
// shapes known only later.
type builder struct {
	backend  *Backend
	name     string
	shadow   compute.Builder // nil once compiled
	main     *function
	nodes    int // how many there are, in all functions
	dynamic  bool
	compiled bool
}

var _ compute.Builder = (*builder)(nil)

func newBuilder(b *Backend, name string) *builder {
	r := &builder{backend: b, name: name, shadow: b.portable.Builder(name)}
	r.main = newFunction(r, nil, r.shadow.Main())
	return r
}

func (b *builder) Name() string           { return b.name }
func (b *builder) Main() compute.Function { return b.main }

func (b *builder) NewFunction(name string) (compute.Function, error) {
	if b.compiled {
		return nil, errCompiled
	}
	shadow, err := b.shadow.NewFunction(name)
	if err != nil {
		return nil, err
	}
	return newFunction(b, nil, shadow), nil
}

func (b *builder) OpShape(v compute.Value) (shapes.Shape, error) {
	n, err := b.node(v)
	if err != nil {
		return shapes.Invalid(), err
	}
	return n.shape, nil
}

func (b *builder) DistributedSPMD(devices int) error {
	if b.compiled {
		return errCompiled
	}
	return b.shadow.DistributedSPMD(devices)
}

func (b *builder) DistributedAutoSharding(meshes ...compute.Mesh) error {
	if b.compiled {
		return errCompiled
	}
	return b.shadow.DistributedAutoSharding(meshes...)
}

func (b *builder) DeviceAssignment(devices ...compute.DeviceNum) error {
	if b.compiled {
		return errCompiled
	}
	return b.shadow.DeviceAssignment(devices...)
}

var errCompiled = errors.New("engine: the computation is compiled already: build another one")

// node returns the node behind a value of this builder.
func (b *builder) node(v compute.Value) (*node, error) {
	n, ok := v.(*node)
	switch {
	case !ok:
		return nil, fmt.Errorf("engine: a %T is not a value of this backend", v)
	case n.fn.builder != b:
		return nil, fmt.Errorf("engine: the value was made by another builder (%q, not %q)", n.fn.builder.name, b.name)
	}
	return n, nil
}

// cloneFlat returns a copy of a slice of any supported type.
func cloneFlat(flat any) any {
	v := reflect.ValueOf(flat)
	c := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
	reflect.Copy(c, v)
	return c.Interface()
}
