package kdcode_test

import (
	"bytes"
	"runtime"
	"testing"

	"github.com/kdcode/kdcode"
	"github.com/kdcode/kdcode/codefile"
	"github.com/kdcode/kdcode/internal/tabletest"
)

// FuzzTable opens damaged files and looks up in them: errors are fine, panics
// and large allocations are not.
func FuzzTable(f *testing.F) {
	add := func(m *codefile.Model, spoil func(r *codefile.Reader)) {
		var b bytes.Buffer
		if _, err := m.WriteTo(&b); err != nil {
			f.Fatal(err)
		}
		r, err := codefile.NewReader(b.Bytes())
		if err != nil {
			f.Fatal(err)
		}
		spoil(r)
		f.Add(b.Bytes(), 1, "w1")
	}
	for i, s := range tabletest.Shapes() {
		if s.K <= 33 && s.D < 100 && s.Dim < 100 {
			s.N = 5
			add(tabletest.Model(s, uint64(i)), func(*codefile.Reader) {})
		}
	}
	// K = 3: the bit pattern 3 is no digit.
	for _, shared := range []bool{false, true} {
		m := tabletest.Model(tabletest.Shape{N: 4, K: 3, D: 4, Dim: 2, CodeDim: 2, Composition: codefile.Sum, Shared: shared}, 9)
		add(m, func(r *codefile.Reader) { copy(r.Codes().Packed, "\xff\x3f\xf3\xfc") })
	}
	f.Fuzz(func(t *testing.T, data []byte, id int, symbol string) {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		for _, data := range [][]byte{data, tabletest.Seal(bytes.Clone(data))} {
			table, err := kdcode.FromBytes(data)
			if err != nil || table.Dim() > 1<<20 {
				continue
			}
			v := make([]float32, 2*table.Dim())
			_ = table.Lookup(v[:table.Dim()], id)
			_ = table.LookupBatch(v, []int{0, table.Len() - 1})
			table.ID(symbol)
			_, _ = table.Symbol(id)
			table.Code(nil, id)
			table.Size()
			table.Close()
		}
		runtime.ReadMemStats(&after)
		if n := after.TotalAlloc - before.TotalAlloc; len(data) < 1<<20 && n > 64<<20 {
			t.Fatalf("%d bytes allocated for a file of %d", n, len(data))
		}
	})
}
