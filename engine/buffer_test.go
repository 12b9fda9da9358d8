package engine

import (
	"slices"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
)

// TestFlat holds that slices which are not those of a buffer's shape are
// refused, on the way in and out.
func TestFlat(t *testing.T) {
	b := newBackend(t)
	for _, flat := range []any{nil, 1, []float32{1, 2}, []float32{1, 2, 3, 4}, []float64{1, 2, 3}, []string{"1", "2", "3"}} {
		if _, err := b.BufferFromFlatData(0, flat, floats(3)); err == nil {
			t.Errorf("a buffer of 3 floats of %#v", flat)
		}
	}
	x := buffer(t, b, []float32{1, 2, 3}, 3)
	for _, flat := range []any{nil, 1, make([]float32, 2), make([]float32, 4), make([]float64, 3)} {
		if err := x.ToFlatData(flat); err == nil {
			t.Errorf("3 floats went to %#v", flat)
		}
	}
	got := make([]float32, 3)
	if err := x.ToFlatData(got); err != nil || !slices.Equal(got, []float32{1, 2, 3}) {
		t.Errorf("%v, %v", got, err)
	}
	for _, flat := range []any{nil, []float32{}} { // GoMLX has nil for no elements
		none, err := b.BufferFromFlatData(0, flat, floats(0, 3))
		if err != nil {
			t.Fatal(err)
		}
		if err := none.ToFlatData(flat); err != nil {
			t.Error(err)
		}
	}
}

// TestShapes holds that buffers of shapes that none can have are refused.
func TestShapes(t *testing.T) {
	b := newBackend(t)
	for _, shape := range []shapes.Shape{
		{}, {DType: dtypes.Float32, Dimensions: []int{-2}}, {DType: dtypes.Float32, Dimensions: []int{-3, -1}},
		shapes.MakeDynamic(dtypes.Float32, []int{-1}, []string{"n"}),
		floats(1<<40, 1<<40), floats(1 << 62), // their sizes overflow to 0 elements, or bytes
	} {
		for _, flat := range []any{nil, []float32{1}, []float32{1, 2, 3}} {
			if _, err := b.BufferFromFlatData(0, flat, shape); err == nil {
				t.Errorf("a buffer of %s from %v", shape, flat)
			}
		}
		if _, _, err := b.NewSharedBuffer(0, shape); err == nil {
			t.Errorf("a shared buffer of %s", shape)
		}
	}
}
