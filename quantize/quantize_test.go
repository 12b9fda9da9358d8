package quantize

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/kdcode/kdcode/codefile"
)

// madeUp returns n rows of d numbers around a few centres: something to learn.
func madeUp(n, d int, seed uint64) Matrix {
	r := rand.New(rand.NewPCG(seed, 1))
	centres := Matrix{Data: make([]float32, 20*d), D: d}
	for i := range centres.Data {
		centres.Data[i] = float32(2 * r.NormFloat64())
	}
	m := Matrix{Data: make([]float32, n*d), D: d}
	for i := range n {
		centre := centres.Row(r.IntN(20))
		for c := range centre {
			m.Row(i)[c] = centre[c] + float32(r.NormFloat64())
		}
	}
	return m
}

func words(n int) []string {
	w := make([]string, n)
	for i := range w {
		w[i] = fmt.Sprintf("%c%c%d", 'a'+i%26, 'a'+i/26%26, i)
	}
	return w
}

func compress(t testing.TB, src Source, o Options) *codefile.Model {
	t.Helper()
	m, err := Compress(context.Background(), src, nil, o)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func encoded(t testing.TB, m *codefile.Model) []byte {
	t.Helper()
	var b bytes.Buffer
	if _, err := m.WriteTo(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func errorOf(t testing.TB, src Source, m *codefile.Model) float64 {
	t.Helper()
	e, err := relativeError(src, m)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// TestCompositions: each composition gives a model that can be written, loses
// little of a table with structure, and less with more digits.
func TestCompositions(t *testing.T) {
	src := madeUp(800, 12, 1)
	for _, o := range []Options{
		{Composition: codefile.Sum},
		{Composition: codefile.Concat},
		{Composition: codefile.Affine, CodeDim: 8},
		{Composition: codefile.Sum, DType: codefile.Float16},
		{Composition: codefile.Sum, DType: codefile.Int8},
	} {
		last := 1.0
		for _, o.D = range []int{2, 4, 6} {
			o.K = 16
			m := compress(t, src, o)
			if m.Composition != o.Composition || m.Dim() != 12 || m.Codes.N() != 800 || m.Codes.K != 16 || m.Codes.D != o.D || m.Embeddings.DType != o.DType {
				t.Fatalf("%+v: a model of %s, %d × %d, K=%d, D=%d", o, m.Composition, m.Codes.N(), m.Dim(), m.Codes.K, m.Codes.D)
			}
			e := errorOf(t, src, m)
			if e >= last {
				t.Errorf("%s %s, D=%d: error %.4f after %.4f with fewer digits", o.Composition, o.DType, o.D, e, last)
			}
			last = e
		}
		if last > 0.35 {
			t.Errorf("%s %s: error %.4f", o.Composition, o.DType, last)
		}
	}
}

func TestDeterminism(t *testing.T) {
	src := madeUp(500, 8, 2)
	for _, o := range []Options{
		{K: 8, D: 4},
		{K: 8, D: 4, Composition: codefile.Concat},
		{K: 8, D: 4, Composition: codefile.Affine, CodeDim: 5},
	} {
		o.Seed = 7
		want := encoded(t, compress(t, src, o))
		for _, o.Threads = range []int{1, 2, 3} {
			if !bytes.Equal(want, encoded(t, compress(t, src, o))) {
				t.Errorf("%s: %d threads give another file", o.Composition, o.Threads)
			}
		}
		o.Seed = 8
		if bytes.Equal(want, encoded(t, compress(t, src, o))) {
			t.Errorf("%s: another seed gives the same file", o.Composition)
		}
	}
}

// TestWeights: heavy rows lose less than they would otherwise.
func TestWeights(t *testing.T) {
	src := madeUp(600, 10, 3)
	heavy := Matrix{src.Data[:100*10], 10}
	part := func(m *codefile.Model) float64 {
		h := *m
		h.Codes.Packed = h.Codes.Packed[:100*h.Codes.RowBytes()]
		return errorOf(t, heavy, &h)
	}
	o := Options{K: 8, D: 4}
	plain := part(compress(t, src, o))
	o.Weights = make([]float32, 600)
	for i := range o.Weights {
		o.Weights[i] = 1
		if i < 100 {
			o.Weights[i] = 50
		}
	}
	if weighted := part(compress(t, src, o)); weighted > 0.9*plain {
		t.Errorf("heavy rows have the error %.4f, without weights %.4f", weighted, plain)
	}
}

// TestResume: a run interrupted after any round and resumed ends with the
// same bytes.
func TestResume(t *testing.T) {
	for _, o := range []Options{{}, {Composition: codefile.Affine, CodeDim: 5}} {
		o.K, o.D, o.Effort, o.Seed = 8, 4, Normal, 3
		t.Run(string(o.composition()), func(t *testing.T) { resume(t, o) })
	}
}

func resume(t *testing.T, o Options) {
	src := madeUp(500, 8, 4)
	want := encoded(t, compress(t, src, o))
	for _, stop := range []int{1, 3} {
		o.Checkpoint = filepath.Join(t.TempDir(), "state")
		o.Resume = true
		ctx, cancel := context.WithCancel(context.Background())
		o.Progress = func(p Progress) {
			if p.Phase == "learn" && p.Done == stop+1 {
				cancel()
			}
		}
		if _, err := Compress(ctx, src, nil, o); !errors.Is(err, context.Canceled) {
			t.Fatalf("interrupted: %v", err)
		}
		o.Progress = nil
		if !bytes.Equal(want, encoded(t, compress(t, src, o))) {
			t.Errorf("interrupted after round %d and resumed: another file", stop)
		}
		// A state of another run is refused, not mixed in.
		other := o
		other.Seed++
		if _, err := Compress(context.Background(), src, nil, other); !errors.Is(err, ErrCheckpoint) {
			t.Errorf("another seed: %v", err)
		}
		if err := os.WriteFile(o.Checkpoint, []byte("damaged"), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := Compress(context.Background(), src, nil, o); !errors.Is(err, ErrCheckpoint) {
			t.Errorf("a damaged state: %v", err)
		}
	}
}

func TestEncode(t *testing.T) {
	src := madeUp(800, 12, 5)
	old, fresh := Matrix{src.Data[:700*12], 12}, Matrix{src.Data[700*12:], 12}
	for _, o := range []Options{
		{K: 16, D: 4, Composition: codefile.Sum},
		{K: 16, D: 4, Composition: codefile.Concat},
		{K: 16, D: 4, Composition: codefile.Affine, CodeDim: 8},
	} {
		m := compress(t, old, o)
		codes, err := Encode(context.Background(), fresh, m, o)
		if err != nil {
			t.Fatal(err)
		}
		n := *m
		n.Codes = codes
		before, after := errorOf(t, old, m), errorOf(t, fresh, &n)
		if after > 2*before {
			t.Errorf("%s: new rows have the error %.4f, old ones %.4f", o.Composition, after, before)
		}
	}
	shared := &codefile.Model{Composition: codefile.Sum, Codes: codefile.NewCodes(1, 4, 2),
		Embeddings: codefile.Embeddings{Shared: true, Dim: 2, Values: []float32{0, 0, 1, 0, 0, 1, 5, 5}}}
	codes, err := Encode(context.Background(), Matrix{[]float32{1, 1, 6, 5, 10, 10}, 2}, shared, Options{})
	if err != nil {
		t.Fatal(err)
	}
	shared.Codes = codes
	if e := errorOf(t, Matrix{[]float32{1, 1, 6, 5, 10, 10}, 2}, shared); e > 1e-12 {
		t.Errorf("a shared set that composes all rows exactly: error %g", e)
	}
}

func TestEncodeErrors(t *testing.T) {
	src := madeUp(100, 4, 6)
	m := compress(t, src, Options{K: 4, D: 2})
	if _, err := Encode(context.Background(), madeUp(5, 3, 1), m, Options{}); !errors.Is(err, ErrInput) {
		t.Errorf("another width: %v", err)
	}
	if _, err := Encode(context.Background(), Matrix{D: 4}, m, Options{}); !errors.Is(err, ErrInput) {
		t.Errorf("no rows: %v", err)
	}
	lstm := &codefile.Model{Composition: codefile.Recur, LSTM: &codefile.LSTM{Hidden: 4}, Codes: m.Codes, Embeddings: m.Embeddings}
	if _, err := Encode(context.Background(), src, lstm, Options{}); !errors.Is(err, ErrInput) {
		t.Errorf("lstm: %v", err)
	}
}

func TestMeasure(t *testing.T) {
	src := madeUp(300, 6, 7)
	same, err := Measure(context.Background(), src, src, Options{})
	if err != nil || same.RelativeError != 0 || math.Abs(same.MeanCosine-1) > 1e-6 || same.NeighbourOverlap != 1 {
		t.Errorf("a table and itself: %+v, %v", same, err)
	}
	half := Matrix{slices.Clone(src.Data), src.D}
	for i := range half.Data {
		half.Data[i] /= 2
	}
	f, err := Measure(context.Background(), src, half, Options{})
	if err != nil || math.Abs(f.RelativeError-0.25) > 1e-6 || math.Abs(f.MeanCosine-1) > 1e-6 || f.NeighbourOverlap != 1 {
		t.Errorf("half as long: %+v, %v", f, err)
	}
	noise := madeUp(300, 6, 8)
	if f, _ = Measure(context.Background(), src, noise, Options{}); f.NeighbourOverlap > 0.2 || f.RelativeError < 1 {
		t.Errorf("another table: %+v", f)
	}
	if _, err = Measure(context.Background(), src, madeUp(299, 6, 8), Options{}); !errors.Is(err, ErrInput) {
		t.Errorf("another shape: %v", err)
	}
	// Squares of such numbers are none in float32.
	want, _ := Measure(context.Background(), src, noise, Options{})
	for _, scale := range []float32{1e-25, 1e25} {
		a, b := Matrix{slices.Clone(src.Data), 6}, Matrix{slices.Clone(noise.Data), 6}
		for i := range a.Data {
			a.Data[i] *= scale
			b.Data[i] *= scale
		}
		f, err := Measure(context.Background(), a, b, Options{})
		if err != nil || math.Abs(f.RelativeError/want.RelativeError-1) > 1e-4 || math.Abs(f.MeanCosine-want.MeanCosine) > 1e-4 || math.Abs(f.NeighbourOverlap-want.NeighbourOverlap) > 0.01 {
			t.Errorf("times %g: %+v instead of %+v, %v", scale, f, want, err)
		}
	}
	zero := Matrix{make([]float32, 60), 6}
	if f, err = Measure(context.Background(), zero, zero, Options{}); err != nil || f.RelativeError != 0 || f.MeanCosine != 1 {
		t.Errorf("zeros: %+v, %v", f, err)
	}
}

func TestCodeUse(t *testing.T) {
	c := codefile.NewCodes(4, 4, 2)
	for i, code := range [][]uint16{{0, 1}, {1, 1}, {2, 1}, {2, 1}} {
		c.Set(i, code)
	}
	u := CodeUse(c)
	if u.Shared != 2 || u.Distinct != 3 || math.Abs(u.Evenness[0]-0.75) > 1e-9 || u.Evenness[1] != 0 {
		t.Errorf("%+v", u)
	}
}

func TestCheck(t *testing.T) {
	bad := func(at int, v float32) Matrix {
		m := madeUp(50, 4, 9)
		m.Data[at] = v
		return m
	}
	nan, inf := float32(math.NaN()), float32(math.Inf(-1))
	sound := madeUp(50, 4, 9)
	for _, c := range []struct {
		name string
		src  Matrix
		o    Options
		want string
	}{
		{"NaN", bad(4*17+2, nan), Options{K: 4, D: 2}, `row 18 ("ra17") has the value NaN in column 3`},
		{"infinite", bad(0, inf), Options{K: 4, D: 2}, "row 1"},
		{"too large", bad(9, -1e30), Options{K: 4, D: 2}, `row 3 ("ca2") has the value -1e+30 in column 2, whose square is too large`},
		{"too few", sound, Options{K: 64, D: 2}, "fewer than K = 64"},
		{"empty", Matrix{D: 4}, Options{K: 4, D: 2}, "0 vectors"},
		{"K", sound, Options{K: 1, D: 2}, "K = 1"},
		{"D", sound, Options{K: 4, D: 2000}, "D = 2000"},
		{"concat", sound, Options{K: 4, D: 3, Composition: codefile.Concat}, "divides 4"},
		{"affine", sound, Options{K: 4, D: 3, Composition: codefile.Affine, CodeDim: 4}, "narrower"},
		{"lstm", sound, Options{K: 4, D: 3, Composition: codefile.Recur}, "kd train"},
		{"weights", sound, Options{K: 4, D: 3, Weights: []float32{1}}, "1 weights"},
		{"negative weight", sound, Options{K: 4, D: 3, Weights: append(make([]float32, 49), -1)}, "weight 1 is 0"},
	} {
		_, err := Check(c.src, words(c.src.Len()), c.o)
		if !errors.Is(err, ErrInput) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	odd := madeUp(50, 4, 9)
	clear(odd.Row(3))
	for i := range odd.Row(5) {
		odd.Row(5)[i] = 1
	}
	f, err := Check(odd, nil, Options{K: 2, D: 3})
	if err != nil || len(f.Notes) != 3 {
		t.Fatalf("%q, %v", f.Notes, err)
	}
	for i, want := range []string{"1 of 50 vectors are zero, the first in row 4", "first in row 6", "8 codes for 50 symbols"} {
		if !strings.Contains(f.Notes[i], want) {
			t.Errorf("note %q lacks %q", f.Notes[i], want)
		}
	}
}

// TestNeeds: the memory of a large table is told, and a limit is kept to.
func TestNeeds(t *testing.T) {
	o := Options{K: 32, D: 32}
	if need := o.needs(10_000, 100); need > muchMemory/2 {
		t.Errorf("a small table needs %d bytes", need)
	}
	if need := o.needs(10_000_000, 100); need < muchMemory || need > 3<<30 {
		t.Errorf("ten million vectors need %d bytes", need)
	}
	o.Memory = 1600 << 20
	if need := o.needs(10_000_000, 100); need > o.Memory {
		t.Errorf("%d bytes for a limit of %d", need, o.Memory)
	}
}

func TestBaselines(t *testing.T) {
	src := madeUp(700, 12, 10)
	errors := map[string]float64{}
	bits := map[string]int64{}
	err := Baselines(context.Background(), src, words(700), Options{K: 16, D: 6}, func(b Baseline) error {
		f, err := Measure(context.Background(), src, b.Vectors, Options{})
		errors[b.Method], bits[b.Method] = f.RelativeError, b.Bits
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	// 24 bits a row are a product quantizer of 3 parts of 8 bits.
	if want := int64(700*24 + 32*256*12); bits["product quantization"] != want {
		t.Errorf("product quantization takes %d bits instead of %d", bits["product quantization"], want)
	}
	if want := int64(700*12*4 + 64*12); bits["scalar, 4 bits"] != want {
		t.Errorf("4 bits take %d instead of %d", bits["scalar, 4 bits"], want)
	}
	if e := errors["scalar, 8 bits"]; e > 1e-3 || e >= errors["scalar, 6 bits"] || errors["scalar, 6 bits"] >= errors["scalar, 4 bits"] {
		t.Errorf("scalar quantization: %v", errors)
	}
	ours := errorOf(t, src, compress(t, src, Options{K: 16, D: 6}))
	for _, worse := range []string{"random codes", "characters", "low rank"} {
		if e, ok := errors[worse]; !ok || e < ours || e > 1.0001 {
			t.Errorf("%s: error %.4f, ours %.4f", worse, e, ours)
		}
	}
	if err := Baselines(context.Background(), src, nil, Options{K: 16, D: 6}, func(b Baseline) error {
		if b.Method == "characters" {
			t.Error("characters of a table without symbols")
		}
		return nil
	}); err != nil {
		t.Error(err)
	}
}

// TestLowRank: a table of rank 2 is kept by rank 2.
func TestLowRank(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	x := Matrix{Data: make([]float32, 50*6), D: 6}
	for i := range 50 {
		a, b := r.NormFloat64(), r.NormFloat64()
		for c := range 6 {
			x.Row(i)[c] = float32(a*float64(c) + b*float64(c*c%5))
		}
	}
	y, bits, err := lowRank(x, 2, 2)
	if err != nil || bits != 32*2*(50+6) {
		t.Fatal(bits, err)
	}
	if f, _ := Measure(context.Background(), x, y, Options{}); f.RelativeError > 1e-9 {
		t.Errorf("rank 2 of a table of rank 2: %v", f.RelativeError)
	}
	if r := rankOf(32*3*56, 50, 6); r != 3 {
		t.Errorf("rank %d for the bits of rank 3", r)
	}
}

func TestClimb(t *testing.T) {
	for n := 1; n < 8; n++ {
		for lowest := range n {
			for start := range n {
				got, err := climb(n, start, func(i int) (float64, error) {
					return math.Abs(float64(i - lowest)), nil
				})
				if err != nil || got != lowest {
					t.Errorf("of %d from %d: %d instead of %d, %v", n, start, got, lowest, err)
				}
			}
		}
	}
	// What is impossible on one side does not hide the other.
	got, err := climb(4, 1, func(i int) (float64, error) {
		if i <= 1 {
			return math.Inf(1), nil
		}
		return float64(i), nil
	})
	if err != nil || got != 2 {
		t.Errorf("%d, %v", got, err)
	}
}

// TestTrialShare: of a sample that is all of the table, the error of its own
// rows counts; the smaller its share, the more that of other rows.
func TestTrialShare(t *testing.T) {
	src := madeUp(1200, 10, 15)
	learn, held := Matrix{src.Data[:1000*10], 10}, Matrix{src.Data[1000*10:], 10}
	o := Options{K: 32, D: 4}
	of := func(share float64) float64 {
		e, err := (&trial{learn: learn, held: held, share: share}).error(context.Background(), o)
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	all, nearly, half, little := of(1), of(1-1e-9), of(0.5), of(1e-9)
	if math.Abs(all-nearly) > 1e-6 || half <= nearly || little <= half {
		t.Errorf("errors %v, %v, %v, %v", all, nearly, half, little)
	}
}

func TestCompressTo(t *testing.T) {
	tables := map[string]Matrix{"narrow": madeUp(2000, 6, 11), "wide": madeUp(300, 64, 12), "square": madeUp(700, 24, 13)}
	for name, src := range tables {
		symbols := words(src.Len())
		full := int64(4 * len(src.Data))
		for _, target := range []Target{{Bytes: symbolBytes(symbols) + headerBytes + full/4}, {MaxError: 0.3}, {MaxError: 0.1}} {
			m, o, err := CompressTo(context.Background(), src, symbols, target, Options{DType: codefile.Int8})
			if err != nil {
				t.Fatalf("%s, %+v: %v", name, target, err)
			}
			size, e := int64(len(encoded(t, m))), errorOf(t, src, m)
			if target.Bytes > 0 && (size > target.Bytes || size < target.Bytes/2) {
				t.Errorf("%s: %d bytes asked for, %d made (K=%d, D=%d)", name, target.Bytes, size, o.K, o.D)
			}
			if target.MaxError > 0 && (e > target.MaxError || e < target.MaxError/4) {
				t.Errorf("%s: an error of %g asked for, %g made (K=%d, D=%d)", name, target.MaxError, e, o.K, o.D)
			}
		}
	}
	src := tables["narrow"]
	// The error named is the one asked for.
	_, _, err := CompressTo(context.Background(), src, nil, Target{MaxError: 1e-9}, Options{Composition: codefile.Concat, Effort: Normal})
	if !errors.Is(err, ErrTarget) || !strings.Contains(err.Error(), "an error of 1e-09 takes longer codes than are possible") {
		t.Errorf("an error too small: %v", err)
	}
	for _, target := range []Target{{}, {Bytes: 1, MaxError: 1}, {Bytes: 100}} {
		if _, _, err := CompressTo(context.Background(), src, nil, target, Options{}); !errors.Is(err, ErrTarget) {
			t.Errorf("%+v: %v", target, err)
		}
	}
}
