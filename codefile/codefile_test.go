package codefile_test

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/kdcode/kdcode/codefile"
	"github.com/kdcode/kdcode/internal/tabletest"
)

func encode(t testing.TB, m *codefile.Model) []byte {
	t.Helper()
	var b bytes.Buffer
	n, err := m.WriteTo(&b)
	if err != nil {
		t.Fatal(err)
	}
	if n != int64(b.Len()) {
		t.Fatalf("WriteTo says %d bytes, wrote %d", n, b.Len())
	}
	return b.Bytes()
}

func open(t testing.TB, data []byte) *codefile.Reader {
	t.Helper()
	r, err := codefile.NewReader(data)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// tolerance is the largest relative error of a stored code embedding.
var tolerance = map[codefile.DType]float64{codefile.Float32: 0, codefile.Float16: 1.0 / 2048, codefile.Int8: 0.5 / 127}

func TestRoundTrip(t *testing.T) {
	for _, s := range tabletest.Shapes() {
		t.Run(s.String(), func(t *testing.T) {
			m := tabletest.Model(s, 1)
			m.Metadata = map[string]string{"method": "made up", "note": "<&> \"quoted\" é"}
			m.Tensors = map[string]codefile.Tensor{"classifier.weight": codefile.FloatTensor([]float32{1, 2, 3, 4, 5, 6}, 2, 3), "a": codefile.BytesTensor([]byte("odd"))}
			data := encode(t, m)
			r := open(t, data)
			if err := r.Verify(); err != nil {
				t.Fatal(err)
			}
			got, err := r.Model()
			if err != nil {
				t.Fatal(err)
			}
			want := m
			if got.Composition != m.Composition { // folded, as smaller
				want = must(m.Fold())
			}
			compare(t, want, got)
			if again := encode(t, got); got.Embeddings.DType != codefile.Int8 && !bytes.Equal(again, encode(t, must(open(t, again).Model()))) {
				t.Error("a model read and written again gives other bytes")
			}
		})
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func compare(t *testing.T, want, got *codefile.Model) {
	t.Helper()
	if !bytes.Equal(want.Codes.Packed, got.Codes.Packed) || want.Codes.K != got.Codes.K || want.Codes.D != got.Codes.D {
		t.Error("codes differ")
	}
	if want.Composition != got.Composition || want.Dim() != got.Dim() || want.Embeddings.Shared != got.Embeddings.Shared {
		t.Errorf("%s of width %d, shared %t, instead of %s, %d, %t", got.Composition, got.Dim(), got.Embeddings.Shared, want.Composition, want.Dim(), want.Embeddings.Shared)
	}
	largest := float64(slices.Max(want.Embeddings.Values))
	largest = max(largest, -float64(slices.Min(want.Embeddings.Values)))
	for i, v := range want.Embeddings.Values {
		if e := math.Abs(float64(v - got.Embeddings.Values[i])); e > tolerance[want.Embeddings.DType]*largest {
			t.Fatalf("code embedding value %d is %v instead of %v", i, got.Embeddings.Values[i], v)
		}
	}
	if !slices.Equal(want.Projection, got.Projection) || !slices.Equal(want.Bias, got.Bias) || !slices.Equal(want.Symbols, got.Symbols) {
		t.Error("projection, bias or symbols differ")
	}
	if want.LSTM != nil && (!slices.Equal(want.LSTM.Recurrent, got.LSTM.Recurrent) || !slices.Equal(want.LSTM.Input, got.LSTM.Input) ||
		!slices.Equal(want.LSTM.State, got.LSTM.State) || !slices.Equal(want.LSTM.Bias, got.LSTM.Bias)) {
		t.Error("LSTM weights differ")
	}
	for k, v := range want.Metadata {
		if got.Metadata[k] != v {
			t.Errorf("metadata %q is %q instead of %q", k, got.Metadata[k], v)
		}
	}
	for name, w := range want.Tensors {
		if g := got.Tensors[name]; g.DType != w.DType || !slices.Equal(g.Shape, w.Shape) || !bytes.Equal(g.Data, w.Data) {
			t.Errorf("tensor %q differs", name)
		}
	}
}

func TestInt8ScalesBroadcast(t *testing.T) {
	s := tabletest.Shape{N: 3, K: 4, D: 2, Dim: 20, CodeDim: 20, Composition: codefile.Sum, DType: codefile.Int8}
	r := open(t, encode(t, tabletest.Model(s, 2)))
	scale, err := r.Tensor("code_embeddings.scale")
	if err != nil {
		t.Fatal(err)
	}
	if want := []int{2, 4, 1}; !slices.Equal(scale.Shape, want) {
		t.Errorf("scales %v instead of %v", scale.Shape, want)
	}
	s.Composition, s.CodeDim, s.Dim = codefile.Concat, 3, 6
	r = open(t, encode(t, tabletest.Model(s, 2)))
	if scale, _ = r.Tensor("code_embeddings.scale"); !slices.Equal(scale.Shape, []int{2, 1, 1}) {
		t.Errorf("scales %v of narrow embeddings instead of [2 1 1]", scale.Shape)
	}
}

func TestFold(t *testing.T) {
	for _, c := range []struct {
		shape   tabletest.Shape
		written codefile.Composition // the writer folds only what becomes no larger by it
	}{
		{tabletest.Shape{N: 30, K: 8, D: 4, Dim: 20, CodeDim: 5, Composition: codefile.Affine}, codefile.Affine},
		{tabletest.Shape{N: 30, K: 8, D: 4, Dim: 5, CodeDim: 20, Composition: codefile.Affine, NoBias: true}, codefile.Sum},
		{tabletest.Shape{N: 30, K: 8, D: 4, Dim: 20, CodeDim: 5, Composition: codefile.Affine, Shared: true}, codefile.Sum},
	} {
		m := tabletest.Model(c.shape, 3)
		f, err := m.Fold()
		if err != nil {
			t.Fatal(err)
		}
		if f.Composition != codefile.Sum || m.Composition != codefile.Affine {
			t.Fatalf("folded %s into %s", m.Composition, f.Composition)
		}
		if want := int64(len(m.Embeddings.Values) + len(m.Projection) + len(m.Bias)); f.TrainedParameters != want {
			t.Errorf("%d trained parameters after folding instead of %d", f.TrainedParameters, want)
		}
		digits := make([]uint16, c.shape.D)
		for i := range c.shape.N {
			m.Codes.Get(digits, i)
			want, got := tabletest.Vector(m, digits), tabletest.Vector(f, digits)
			for u := range want {
				if math.Abs(want[u]-got[u]) > 1e-5*(1+math.Abs(want[u])) {
					t.Fatalf("%v: vector %d folded differs: %v, %v", c.shape, i, got[u], want[u])
				}
			}
		}
		if got := open(t, encode(t, m)).Composition; got != c.written {
			t.Errorf("%v: written as %s instead of %s", c.shape, got, c.written)
		}
	}
	if _, err := tabletest.Model(tabletest.Shapes()[0], 1).Fold(); !errors.Is(err, codefile.ErrModel) {
		t.Errorf("folding a sum: %v", err)
	}
}

// What folding makes too large for the type stays affine.
func TestFoldTooLarge(t *testing.T) {
	for _, dtype := range codefile.DTypes {
		m := tabletest.Model(tabletest.Shape{N: 30, K: 8, D: 4, Dim: 5, CodeDim: 20, Composition: codefile.Affine, DType: dtype}, 3)
		for i := range m.Projection {
			m.Embeddings.Values[i], m.Projection[i] = 60_000, 3e38
		}
		if got := open(t, encode(t, m)).Composition; got != codefile.Affine {
			t.Errorf("%s: written as %s", dtype, got)
		}
	}
}

func TestModelErrors(t *testing.T) {
	sum := tabletest.Shape{N: 10, K: 6, D: 4, Dim: 5, CodeDim: 5, Composition: codefile.Sum}
	affine := tabletest.Shape{N: 10, K: 6, D: 4, Dim: 5, CodeDim: 4, Composition: codefile.Affine}
	recur := tabletest.Shape{N: 10, K: 6, D: 4, Dim: 5, CodeDim: 4, Hidden: 4, Composition: codefile.Recur}
	for _, c := range []struct {
		name  string
		shape tabletest.Shape
		spoil func(m *codefile.Model)
		want  string
	}{
		{"no codes", sum, func(m *codefile.Model) { m.Codes.Packed = nil }, "rows"},
		{"K", sum, func(m *codefile.Model) { m.Codes.K = 1 }, "ways"},
		{"D", sum, func(m *codefile.Model) { m.Codes.D = 2000 }, "digits"},
		{"digit", sum, func(m *codefile.Model) { m.Codes.Packed[2] |= 7 }, "code 1, digit"},
		{"values", sum, func(m *codefile.Model) { m.Embeddings.Values = m.Embeddings.Values[1:] }, "instead of 120"},
		{"NaN", sum, func(m *codefile.Model) { m.Embeddings.Values[7] = float32(math.NaN()) }, "value 7"},
		{"float16", sum, func(m *codefile.Model) { m.Embeddings.DType = codefile.Float16; m.Embeddings.Values[1] = 1e6 }, "too large"},
		{"dtype", sum, func(m *codefile.Model) { m.Embeddings.DType = "int4" }, "int4"},
		{"symbols", sum, func(m *codefile.Model) { m.Symbols = m.Symbols[1:] }, "9 symbols for 10"},
		{"same symbols", sum, func(m *codefile.Model) { m.Symbols[9] = m.Symbols[2] }, `both "w2"`},
		{"reserved tensor", sum, func(m *codefile.Model) { m.Tensors = map[string]codefile.Tensor{"codes": {}} }, `"codes"`},
		{"tensor size", sum, func(m *codefile.Model) {
			m.Tensors = map[string]codefile.Tensor{"t": {DType: "F32", Shape: []int{2}, Data: []byte{1}}}
		}, "takes 8 bytes"},
		{"tensor name", sum, func(m *codefile.Model) {
			m.Tensors = map[string]codefile.Tensor{"a\xff": codefile.BytesTensor([]byte{1}), "a\xfe": codefile.BytesTensor([]byte{2})}
		}, "not UTF-8"},
		{"key", sum, func(m *codefile.Model) { m.Metadata = map[string]string{"a\xff": "9"} }, "not UTF-8"},
		{"reserved key", sum, func(m *codefile.Model) { m.Metadata = map[string]string{"ways": "9"} }, `"ways"`},
		{"composition", sum, func(m *codefile.Model) { m.Composition = "product" }, "product"},
		{"bias of a sum", sum, func(m *codefile.Model) { m.Bias = []float32{1} }, "neither"},
		{"affine without H", sum, func(m *codefile.Model) { m.Composition = codefile.Affine }, "projection"},
		{"NaN in H", affine, func(m *codefile.Model) { m.Projection[3] = float32(math.NaN()) }, "value 3 of the projection"},
		{"infinite bias", affine, func(m *codefile.Model) { m.Bias[4] = float32(math.Inf(-1)) }, "value 4 of the bias is -Inf"},
		{"NaN in U", recur, func(m *codefile.Model) { m.LSTM.Recurrent[5] = float32(math.NaN()) }, "value 5 of the LSTM's recurrent weights"},
		{"LSTM without weights", sum, func(m *codefile.Model) { m.Composition = codefile.Recur }, "LSTM"},
		{"LSTM recurrent", recur, func(m *codefile.Model) { m.LSTM.Recurrent = nil }, "recurrent"},
		{"LSTM bias", recur, func(m *codefile.Model) { m.LSTM.Bias = m.LSTM.Bias[:2] }, "biases"},
		{"LSTM input", recur, func(m *codefile.Model) { m.LSTM.Input = m.LSTM.Bias }, "input"},
		{"LSTM state", recur, func(m *codefile.Model) { m.LSTM.State = m.LSTM.Bias[:1] }, "state"},
		{"LSTM width", recur, func(m *codefile.Model) { m.LSTM.Hidden = 0 }, "width 0"},
		{"projection", recur, func(m *codefile.Model) { m.Projection = m.Projection[1:] }, "projection"},
		{"bias", recur, func(m *codefile.Model) { m.Bias = m.Bias[1:] }, "biases"},
	} {
		m := tabletest.Model(c.shape, 4)
		c.spoil(m)
		path := filepath.Join(t.TempDir(), "t.kd")
		err := codefile.WriteFile(path, m)
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v", c.name, err)
		}
		if left, _ := os.ReadDir(filepath.Dir(path)); len(left) != 0 {
			t.Errorf("%s: %s is left behind", c.name, left[0].Name())
		}
	}
}

var update = flag.Bool("update", false, "write the golden files of the current version")

// goldenShapes have a golden file each, for every version.
var goldenShapes = []tabletest.Shape{
	{N: 20, K: 3, D: 5, Dim: 6, CodeDim: 6, Composition: codefile.Sum, DType: codefile.Float32},
	{N: 20, K: 19, D: 5, Dim: 9, CodeDim: 4, Composition: codefile.Affine, DType: codefile.Int8},
	{N: 20, K: 300, D: 3, Dim: 6, CodeDim: 2, Composition: codefile.Concat, DType: codefile.Float16, Shared: true, NoSymbols: true},
	{N: 20, K: 4, D: 5, Dim: 6, CodeDim: 4, Hidden: 5, Composition: codefile.Recur, Input: true, State: true},
}

// TestGolden: files of every released version read as they always did, and
// those of the current one are written to the same bytes.
func TestGolden(t *testing.T) {
	for version := 1; version <= codefile.Version; version++ {
		for _, s := range goldenShapes {
			m := tabletest.Model(s, 5)
			m.TrainedParameters = 12345
			m.Metadata = map[string]string{"method": "golden"}
			m.Tensors = map[string]codefile.Tensor{"extra": codefile.FloatTensor([]float32{1, 2}, 2)}
			golden(t, fmt.Sprintf("testdata/v%d-%s.kd", version, s.Composition), version, m)
		}
	}
}

func golden(t *testing.T, path string, version int, m *codefile.Model) {
	if *update && version == codefile.Version {
		if err := codefile.WriteFile(path, m); err != nil {
			t.Fatal(err)
		}
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	r := open(t, data)
	if err := r.Verify(); err != nil {
		t.Error(err)
	}
	compare(t, m, must(r.Model()))
	if r.Version != version || r.TrainedParameters != 12345 {
		t.Errorf("version %d, %d parameters", r.Version, r.TrainedParameters)
	}
	if version == codefile.Version && !bytes.Equal(data, encode(t, m)) {
		t.Errorf("%s: the writer no longer gives these bytes: a change of the format needs a new version", path)
	}
}

func TestSymbolIndexCost(t *testing.T) {
	const n = 100_000
	m := tabletest.Model(tabletest.Shape{N: n, K: 2, D: 8, Dim: 1, CodeDim: 1, Composition: codefile.Sum, NoSymbols: true}, 6)
	total := 0
	for i := range n {
		m.Symbols = append(m.Symbols, fmt.Sprintf("symbol-%d", i))
		total += len(m.Symbols[i])
	}
	r := open(t, encode(t, m))
	_, _, bits := r.StoredBits()
	if cost := (float64(bits)/8 - float64(total)) / n; cost > 8 {
		t.Errorf("symbols cost %.2f bytes each beyond their own", cost)
	}
	for i := 0; i < n; i += 7 {
		if id, ok := r.ID(m.Symbols[i]); !ok || id != i {
			t.Fatalf("ID(%q) = %d, %t", m.Symbols[i], id, ok)
		}
		if _, ok := r.ID(m.Symbols[i] + "x"); ok {
			t.Fatalf("ID finds %q", m.Symbols[i]+"x")
		}
	}
}
