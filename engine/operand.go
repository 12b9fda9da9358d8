package engine

import "unsafe"

// operand is memory that a loop reads or writes.
type operand struct {
	storage int
	offset  int // in elements
	width   int // bytes an element
	mode    mode
	view    view // of strided operands: in the order of the space, collapsed
	column  bool // of one element a row, not all of the space
	period  int  // where a strided operand repeats itself after so many elements
}

// mode is how the elements of an operand lie.
type mode int

const (
	direct  mode = iota // one after the other
	scalar              // one for all
	strided             // any other way: loaded into a register or stored from one
)

// load fills a block with n elements of the operand, from… on.
func (o *operand) load(x *execution, dst block, from, n int) {
	src := unsafe.Add(x.base[o.storage], o.offset*o.width)
	if v := &o.view; len(v.dims) == 2 && v.strides[0] == 1 && v.strides[1] == 0 && from%v.dims[1] == 0 && n%v.dims[1] == 0 {
		expandColumn(dst, block{unsafe.Add(src, from/v.dims[1]*o.width), n / v.dims[1]}, v.dims[1], o.width)
		return
	}
	switch o.width {
	case 1:
		loadStrided[uint8](as[uint8](dst), src, o.view, from)
	case 2:
		loadStrided[uint16](as[uint16](dst), src, o.view, from)
	case 4:
		loadStrided[uint32](as[uint32](dst), src, o.view, from)
	case 8:
		loadStrided[uint64](as[uint64](dst), src, o.view, from)
	}
}

// store puts a block where elements from… of the operand are.
func (o *operand) store(x *execution, src block, from int) {
	dst := unsafe.Add(x.base[o.storage], o.offset*o.width)
	switch o.width {
	case 1:
		storeStrided[uint8](as[uint8](src), dst, o.view, from)
	case 2:
		storeStrided[uint16](as[uint16](src), dst, o.view, from)
	case 4:
		storeStrided[uint32](as[uint32](src), dst, o.view, from)
	case 8:
		storeStrided[uint64](as[uint64](src), dst, o.view, from)
	}
}

// walk goes over elements from… of a view in runs along its last axis. The view
// has maxAxes at most.
type walk struct {
	view   *view
	index  [maxAxes]int
	offset int
}

const maxAxes = 16

func walkFrom(v *view, from int) walk {
	w := walk{view: v}
	for i := len(v.dims) - 1; i >= 0; i-- {
		w.index[i] = from % v.dims[i]
		from /= v.dims[i]
		w.offset += w.index[i] * v.strides[i]
	}
	return w
}

// left returns how many elements the run under way still has.
func (w *walk) left() int {
	last := len(w.view.dims) - 1
	return w.view.dims[last] - w.index[last]
}

// skip goes n elements on, to the end of the run at most.
func (w *walk) skip(n int) {
	v := w.view
	i := len(v.dims) - 1
	w.index[i] += n
	w.offset += n * v.strides[i]
	for ; i > 0 && w.index[i] == v.dims[i]; i-- {
		w.offset += v.strides[i-1] - w.index[i]*v.strides[i]
		w.index[i] = 0
		w.index[i-1]++
	}
}

func loadStrided[T uint8 | uint16 | uint32 | uint64](dst []T, src unsafe.Pointer, v view, from int) {
	var zero T
	width, stride := int(unsafe.Sizeof(zero)), v.strides[len(v.strides)-1]
	if len(v.dims) > maxAxes {
		for i := range dst {
			dst[i] = *(*T)(unsafe.Add(src, v.at(from+i)*width))
		}
		return
	}
	for w := walkFrom(&v, from); len(dst) > 0; {
		n := min(len(dst), w.left())
		p := unsafe.Add(src, w.offset*width)
		switch stride {
		case 0:
			fill(dst[:n], *(*T)(p))
		case 1:
			copy(dst[:n], unsafe.Slice((*T)(p), n))
		default:
			s := unsafe.Slice((*T)(p), (n-1)*stride+1)
			for i := range dst[:n] {
				dst[i] = s[i*stride]
			}
		}
		w.skip(n)
		dst = dst[n:]
	}
}

func storeStrided[T uint8 | uint16 | uint32 | uint64](src []T, dst unsafe.Pointer, v view, from int) {
	var zero T
	width, stride := int(unsafe.Sizeof(zero)), v.strides[len(v.strides)-1]
	if len(v.dims) > maxAxes {
		for i, value := range src {
			*(*T)(unsafe.Add(dst, v.at(from+i)*width)) = value
		}
		return
	}
	for w := walkFrom(&v, from); len(src) > 0; {
		n := min(len(src), w.left())
		d := unsafe.Slice((*T)(unsafe.Add(dst, w.offset*width)), (n-1)*stride+1)
		if stride == 1 {
			copy(d, src[:n])
		} else {
			for i, value := range src[:n] {
				d[i*stride] = value
			}
		}
		w.skip(n)
		src = src[n:]
	}
}

// expandColumn repeats each element of a column along its row.
func expandColumn(dst, x block, cols, width int) {
	switch width {
	case 1:
		expandRows(as[uint8](dst), as[uint8](x), cols)
	case 2:
		expandRows(as[uint16](dst), as[uint16](x), cols)
	case 4:
		if cols%2 == 0 { // two at a time
			pairs := block{dst.at, dst.n / 2}
			for i, v := range as[uint32](x) {
				fill(as[uint64](pairs)[i*cols/2:(i+1)*cols/2], uint64(v)<<32|uint64(v))
			}
			return
		}
		expandRows(as[uint32](dst), as[uint32](x), cols)
	case 8:
		expandRows(as[uint64](dst), as[uint64](x), cols)
	}
}

func expandRows[T any](dst, x []T, cols int) {
	for i, v := range x {
		fill(dst[i*cols:(i+1)*cols], v)
	}
}

func fill[T any](dst []T, v T) {
	for ; len(dst) >= 8; dst = dst[8:] {
		d := (*[8]T)(dst)
		d[0], d[1], d[2], d[3], d[4], d[5], d[6], d[7] = v, v, v, v, v, v, v, v
	}
	for i := range dst {
		dst[i] = v
	}
}
