package codefile_test

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"

	"github.com/kdcode/kdcode/codefile"
	"github.com/kdcode/kdcode/internal/tabletest"
)

// use reads all there is to read, whatever it says.
func use(data []byte) error {
	r, err := codefile.NewReader(data)
	if err != nil {
		return err
	}
	_ = r.Verify()
	_, err = r.Model()
	r.ID("w1")
	return err
}

// allocated returns the bytes that f allocates.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

const memoryLimit = 64 << 20

func small(t testing.TB) []byte {
	return encode(t, tabletest.Model(tabletest.Shape{N: 20, K: 19, D: 5, Dim: 9, CodeDim: 4, Composition: codefile.Affine, DType: codefile.Int8}, 7))
}

func TestTruncated(t *testing.T) {
	data := small(t)
	for n := range data {
		if _, err := codefile.NewReader(data[:n]); !errors.Is(err, codefile.ErrFormat) {
			t.Fatalf("truncated to %d of %d bytes: %v", n, len(data), err)
		}
	}
	if _, err := codefile.NewReader(append(bytes.Clone(data), 0)); !errors.Is(err, codefile.ErrFormat) {
		t.Fatalf("with a byte too many: %v", err)
	}
}

// TestDamagedHeader damages every byte of the header in several ways.
func TestDamagedHeader(t *testing.T) {
	data := small(t)
	start := 8 + int(binary.LittleEndian.Uint64(data))
	for i := range start {
		for _, flip := range []byte{1, 2, 0x10, 0x80, 0xff} {
			bad := bytes.Clone(data)
			bad[i] ^= flip
			var err error
			if n := allocated(func() { err = use(bad) }); n > memoryLimit {
				t.Fatalf("byte %d ^ %#x: %d bytes allocated", i, flip, n)
			}
			if !errors.Is(err, codefile.ErrFormat) {
				t.Fatalf("byte %d ^ %#x: %v", i, flip, err)
			}
		}
	}
}

// TestDamagedFields damages every field of the header and makes its checksum
// right again: then the contradictions themselves must be found.
func TestDamagedFields(t *testing.T) {
	for _, shape := range []tabletest.Shape{
		{N: 20, K: 19, D: 5, Dim: 9, CodeDim: 4, Composition: codefile.Affine, DType: codefile.Int8},
		{N: 20, K: 3, D: 5, Dim: 6, CodeDim: 4, Hidden: 7, Input: true, State: true, Composition: codefile.Recur},
		{N: 20, K: 4, D: 5, Dim: 20, CodeDim: 4, Composition: codefile.Concat, DType: codefile.Float16, Shared: true},
	} {
		data := encode(t, tabletest.Model(shape, 8))
		var header map[string]map[string]any
		start := 8 + binary.LittleEndian.Uint64(data)
		if err := json.Unmarshal(data[8:start], &header); err != nil {
			t.Fatal(err)
		}
		damages := 0
		try := func(what string, change func(h map[string]map[string]any)) {
			var h map[string]map[string]any
			if err := json.Unmarshal(data[8:start], &h); err != nil {
				t.Fatal(err)
			}
			change(h)
			damages++
			if err := use(reseal(t, h, data[start:])); !errors.Is(err, codefile.ErrFormat) {
				t.Errorf("%s: %s: %v", shape.Composition, what, err)
			}
		}
		for key := range header["__metadata__"] {
			try("without "+key, func(h map[string]map[string]any) { delete(h["__metadata__"], key) })
			if !strings.HasPrefix(key, "sha256.") && key != "header_sha256" {
				for _, v := range []string{"", "-1", "0", "9999999999999999999999", "77", "x", "03"} {
					try(key+" "+v, func(h map[string]map[string]any) { h["__metadata__"][key] = v })
				}
			}
		}
		for name, entry := range header {
			if name == "__metadata__" {
				continue
			}
			if name != "bias" && name != "lstm.state" { // optional ones
				try("without "+name, func(h map[string]map[string]any) { delete(h, name) })
			}
			try(name+" type", func(h map[string]map[string]any) { h[name]["dtype"] = "F64" })
			try(name+" unknown type", func(h map[string]map[string]any) { h[name]["dtype"] = "F3" })
			for i := range entry["shape"].([]any) {
				for _, v := range []any{-1, 0, 1e15, 9.3e18, "x", 1e12} {
					try(name+" shape", func(h map[string]map[string]any) { h[name]["shape"].([]any)[i] = v })
				}
			}
			for i := range 2 {
				for _, v := range []any{-1, 1e18, 3, nil} {
					if v == nil && entry["data_offsets"].([]any)[i] == 0.0 {
						continue // null reads as 0: no damage
					}
					try(name+" offsets", func(h map[string]map[string]any) { h[name]["data_offsets"].([]any)[i] = v })
				}
			}
		}
		if damages < 100 {
			t.Errorf("only %d fields damaged", damages)
		}
	}
}

