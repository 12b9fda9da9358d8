package serve

import (
	"encoding/binary"
	"encoding/json"
	"math"
	"slices"
	"testing"

	"github.com/kdcode/kdcode"
)

// TestVectors: JSON and packed answers have the very bits that Lookup has.
func TestVectors(t *testing.T) {
	all := sources(t)
	s := newServer(t, all, Options{})
	table, err := kdcode.Open(all[0].Path)
	if err != nil {
		t.Fatal(err)
	}
	defer table.Close()
	want := make([]float32, table.Dim())
	var ids []int
	for id := range table.Len() {
		ids = append(ids, id)
	}
	text, err := json.Marshal(map[string][]int{"ids": ids})
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		Table   string
		Dim     int
		Vectors []struct {
			ID     int
			Symbol string
			Vector []float32
		}
	}
	if err := json.Unmarshal(post(t, s, "/v1/tables/t/vectors", string(text)).body, &got); err != nil {
		t.Fatal(err)
	}
	if got.Table != "t" || got.Dim != 4 || len(got.Vectors) != len(ids) {
		t.Fatalf("%+v", got)
	}
	packed := do(t, s, ask{"POST", "/v1/tables/t/vectors", string(text), map[string]string{"Accept": "application/octet-stream, */*;q=0.1"}})
	if packed.header.Get("Kd-Count") != "14" || packed.header.Get("Kd-Dim") != "4" || len(packed.body) != 14*4*4 {
		t.Fatalf("%v, %d bytes", packed.header, len(packed.body))
	}
	for id, v := range got.Vectors {
		if err := table.Lookup(want, id); err != nil {
			t.Fatal(err)
		}
		if v.ID != id || !slices.Equal(v.Vector, want) {
			t.Errorf("%+v instead of %v", v, want)
		}
		for j := range want {
			if bits := binary.LittleEndian.Uint32(packed.body[4*(4*id+j):]); bits != math.Float32bits(want[j]) {
				t.Errorf("packed %d, %d: %x", id, j, bits)
			}
		}
	}
	if got.Vectors[13].Symbol != `"q" <é>` || got.Vectors[11].Symbol != "\uFFFDodd" || got.Vectors[10].Symbol != "" {
		t.Errorf("%+v", got.Vectors)
	}
}

// TestMissing: symbols that the table does not have are null, or zeros.
func TestMissing(t *testing.T) {
	s := newServer(t, sources(t), Options{})
	body := `{"symbols":["nonsense","cat","nonsense","nonsense","up","cat"],"missing":"null"}`
	var got struct {
		Vectors []*struct{ Vector []float32 }
	}
	if err := json.Unmarshal(post(t, s, "/v1/tables/t/vectors", body).body, &got); err != nil {
		t.Fatal(err)
	}
	packed := do(t, s, ask{"POST", "/v1/tables/t/vectors", body, map[string]string{"Accept": "application/octet-stream"}}).body
	for i, missing := range []bool{true, false, true, true, false, false} {
		row := packed[16*i:][:16]
		if (got.Vectors[i] == nil) != missing || slices.Equal(row, make([]byte, 16)) != missing {
			t.Errorf("%d: %v, %v", i, got.Vectors[i], row)
		}
	}
}

func TestCodes(t *testing.T) {
	s := newServer(t, sources(t), Options{})
	var got struct {
		Codes []struct{ Code []uint16 }
	}
	if err := json.Unmarshal(post(t, s, "/v1/tables/t/codes", `{"symbols":["cat","up"]}`).body, &got); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(got.Codes[0].Code, []uint16{0, 2, 2}) || !slices.Equal(got.Codes[1].Code, []uint16{3, 1, 0}) {
		t.Errorf("%v", got)
	}
	packed := do(t, s, ask{"GET", "/v1/tables/t/codes/cat", "", map[string]string{"Accept": "application/octet-stream"}})
	if string(packed.body) != "\x00\x00\x02\x00\x02\x00" || packed.header.Get("Kd-Code-Length") != "3" {
		t.Errorf("%q %v", packed.body, packed.header)
	}
}

func TestAppendFloat(t *testing.T) {
	for _, x := range []float32{0, 1, -1.5, 1e-45, math.MaxFloat32, 0.1, 1e21, 1e-7, float32(math.Copysign(0, -1))} {
		var back float32
		if err := json.Unmarshal(appendFloat(nil, x), &back); err != nil || back != x {
			t.Errorf("%g: %g, %v", x, back, err)
		}
	}
	for _, x := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		if got := string(appendFloat(nil, float32(x))); got != "null" {
			t.Errorf("%g: %s", x, got)
		}
	}
}

func FuzzAppendString(f *testing.F) {
	for _, w := range words {
		f.Add(w.symbol)
	}
	f.Fuzz(func(t *testing.T, s string) {
		want, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		if got := appendString(nil, s); string(got) != string(want) {
			t.Errorf("%q: %s instead of %s", s, got, want)
		}
	})
}

// TestHotPathAllocates: vectors are composed and written without allocating.
func TestHotPathAllocates(t *testing.T) {
	s := newServer(t, []Source{{Name: "large", Path: large(t, 1000)}}, Options{})
	table := s.byName["large"]
	e := table.hold()
	defer e.release()
	b := getBuffer()
	ids := make([]int, 256)
	if n := testing.AllocsPerRun(50, func() {
		b.ids = append(b.ids[:0], ids...)
		v := b.vectors(len(b.ids) * e.Dim())
		if err := b.compose(e, v); err != nil {
			t.Error(err)
		}
		b.packFloats(v)
		b.out = appendFloats(b.out[:0], v)
	}); n > 0 {
		t.Errorf("%g allocations", n)
	}
}
