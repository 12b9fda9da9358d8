package kdcode_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/kdcode/kdcode"
	"github.com/kdcode/kdcode/codefile"
	"github.com/kdcode/kdcode/internal/tabletest"
)

// write writes the model to a file and returns its path.
func write(t testing.TB, m *codefile.Model) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "table.kd")
	if err := codefile.WriteFile(path, m); err != nil {
		t.Fatal(err)
	}
	return path
}

func open(t testing.TB, m *codefile.Model) *kdcode.Table {
	t.Helper()
	table, err := kdcode.Open(write(t, m))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { table.Close() })
	return table
}

// stored returns the model as the table has it: what float16 and int8 leave of
// the code embeddings.
func stored(t testing.TB, m *codefile.Model) *codefile.Model {
	t.Helper()
	var b bytes.Buffer
	if _, err := m.WriteTo(&b); err != nil {
		t.Fatal(err)
	}
	r, err := codefile.NewReader(b.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	s, err := r.Model()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// near fails unless got equals want within float32 arithmetic: 1e-5 of the
// largest component.
func near(t testing.TB, got []float32, want []float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%d floats instead of %d", len(got), len(want))
	}
	largest := 1.0
	for _, w := range want {
		largest = max(largest, math.Abs(w))
	}
	for i := range want {
		if !(math.Abs(float64(got[i])-want[i]) <= 1e-5*largest) {
			t.Fatalf("component %d is %v instead of %v", i, got[i], want[i])
		}
	}
}

// openers are all ways to a table.
var openers = map[string]func(path string) (*kdcode.Table, error){
	"Open": kdcode.Open,
	"Load": kdcode.Load,
	"Read": func(path string) (*kdcode.Table, error) {
		data, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		return kdcode.Read(bytes.NewReader(data), int64(len(data)))
	},
	"FromBytes": func(path string) (*kdcode.Table, error) {
		data, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		return kdcode.FromBytes(data)
	},
}

// TestConformance runs every shape through every opener and every lookup.
func TestConformance(t *testing.T) {
	for _, s := range tabletest.Shapes() {
		t.Run(s.String(), func(t *testing.T) {
			m := tabletest.Model(s, 11)
			path, want := write(t, m), stored(t, m)
			for name, opener := range openers {
				table, err := opener(path)
				if err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				conform(t, table, want)
				if err := table.Close(); err != nil {
					t.Error(err)
				}
			}
		})
	}
}

func conform(t *testing.T, table *kdcode.Table, m *codefile.Model) {
	if table.Len() != m.Codes.N() || table.Dim() != m.Dim() || table.Ways() != m.Codes.K || table.CodeLength() != m.Codes.D {
		t.Fatalf("a table of %d × %d, K=%d, D=%d", table.Len(), table.Dim(), table.Ways(), table.CodeLength())
	}
	ids := make([]int, 0, 2*m.Codes.N())
	for i := range cap(ids) {
		ids = append(ids, i*7%m.Codes.N())
	}
	batch := make([]float32, len(ids)*table.Dim())
	if err := table.LookupBatch(batch, ids); err != nil {
		t.Fatal(err)
	}
	digits := make([]uint16, m.Codes.D)
	v := make([]float32, table.Dim())
	for i, id := range ids {
		m.Codes.Get(digits, id)
		if code := table.Code([]uint16{9}, id); !slices.Equal(code[1:], digits) || code[0] != 9 {
			t.Fatalf("code %d is %v instead of %v", id, code, digits)
		}
		if err := table.Lookup(v, id); err != nil {
			t.Fatal(err)
		}
		near(t, v, tabletest.Vector(m, digits))
		if !slices.Equal(v, batch[i*len(v):][:len(v)]) {
			t.Fatalf("Lookup and LookupBatch of %d differ", id)
		}
	}
	if !slices.Equal(table.CodeEmbeddings(), m.Embeddings.Values) {
		t.Error("CodeEmbeddings differ")
	}
	packed, err := table.PackedCodes(nil, 0, table.Len())
	if err != nil || !bytes.Equal(packed, m.Codes.Packed) {
		t.Errorf("PackedCodes differ: %v", err)
	}
	conformSymbols(t, table, m)
}

func conformSymbols(t *testing.T, table *kdcode.Table, m *codefile.Model) {
	if table.HasSymbols() != (m.Symbols != nil) {
		t.Fatal("symbols")
	}
	if m.Symbols == nil {
		if _, ok := table.ID("w1"); ok {
			t.Error("ID finds a symbol in a table without")
		}
		if _, err := table.Symbol(0); !errors.Is(err, kdcode.ErrNoSymbols) {
			t.Error(err)
		}
	}
	for id, want := range m.Symbols {
		if got, ok := table.ID(want); !ok || got != id {
			t.Errorf("ID(%q) = %d, %t", want, got, ok)
		}
		if got, err := table.Symbol(id); got != want || err != nil {
			t.Errorf("Symbol(%d) = %q, %v", id, got, err)
		}
	}
	seen := 0
	for id, s := range table.Symbols() {
		if s != m.Symbols[id] || id != seen {
			t.Errorf("Symbols: %d, %q", id, s)
		}
		seen++
	}
	if seen != len(m.Symbols) {
		t.Errorf("Symbols gave %d of %d", seen, len(m.Symbols))
	}
}

// TestLSTMReference compares both forms of the LSTM composition with values
// computed independently by testdata/lstm.py.
func TestLSTMReference(t *testing.T) {
	data, err := os.ReadFile("testdata/lstm.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []struct {
		Name         string
		Ways, Hidden int
		CodeLength   int `json:"code_length"`
		CodeDim      int `json:"code_dim"`
		Dim          int
		Mean         bool
		W, U, V      [][][]float32
		H, State     [][]float32
		Bias         [][]float32 `json:"b"`
		Codes        [][]uint16
		Vectors      [][]float64
	}
	if err := json.Unmarshal(data, &cases); err != nil {
		t.Fatal(err)
	}
	flat := func(x [][]float32) []float32 { return slices.Concat(x...) }
	flat3 := func(x [][][]float32) []float32 {
		var all []float32
		for _, m := range x {
			all = append(all, flat(m)...)
		}
		return all
	}
	for _, c := range cases {
		t.Run(c.Name, func(t *testing.T) {
			m := &codefile.Model{Codes: codefile.NewCodes(len(c.Codes), c.Ways, c.CodeLength), Composition: codefile.Recur,
				Embeddings: codefile.Embeddings{Values: flat3(c.W), Dim: c.CodeDim}, Projection: flat(c.H),
				LSTM: &codefile.LSTM{Hidden: c.Hidden, Recurrent: flat3(c.U), Bias: flat(c.Bias), Input: flat3(c.V), State: flat(c.State)}}
			if c.Mean { // a mean over D is a sum with H/D
				for i := range m.Projection {
					m.Projection[i] /= float32(c.CodeLength)
				}
			}
			for i, code := range c.Codes {
				m.Codes.Set(i, code)
			}
			table := open(t, m)
			v := make([]float32, table.Dim())
			for i, want := range c.Vectors {
				if err := table.Lookup(v, i); err != nil {
					t.Fatal(err)
				}
				near(t, v, want)
			}
		})
	}
	if len(cases) != 2 {
		t.Errorf("%d forms instead of 2", len(cases))
	}
}

// TestSizes: the paper's sizes come out exactly (recipes: code embeddings,
// dense layer, batch norms), and beside them what is stored.
func TestSizes(t *testing.T) {
	for _, c := range []struct {
		name              string
		n, k, d           int
		dim, codeDim      int
		parameters, total int64
		stored            int64 // after folding the batch norms
	}{
		{"LM small", 10000, 32, 32, 200, 300, 307_200 + 60_200 + 1_000, 13_388_800, 1_600_000 + 32*32*32*200},
		{"LM medium", 10000, 32, 32, 650, 300, 307_200 + 195_650 + 1_900, 17_752_000, 1_600_000 + 32*(307_200+195_650)},
		{"LM large", 10000, 32, 32, 1500, 300, 307_200 + 451_500 + 3_600, 25_993_600, 1_600_000 + 32*(307_200+451_500)},
		{"Cora", 1433, 64, 8, 16, 16, 8_192 + 32, 331_952, 1433*48 + 32*8_192},
	} {
		s := tabletest.Shape{N: c.n, K: c.k, D: c.d, Dim: c.dim, CodeDim: c.codeDim, Composition: codefile.Sum, NoSymbols: true}
		if c.dim != c.codeDim {
			s.Composition = codefile.Affine
		}
		m := tabletest.Model(s, 12)
		m.TrainedParameters = c.parameters
		size := open(t, m).Size()
		if got := size.Paper.Total(); got != c.total {
			t.Errorf("%s: %d bits instead of the paper's %d", c.name, got, c.total)
		}
		if got := size.Total(); got != c.stored {
			t.Errorf("%s: %d bits stored instead of %d", c.name, got, c.stored)
		}
		if want := 32 * int64(c.n) * int64(c.dim); size.Full != want {
			t.Errorf("%s: the full table takes %d bits instead of %d", c.name, size.Full, want)
		}
	}
}

func TestSizeOddWays(t *testing.T) {
	s := open(t, tabletest.Model(tabletest.Shape{N: 100, K: 6, D: 4, Dim: 5, CodeDim: 5, Composition: codefile.Sum}, 13)).Size()
	if s.Codes != 100*16 { // 4 digits of 3 bits fill 2 bytes
		t.Errorf("%d bits of codes stored", s.Codes)
	}
	if want := int64(math.Ceil(400 * math.Log2(6))); s.Paper.Codes != want {
		t.Errorf("%d bits of codes by the paper instead of %d", s.Paper.Codes, want)
	}
	if s.Symbols == 0 || s.Ratio() != float64(s.Full)/float64(s.Codes+s.Parameters) {
		t.Errorf("%v", s)
	}
}

func TestLookupErrors(t *testing.T) {
	m := tabletest.Model(tabletest.Shape{N: 10, K: 4, D: 3, Dim: 5, CodeDim: 5, Composition: codefile.Sum}, 14)
	table := open(t, m)
	v := make([]float32, 5)
	for _, id := range []int{-1, 10, math.MaxInt, math.MinInt} {
		if err := table.Lookup(v, id); !errors.Is(err, kdcode.ErrID) {
			t.Errorf("Lookup(%d): %v", id, err)
		}
		if err := table.LookupBatch(append(v, v...), []int{0, id}); !errors.Is(err, kdcode.ErrID) {
			t.Errorf("LookupBatch(%d): %v", id, err)
		}
		if _, err := table.Symbol(id); !errors.Is(err, kdcode.ErrID) {
			t.Errorf("Symbol(%d): %v", id, err)
		}
		if code := table.Code(nil, id); code != nil {
			t.Errorf("Code(%d) = %v", id, code)
		}
		if _, err := table.PackedCodes(nil, id, 1); !errors.Is(err, kdcode.ErrID) {
			t.Errorf("PackedCodes(%d): %v", id, err)
		}
		if _, err := table.PackedCodes(nil, 3, id); !errors.Is(err, kdcode.ErrID) {
			t.Errorf("PackedCodes(3, %d): %v", id, err)
		}
	}
	if err := table.Lookup(v[1:], 0); !errors.Is(err, kdcode.ErrLength) {
		t.Errorf("short: %v", err)
	}
	if err := table.LookupBatch(v, []int{0, 1}); !errors.Is(err, kdcode.ErrLength) {
		t.Errorf("short batch: %v", err)
	}
	if _, ok := table.ID("no such word"); ok {
		t.Error("ID finds what is not there")
	}
	if _, err := table.Tensor("none"); !errors.Is(err, kdcode.ErrNotFound) {
		t.Errorf("Tensor: %v", err)
	}
}

func TestClosed(t *testing.T) {
	table := open(t, tabletest.Model(tabletest.Shape{N: 10, K: 4, D: 3, Dim: 5, CodeDim: 5, Composition: codefile.Sum}, 15))
	for range 2 {
		if err := table.Close(); err != nil {
			t.Fatal(err)
		}
	}
	v := make([]float32, 5)
	_, symbolErr := table.Symbol(0)
	_, tensorErr := table.Tensor("codes")
	_, packedErr := table.PackedCodes(nil, 0, 1)
	for i, err := range []error{table.Lookup(v, 0), table.LookupBatch(v, []int{0}), table.Verify(), symbolErr, tensorErr, packedErr} {
		if !errors.Is(err, kdcode.ErrClosed) {
			t.Errorf("call %d after Close: %v", i, err)
		}
	}
	if _, ok := table.ID("w1"); ok || table.Code(nil, 0) != nil {
		t.Error("a closed table answers")
	}
	for range table.Symbols() {
		t.Error("a closed table has symbols")
	}
}

// TestDamagedDigits: K = 3 leaves the bit pattern 3 unused; a lookup that
// meets it says so, whatever the composition.
func TestDamagedDigits(t *testing.T) {
	for _, s := range []tabletest.Shape{
		{Dim: 20, CodeDim: 20, Composition: codefile.Sum},
		{Dim: 20, CodeDim: 20, Composition: codefile.Sum, Shared: true},
		{Dim: 5, CodeDim: 5, Composition: codefile.Sum},
		{Dim: 80, CodeDim: 20, Composition: codefile.Concat},
		{Dim: 50, CodeDim: 3, Composition: codefile.Affine},
		{Dim: 20, CodeDim: 4, Hidden: 4, Composition: codefile.Recur},
	} {
		s.N, s.K, s.D = 10, 3, 4
		path := write(t, tabletest.Model(s, 16))
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		r, err := codefile.NewReader(data)
		if err != nil {
			t.Fatal(err)
		}
		r.Codes().Packed[7] |= 0b110000 // aliases data: digit 2 of code 7
		table, err := kdcode.FromBytes(data)
		if err != nil {
			t.Fatal(err)
		}
		v := make([]float32, 10*table.Dim())
		err = table.Lookup(v[:table.Dim()], 7)
		if !errors.Is(err, kdcode.ErrDamaged) || !strings.Contains(err.Error(), "code 7, digit 2 is 3") {
			t.Errorf("%v: Lookup: %v", s, err)
		}
		if err := table.LookupBatch(v, []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}); !errors.Is(err, kdcode.ErrDamaged) {
			t.Errorf("%v: LookupBatch: %v", s, err)
		}
		if err := table.Lookup(v[:table.Dim()], 6); err != nil {
			t.Errorf("%v: a sound code: %v", s, err)
		}
		if err := table.Verify(); !errors.Is(err, kdcode.ErrDamaged) {
			t.Errorf("%v: Verify: %v", s, err)
		}
	}
}

