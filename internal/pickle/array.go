package pickle

import (
	"encoding/binary"
	"math"
)

// array is a numpy array, its numbers still in bytes: a pickle can mention the
// same bytes many times, and only the array that is wanted costs memory.
type array struct {
	built   bool
	shape   []int
	dtype   dtype
	fortran bool
	raw     any // string or encoded
}

// dtype is the type of an array's numbers.
type dtype struct {
	kind      byte // i, u, f or b
	size      int
	bigEndian bool
}

var dtypes = map[string]dtype{
	"i1": {'i', 1, false}, "i2": {'i', 2, false}, "i4": {'i', 4, false}, "i8": {'i', 8, false},
	"u1": {'u', 1, false}, "u2": {'u', 2, false}, "u4": {'u', 4, false}, "u8": {'u', 8, false},
	"f4": {'f', 4, false}, "f8": {'f', 8, false}, "b1": {'b', 1, false},
}

func (m *machine) newType(v any) error {
	name, _ := word(v)
	t, ok := dtypes[name]
	if !ok {
		return m.failf("numbers of type %q: whole numbers, float32 and float64 can be read; write the array with .astype('float32')", clip(name))
	}
	return m.push(&t)
}

// buildType takes numpy's state of a type: a version, the byte order, and what
// only structured types have.
func (m *machine) buildType(t *dtype, state any) error {
	s, ok := state.(tuple)
	if !ok || len(s) < 5 || s[2] != nil || s[3] != nil || s[4] != nil {
		return m.failf("not the state of a plain type of numbers; write the array with .astype('float32')")
	}
	switch order, _ := word(s[1]); order {
	case "<", "|":
		t.bigEndian = false
	case ">":
		t.bigEndian = true
	default:
		return m.failf("byte order %q: < and > can be read; write the array with .astype('<f4')", clip(order))
	}
	return nil
}

// buildArray takes numpy's state of an array: a version, the shape, the type,
// whether it is in Fortran order, and the bytes.
func (m *machine) buildArray(a *array, state any) error {
	s, ok := state.(tuple)
	if !ok || len(s) != 5 || s[0] != int64(1) {
		return m.failf("not the state of an array; write the file with pickle.dump(…, protocol=2)")
	}
	t, isType := s[2].(*dtype)
	fortran, isBool := s[3].(bool)
	length := -1
	switch raw := s[4].(type) {
	case string:
		length = len(raw)
	case encoded:
		length = raw.latin1
	}
	if !isType || !isBool || length < 0 {
		return m.failf("not the state of an array of numbers; write the file with pickle.dump(…, protocol=2)")
	}
	shape, err := m.shape(s[1])
	if err != nil {
		return err
	}
	if size, ok := sizeOf(shape, t.size); !ok || size != length {
		return m.failf("an array of shape %v with numbers of %d bytes, but %d bytes of data; download the file again", shape, t.size, length)
	}
	if fortran && len(shape) > 2 {
		return m.failf("an array of %d dimensions in Fortran order; write it with numpy.ascontiguousarray", len(shape))
	}
	*a = array{true, shape, *t, fortran, s[4]}
	return nil
}

// shape reads a tuple of a few whole numbers.
func (m *machine) shape(v any) ([]int, error) {
	sizes, ok := v.(tuple)
	if !ok || len(sizes) > 32 { // numpy's own limit
		return nil, m.failf("the shape is %s, not a tuple of a few numbers; download the file again", describe(v))
	}
	shape := make([]int, len(sizes))
	for i, v := range sizes {
		n, ok := v.(int64)
		if !ok || n < 0 || int64(int(n)) != n {
			return nil, m.failf("the shape has %s where a size is wanted; download the file again", describe(v))
		}
		shape[i] = int(n)
	}
	return shape, nil
}

// sizeOf returns how many bytes an array takes, or false if more than an int
// can count.
func sizeOf(shape []int, size int) (int, bool) {
	for _, n := range shape {
		if n != 0 && size > math.MaxInt/n {
			return 0, false
		}
		size *= n
	}
	return size, true
}

// decodeArray decodes the numbers of an array.
func (m *machine) decodeArray(a *array) (*Array, error) {
	if !a.built {
		return nil, m.failf("the array has no contents: the file is damaged; download it again")
	}
	raw, ok := a.raw.(string)
	if !ok {
		raw = a.raw.(encoded).bytes()
	}
	out := &Array{Shape: a.shape}
	n := len(raw) / a.dtype.size
	if a.dtype.kind == 'f' {
		out.Floats = make([]float64, n)
	} else {
		out.Ints = make([]int64, n)
	}
	for i := range n {
		bits := a.dtype.bits(raw[i*a.dtype.size:])
		to := a.place(i)
		switch a.dtype.kind {
		case 'f':
			out.Floats[to] = a.dtype.float(bits)
		case 'i':
			unused := 64 - 8*a.dtype.size
			out.Ints[to] = int64(bits<<unused) >> unused
		default:
			if bits > math.MaxInt64 {
				return nil, m.failf("the array has the number %d: at most %d can be read", bits, int64(math.MaxInt64))
			}
			out.Ints[to] = int64(bits)
		}
	}
	return out, nil
}

// place returns where the i-th number of the bytes stands in C order.
func (a *array) place(i int) int {
	if !a.fortran || len(a.shape) < 2 {
		return i
	}
	rows, cols := a.shape[0], a.shape[1]
	return i%rows*cols + i/rows
}

// bits returns the number that b begins with, as it is stored.
func (t dtype) bits(b string) uint64 {
	var word [8]byte
	if t.bigEndian {
		copy(word[8-t.size:], b[:t.size])
		return binary.BigEndian.Uint64(word[:])
	}
	copy(word[:], b[:t.size])
	return binary.LittleEndian.Uint64(word[:])
}

func (t dtype) float(bits uint64) float64 {
	if t.size == 4 {
		return float64(math.Float32frombits(uint32(bits)))
	}
	return math.Float64frombits(bits)
}
