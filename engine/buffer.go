package engine

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"unsafe"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"

	"github.com/kdcode/kdcode/internal/hugepages"
)

// Buffer is a tensor. Its memory is that of a shared buffer of GoMLX's Go
// backend, so that graphs delegated to it read and write it without copies.
type Buffer struct {
	backend *Backend
	shape   shapes.Shape
	shared  compute.Buffer // nil once finalized or donated
	flat    any
}

var (
	_ compute.Buffer        = (*Buffer)(nil)
	_ compute.DataInterface = (*Backend)(nil)

	errFinalized = errors.New("engine: the backend is finalized")
	errReleased  = errors.New("engine: the buffer was finalized or donated")
	errNotFolded = errors.New("engine: not a constant")
)

// newBuffer returns a buffer whose values are undefined.
func (b *Backend) newBuffer(shape shapes.Shape) (*Buffer, error) {
	if b.IsFinalized() {
		return nil, errFinalized
	}
	if shared, flat := b.spare.take(shape); shared != nil {
		return &Buffer{b, shape, shared, flat}, nil
	}
	shared, flat, err := b.allocate(shape)
	if err != nil {
		return nil, err
	}
	return &Buffer{b, shape, shared, flat}, nil
}

// allocate makes the memory of a buffer. Too much of it is an error.
func (b *Backend) allocate(shape shapes.Shape) (shared compute.Buffer, flat any, err error) {
	defer catch(&err)
	if shared, flat, err = b.portable.NewSharedBuffer(0, shape); err == nil {
		hugepages.Advise(bytes(flat))
	}
	return shared, flat, err
}

// concrete returns an error where no buffer can have a shape.
func concrete(shape shapes.Shape) error {
	switch {
	case !shape.Ok() || slices.ContainsFunc(shape.Dimensions, func(d int) bool { return d < 0 }):
		return fmt.Errorf("engine: a buffer needs a type and the size of every axis, not %s", shape)
	case !fitsMemory(shape):
		return fmt.Errorf("engine: a buffer of %s is larger than any memory", shape)
	}
	return nil
}

// adopt returns a buffer around one of the Go backend.
func (b *Backend) adopt(shared compute.Buffer) (*Buffer, error) {
	shape, err := shared.Shape()
	if err != nil {
		return nil, err
	}
	flat, err := shared.Data()
	if err != nil {
		return nil, err
	}
	return &Buffer{b, shape, shared, flat}, nil
}

// BufferFromFlatData returns a buffer with a copy of flat.
func (b *Backend) BufferFromFlatData(device compute.DeviceNum, flat any, shape shapes.Shape) (compute.Buffer, error) {
	if b.IsFinalized() {
		return nil, errFinalized
	}
	if err := concrete(shape); err != nil {
		return nil, err
	}
	if flat == nil && shape.Size() == 0 { // as GoMLX has it
		return b.newBuffer(shape.Clone())
	}
	if reflect.ValueOf(flat).Kind() != reflect.Slice {
		return nil, fmt.Errorf("engine: a buffer of %s from a %T: it takes a slice", shape, flat)
	}
	if device != 0 || shape.DType.IsPacked() || elementType(flat) != shape.DType {
		// Packed numbers; or the Go backend knows what is wrong.
		shared, err := b.portable.BufferFromFlatData(device, flat, shape)
		if err != nil {
			return nil, err
		}
		return b.adopt(shared)
	}
	if n := reflect.ValueOf(flat).Len(); n != shape.Size() {
		return nil, fmt.Errorf("engine: a buffer of %s from %d elements", shape, n)
	}
	x, err := b.newBuffer(shape.Clone())
	if err != nil {
		return nil, err
	}
	copy(bytes(x.flat), bytes(flat))
	return x, nil
}

// HasSharedBuffers returns true.
func (b *Backend) HasSharedBuffers() bool { return true }

// NewSharedBuffer returns a buffer and its memory.
func (b *Backend) NewSharedBuffer(device compute.DeviceNum, shape shapes.Shape) (compute.Buffer, any, error) {
	if device != 0 {
		return nil, nil, fmt.Errorf("engine: there is one device, number 0, and no %d", device)
	}
	if err := concrete(shape); err != nil {
		return nil, nil, err
	}
	x, err := b.newBuffer(shape.Clone())
	if err != nil {
		return nil, nil, err
	}
	return x, x.flat, nil
}

// Backend returns the backend of the buffer.
func (x *Buffer) Backend() compute.Backend { return x.backend }

// Shape returns the shape of the buffer.
func (x *Buffer) Shape() (shapes.Shape, error) { return x.shape, nil }

// DeviceNum returns 0.
func (x *Buffer) DeviceNum() (compute.DeviceNum, error) { return 0, nil }

// Finalize gives the memory back. There is nothing to give back of a buffer
// that was donated.
func (x *Buffer) Finalize() error {
	if x.shared == nil {
		return nil
	}
	if x.backend.IsFinalized() {
		return errFinalized
	}
	x.backend.spare.put(x.shape, x.shared, x.flat)
	x.release()
	return nil
}

// release forgets the memory, which belongs to someone else from now on.
func (x *Buffer) release() { x.shared, x.flat = nil, nil }

// ToFlatData copies the values to flat.
func (x *Buffer) ToFlatData(flat any) error {
	if x.shared == nil {
		return errReleased
	}
	n := reflect.ValueOf(x.flat).Len()
	if n == 0 {
		return nil
	}
	if to := reflect.ValueOf(flat); to.Kind() != reflect.Slice || to.Len() != n || elementType(flat) != elementType(x.flat) {
		return fmt.Errorf("engine: the %d elements of a buffer of %s do not go to a %T of another type or length", n, x.shape, flat)
	}
	copy(bytes(flat), bytes(x.flat))
	return nil
}

// Data returns the memory of the buffer.
func (x *Buffer) Data() (any, error) {
	if x.shared == nil {
		return nil, errReleased
	}
	if x.backend.IsFinalized() {
		return nil, errFinalized
	}
	return x.flat, nil
}

// CopyToDevice returns an error: there is one device.
func (x *Buffer) CopyToDevice(compute.DeviceNum) (compute.Buffer, error) {
	return nil, errors.New("engine: there is one device")
}

// elementType returns the type of a flat slice's elements.
func elementType(flat any) dtypes.DType { return dtypes.FromGoType(reflect.TypeOf(flat).Elem()) }

// bytes returns the memory of a flat slice.
func bytes(flat any) []byte {
	v := reflect.ValueOf(flat)
	return unsafe.Slice((*byte)(v.UnsafePointer()), v.Len()*int(v.Type().Elem().Size()))
}
