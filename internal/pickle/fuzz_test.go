package pickle

import (
	"errors"
	"runtime/metrics"
	"testing"
)

// A pickle may be anything: it must be one of the documented values, no larger
// than the input explains, or an error of the documented kind.
func FuzzDecode(f *testing.F) {
	for _, data := range samples(f) {
		f.Add(data)
	}
	f.Add([]byte("cos\nsystem\n(S'echo x'\ntR."))
	f.Add([]byte("(lp0\nI1\nag0\na."))
	f.Add([]byte("ccollections\ndefaultdict\n(c__builtin__\nlist\ntR(I0\n(lI1\nas."))
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 1<<20 {
			return
		}
		before := allocated()
		v, err := Decode(data)
		if n := allocated() - before; n > 1<<20+500*uint64(len(data)) {
			t.Fatalf("%d bytes allocated for a pickle of %d", n, len(data))
		}
		if err != nil {
			if !errors.Is(err, ErrFormat) || v != nil {
				t.Fatalf("%v, %v", v, err)
			}
			return
		}
		switch v := v.(type) {
		case *Array:
			n, ok := sizeOf(v.Shape, 1)
			if !ok || n != len(v.Ints)+len(v.Floats) || n > len(data) {
				t.Fatalf("an array of shape %v with %d numbers", v.Shape, n)
			}
		case *CSR:
			if len(v.Indptr) != v.Rows+1 || len(v.Indices) != len(v.Data) || len(v.Data) > len(data) {
				t.Fatalf("a matrix of %d rows with %d entries", v.Rows, len(v.Data))
			}
		case map[int][]int:
			total := 0
			for _, list := range v {
				total += len(list)
			}
			if total > len(data) {
				t.Fatalf("%d items of %d bytes", total, len(data))
			}
		default:
			t.Fatalf("a %T", v)
		}
	})
}

func allocated() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}