func TestOpenErrors(t *testing.T) {
	dir := t.TempDir()
	file := func(name, contents string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(contents), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for _, c := range []struct{ path, want string }{
		{filepath.Join(dir, "none.kd"), "no such file"},
		{dir, "folder"},
		{file("empty.kd", ""), "truncated"},
		{file("text.kd", "the 0.1 0.2 0.3\nof 0.1 0.2 0.3\n"), "not a safetensors file"},
		{file("other.safetensors", "\x02\x00\x00\x00\x00\x00\x00\x00{}"), "kd compress"},
	} {
		for _, opener := range []string{"Open", "Load"} {
			table, err := openers[opener](c.path)
			if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), c.path) {
				t.Errorf("%s(%s): %v, %v", opener, c.path, table, err)
			}
		}
	}
}

func TestLookupAllocatesNothing(t *testing.T) {
	for _, s := range tabletest.Shapes() {
		table := open(t, tabletest.Model(s, 17))
		v, batch, ids := make([]float32, table.Dim()), make([]float32, 3*table.Dim()), []int{1, 0, 2}
		symbol := fmt.Sprint("w", 1)
		if n := testing.AllocsPerRun(50, func() {
			if table.Lookup(v, 1) != nil || table.LookupBatch(batch, ids) != nil {
				t.Fatal("lookup failed")
			}
			table.ID(symbol)
		}); n > 0 && !raceEnabled { // the race detector makes pools forget
			t.Errorf("%v: a lookup allocates %v times", s, n)
		}
	}
}