// reseal returns a file of that header, its checksum made right.
func reseal(t testing.TB, header any, tensors []byte) []byte {
	t.Helper()
	raw, err := json.Marshal(header)
	if err != nil {
		t.Fatal(err)
	}
	b := binary.LittleEndian.AppendUint64(nil, uint64(len(raw)))
	return tabletest.Seal(append(append(b, raw...), tensors...))
}

// TestDamagedTensors flips bytes anywhere behind the header: Verify finds each.
func TestDamagedTensors(t *testing.T) {
	data := small(t)
	start := 8 + int(binary.LittleEndian.Uint64(data))
	for i := start; i < len(data); i++ {
		bad := bytes.Clone(data)
		bad[i] ^= 0x55
		r := open(t, bad)
		if err := r.Verify(); !errors.Is(err, codefile.ErrDamaged) || !strings.Contains(err.Error(), "make the file again") {
			t.Fatalf("byte %d: %v", i, err)
		}
		_, _ = r.Model()
		for id := range r.N {
			_, _ = r.Symbol(id)
		}
		for id := range 20 {
			r.ID(tabletest.Symbol(id))
		}
	}
}

// TestFullIndex: an index without an empty slot ends the search all the same.
func TestFullIndex(t *testing.T) {
	data := small(t)
	r := open(t, data)
	index, err := r.Tensor("symbols.index")
	if err != nil {
		t.Fatal(err)
	}
	for i := range index.Data { // aliases data
		index.Data[i] = byte(rand.IntN(255))
	}
	if _, ok := r.ID("not there"); ok {
		t.Error("found what is not there")
	}
}

// TestIndexBeyondTable: a slot that leads to an id the table does not have.
func TestIndexBeyondTable(t *testing.T) {
	r := open(t, small(t)) // 20 symbols: ids of 5 bits
	index, err := r.Tensor("symbols.index")
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(index.Data); i += 4 { // aliases the file
		if e := binary.LittleEndian.Uint32(index.Data[i:]); e != 1<<32-1 && e&31 == 1 {
			binary.LittleEndian.PutUint32(index.Data[i:], e&^31|25)
		}
	}
	if id, ok := r.ID(tabletest.Symbol(1)); ok {
		t.Errorf("found as %d", id)
	}
}

func FuzzReader(f *testing.F) {
	for i, s := range tabletest.Shapes() {
		if s.K <= 33 && s.D < 100 && s.Dim < 100 && i%2 == 0 {
			s.N = 5
			f.Add(encode(f, tabletest.Model(s, uint64(i))))
		}
	}
	// K = 3: the bit pattern 3 is no digit.
	bad := tabletest.Model(tabletest.Shape{N: 4, K: 3, D: 4, Dim: 2, CodeDim: 2, Composition: codefile.Sum}, 9)
	data := encode(f, bad)
	r := open(f, data)
	copy(r.Codes().Packed, []byte{0xff, 0xff, 0xff, 0xff})
	f.Add(data)
	f.Fuzz(func(t *testing.T, data []byte) {
		// With a checksum made right, damage gets past the first check.
		for _, data := range [][]byte{data, tabletest.Seal(bytes.Clone(data))} {
			if n := allocated(func() { _ = use(data) }); len(data) < 1<<20 && n > memoryLimit {
				t.Fatalf("%d bytes allocated for a file of %d", n, len(data))
			}
		}
	})
}
