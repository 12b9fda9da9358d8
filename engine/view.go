package engine

import "slices"

// view is how a value lies in memory: element i, j, … of it is at
// offset + i·strides[0] + j·strides[1] + …, in elements. A stride of 0 repeats
// the value along an axis.
type view struct {
	offset        int
	dims, strides []int
}

// contiguous returns the view of a value that lies row by row.
func contiguous(dims []int) view {
	v := view{dims: slices.Clone(dims), strides: make([]int, len(dims))}
	stride := 1
	for i := len(dims) - 1; i >= 0; i-- {
		v.strides[i] = stride
		stride *= dims[i]
	}
	return v
}

func product(dims []int) int {
	n := 1
	for _, d := range dims {
		n *= d
	}
	return n
}

// at returns where element i is, from the offset of the view on.
func (v view) at(i int) int {
	offset := 0
	for axis := len(v.dims) - 1; axis >= 0; axis-- {
		offset += i % v.dims[axis] * v.strides[axis]
		i /= v.dims[axis]
	}
	return offset
}

// collapse merges axes that step through memory as one would, and drops those
// of size 1. Elements stay in the same order.
func (v view) collapse() view {
	c := view{offset: v.offset}
	for i, d := range v.dims {
		if d == 1 {
			continue
		}
		if last := len(c.dims) - 1; last >= 0 && c.strides[last] == d*v.strides[i] {
			c.dims[last] *= d
			c.strides[last] = v.strides[i]
			continue
		}
		c.dims = append(c.dims, d)
		c.strides = append(c.strides, v.strides[i])
	}
	return c
}

// isContiguous reports whether the elements lie one after the other.
func (v view) isContiguous() bool {
	if product(v.dims) == 0 {
		return true
	}
	c := v.collapse()
	return len(c.dims) == 0 || len(c.dims) == 1 && c.strides[0] == 1
}

// reshape returns the view with other dims, if strides can express it.
func (v view) reshape(dims []int) (view, bool) {
	if product(dims) == 0 || v.isContiguous() {
		r := contiguous(dims)
		r.offset = v.offset
		return r, true
	}
	c := v.collapse()
	r := view{offset: v.offset, dims: slices.Clone(dims), strides: make([]int, len(dims))}
	at, left := len(c.dims)-1, 0 // left is what remains of axis at; 0 before it is begun
	stride := 0
	for i := len(dims) - 1; i >= 0; i-- {
		if dims[i] == 1 {
			continue
		}
		if left <= 1 {
			if left == 1 {
				at--
			}
			if at < 0 {
				return view{}, false
			}
			left, stride = c.dims[at], c.strides[at]
		}
		if left%dims[i] != 0 {
			return view{}, false
		}
		r.strides[i] = stride
		stride *= dims[i]
		left /= dims[i]
	}
	return r, true
}

// transpose returns the view with the axes in another order.
func (v view) transpose(order []int) view {
	t := view{offset: v.offset}
	for _, axis := range order {
		t.dims = append(t.dims, v.dims[axis])
		t.strides = append(t.strides, v.strides[axis])
	}
	return t
}

// slice returns the view of a part.
func (v view) slice(s slice, dims []int) view {
	p := view{offset: v.offset, dims: slices.Clone(dims), strides: slices.Clone(v.strides)}
	for i, start := range s.starts {
		p.offset += start * v.strides[i]
		if i < len(s.strides) {
			p.strides[i] *= s.strides[i]
		}
	}
	return p
}

// broadcast returns the view repeated to dims, where axis i of v is axis to[i].
func (v view) broadcast(dims, to []int) view {
	b := view{offset: v.offset, dims: slices.Clone(dims), strides: make([]int, len(dims))}
	for i, axis := range to {
		if v.dims[i] == dims[axis] {
			b.strides[axis] = v.strides[i]
		}
	}
	return b
}

// expand returns the view repeated to dims as element-wise operations do it:
// a scalar everywhere, else along axes of size 1.
func (v view) expand(dims []int) view {
	to := make([]int, len(v.dims))
	for i := range to {
		to[i] = i
	}
	return v.broadcast(dims, to)
}
