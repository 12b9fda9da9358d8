package engine

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// offsets returns where all elements of a view are, in their order.
func (v view) offsets() []int {
	all := []int{v.offset}
	for i, d := range v.dims {
		var next []int
		for _, o := range all {
			for j := range d {
				next = append(next, o+j*v.strides[i])
			}
		}
		all = next
	}
	return all
}

func randomView(r *rand.Rand) view {
	v := contiguous([]int{1 + r.IntN(4), 1 + r.IntN(4), 1 + r.IntN(4)})
	for range r.IntN(4) {
		switch r.IntN(3) {
		case 0:
			v = v.transpose(r.Perm(len(v.dims)))
		case 1:
			starts, dims, strides := make([]int, len(v.dims)), make([]int, len(v.dims)), make([]int, len(v.dims))
			for i, d := range v.dims {
				starts[i], strides[i] = r.IntN(d), 1+r.IntN(2)
				dims[i] = (d - starts[i] + strides[i] - 1) / strides[i]
			}
			v = v.slice(slice{starts: starts, strides: strides}, dims)
		case 2:
			to := make([]int, len(v.dims))
			for i := range to {
				to[i] = i + 1
			}
			v = v.broadcast(append([]int{1 + r.IntN(3)}, v.dims...), to)
		}
	}
	return v
}

// TestViews compares what changes a view's shape alone with the elements' order.
func TestViews(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	reshaped := 0
	for range 2000 {
		v := randomView(r)
		want := v.offsets()
		if got := v.collapse().offsets(); !slices.Equal(got, want) {
			t.Fatalf("%+v collapses to %+v", v, v.collapse())
		}
		inOrder := true
		for i, o := range want {
			inOrder = inOrder && o == want[0]+i
		}
		if v.isContiguous() != inOrder {
			t.Fatalf("%+v: contiguous is %v", v, v.isContiguous())
		}
		n := len(want)
		for a := 1; a <= n; a++ {
			if n%a != 0 {
				continue
			}
			if s, ok := v.reshape([]int{a, 1, n / a}); ok {
				reshaped++
				if !slices.Equal(s.offsets(), want) {
					t.Fatalf("%+v reshaped to %+v", v, s)
				}
			} else if inOrder {
				t.Fatalf("%+v cannot be reshaped", v)
			}
		}
	}
	if reshaped < 1000 {
		t.Errorf("only %d reshaped", reshaped)
	}
}

// TestWalk loads and stores pieces of views.
func TestWalk(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for i := range 2000 {
		v := randomView(r).collapse()
		if i%500 == 0 { // more axes than a walk has
			v = view{}
			for axis := range maxAxes + 1 {
				v.dims, v.strides = append(v.dims, 2), append(v.strides, 1<<axis)
			}
		}
		if len(v.dims) == 0 {
			continue
		}
		offsets := v.offsets()
		memory := make([]uint32, slices.Max(offsets)+1)
		for i := range memory {
			memory[i] = uint32(i)
		}
		from := r.IntN(len(offsets))
		got := make([]uint32, 1+r.IntN(len(offsets)-from))
		base := v
		base.offset = 0
		loadStrided(got, pointer(memory[v.offset:]), base, from)
		for i, x := range got {
			if int(x) != offsets[from+i] {
				t.Fatalf("%+v from %d: element %d is that at %d, want %d", v, from, i, x, offsets[from+i])
			}
		}
		for i := range got {
			got[i] += 1000
		}
		if slices.Contains(v.strides, 0) {
			continue // several elements would go to one place
		}
		storeStrided(got, pointer(memory[v.offset:]), base, from)
		for i := range got {
			if at := offsets[from+i]; memory[at] != uint32(1000+at) {
				t.Fatalf("%+v from %d: element %d was not stored", v, from, i)
			}
		}
	}
}
