package additive

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// clustered makes up n vectors: sums of one of eight centres in each of four
// groups, and noise.
func clustered(n, d int, seed uint64) matrix {
	r := rand.New(rand.NewPCG(seed, 7))
	centres := make([]float64, 4*8*d)
	for i := range centres {
		centres[i] = r.NormFloat64()
	}
	m := matrix{make([]float32, n*d), d}
	for i := range n {
		row := m.data[i*d:][:d]
		for g := range 4 {
			c := centres[(g*8+r.IntN(8))*d:][:d]
			for t := range row {
				row[t] += float32(c[t])
			}
		}
		for t := range row {
			row[t] += float32(0.2*r.NormFloat64()) + 3
		}
	}
	return m
}

// smooth makes up n vectors of normally distributed numbers, each column less
// varied than the one before.
func smooth(n, d int, seed uint64) matrix {
	r := rand.New(rand.NewPCG(seed, 8))
	m := matrix{make([]float32, n*d), d}
	for i := range m.data {
		m.data[i] = float32(r.NormFloat64() * math.Pow(0.9, float64(i%d)))
	}
	return m
}

func learn(t *testing.T, m Source, p Params) *Result {
	t.Helper()
	r, err := Learn(context.Background(), m, p)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// measured returns the relative error of a result, in float64.
func measured(m matrix, r *Result, weights []float32) float64 {
	var lost, norm float64
	for i := range m.Len() {
		w := 1.0
		if weights != nil {
			w = float64(weights[i])
		}
		for t, v := range m.data[i*m.d:][:m.d] {
			x := float64(v)
			norm += w * x * x
			for j := range r.D {
				x -= float64(r.W[(j*r.K+int(r.Codes[i*r.D+j]))*m.d+t])
			}
			lost += w * x * x
		}
	}
	if norm == 0 {
		return 0
	}
	return lost / norm
}

func near(a, b, tolerance float64) bool {
	return math.Abs(a-b) <= tolerance*math.Max(1e-9, math.Abs(b))
}

// TestLearn asserts the error that the learner reaches at any instruction set,
// to 3%, and that it is what it says.
func TestLearn(t *testing.T) {
	for _, c := range []struct {
		n, K, D int
		effort  Effort
		want    float64
	}{
		{500, 8, 4, Normal, 0.252},
		{500, 16, 8, Fast, 0.0434},
		{500, 16, 8, Normal, 0.0427},
		{50, 8, 6, Best, 0.0135},
		{500, 64, 1, Normal, 0.409},
	} {
		m := smooth(c.n, 20, 1)
		r := learn(t, m, Params{K: c.K, D: c.D, Effort: c.effort, Seed: 1})
		if !near(r.Error, c.want, 0.03) {
			t.Errorf("K %d, D %d, effort %d: error %.5f, want %.5f", c.K, c.D, c.effort, r.Error, c.want)
		}
		if got := measured(m, r, nil); !near(got, r.Error, 1e-3) {
			t.Errorf("K %d, D %d: the error is said to be %v, and is %v", c.K, c.D, r.Error, got)
		}
	}
}

// TestThreads asserts that results do not depend on the number of threads, nor
// on the run.
func TestThreads(t *testing.T) {
	m := clustered(300, 13, 2)
	for _, p := range []Params{
		{K: 8, D: 5},
		{K: 8, D: 5, Sample: 100, Weights: rising(300)},
		{K: 70, D: 1},
		{K: 2000, D: 3, Sample: 50}, // no tables, no matrix
	} {
		p.Seed, p.Threads = 3, 1
		want := learn(t, m, p)
		for _, threads := range []int{1, 2, 5} {
			p.Threads = threads
			got := learn(t, m, p)
			if !slices.Equal(got.Codes, want.Codes) || !slices.Equal(got.W, want.W) || got.Error != want.Error {
				t.Errorf("K %d, D %d, %d threads: a different result", p.K, p.D, threads)
			}
		}
		p.Seed = 4
		if slices.Equal(learn(t, m, p).Codes, want.Codes) {
			t.Errorf("K %d, D %d: another seed gave the same codes", p.K, p.D)
		}
	}
}

func rising(n int) []float32 {
	w := make([]float32, n)
	for i := range w {
		w[i] = float32(i) / float32(n)
	}
	return w
}

// TestResume asserts that a run goes on from any of its states to the same
// bytes.
func TestResume(t *testing.T) {
	m := clustered(600, 10, 3)
	for _, p := range []Params{{K: 8, D: 4, Seed: 5}, {K: 8, D: 4, Seed: 5, Sample: 250}} {
		var states []State
		p.Checkpoint = func(s State) error {
			s.W, s.Codes = slices.Clone(s.W), slices.Clone(s.Codes)
			states = append(states, s)
			return nil
		}
		want := learn(t, m, p)
		if len(states) != efforts[Fast].rounds {
			t.Fatalf("%d states of %d rounds", len(states), efforts[Fast].rounds)
		}
		p.Checkpoint = nil
		for i := range states {
			p.Resume = &states[i]
			got := learn(t, m, p)
			if !slices.Equal(got.Codes, want.Codes) || !slices.Equal(got.W, want.W) {
				t.Errorf("resumed after round %d: a different result", states[i].Round)
			}
		}
		p.Resume = &State{Round: 1, W: states[0].W, Codes: make([]uint16, 3)}
		if _, err := Learn(context.Background(), m, p); !errors.Is(err, ErrParams) {
			t.Errorf("a state of another table: %v", err)
		}
	}
}

// TestWeights asserts that rows of larger weight are met better, and that the
// error is the weighted one.
func TestWeights(t *testing.T) {
	m := clustered(900, 12, 4)
	weights := make([]float32, 900)
	for i := range weights {
		weights[i] = 0.02
		if i < 100 {
			weights[i] = 5
		}
	}
	errorOf := func(r *Result, first, last int) float64 {
		part := matrix{m.data[first*m.d : last*m.d], m.d}
		return measured(part, &Result{Codebook: r.Codebook, Codes: r.Codes[first*r.D : last*r.D]}, nil)
	}
	for _, sample := range []int{0, 300} {
		even := learn(t, m, Params{K: 8, D: 3, Seed: 1, Sample: sample})
		r := learn(t, m, Params{K: 8, D: 3, Seed: 1, Sample: sample, Weights: weights})
		if errorOf(r, 0, 100) > 0.8*errorOf(even, 0, 100) {
			t.Errorf("sample %d: heavy rows have error %v, without weights %v", sample, errorOf(r, 0, 100), errorOf(even, 0, 100))
		}
		if got := measured(m, r, weights); !near(got, r.Error, 1e-3) {
			t.Errorf("sample %d: the weighted error is said to be %v, and is %v", sample, r.Error, got)
		}
	}
}

// TestSample asserts that a table learned from a sample ends near one learned
// from all rows.
func TestSample(t *testing.T) {
	m := smooth(3000, 16, 5)
	whole := learn(t, m, Params{K: 8, D: 6, Seed: 1})
	part := learn(t, m, Params{K: 8, D: 6, Seed: 1, Sample: 1000})
	if part.Error > 1.1*whole.Error {
		t.Errorf("learned from a fifth of the rows the error is %v, from all %v", part.Error, whole.Error)
	}
	if got := measured(m, part, nil); !near(got, part.Error, 1e-3) {
		t.Errorf("the error is said to be %v, and is %v", part.Error, got)
	}
}

// TestEncode asserts that codes found afterwards are nearly as good, and that
// those of new rows of the same kind are.
func TestEncode(t *testing.T) {
	all := smooth(1500, 16, 6)
	m, fresh := matrix{all.data[:1000*16], 16}, matrix{all.data[1000*16:], 16}
	for _, K := range []int{8, 1200} {
		r := learn(t, m, Params{K: K, D: 4, Seed: 1})
		for _, rows := range []matrix{m, fresh} {
			codes, lost, err := r.Encode(context.Background(), rows, Params{Seed: 9})
			if err != nil {
				t.Fatal(err)
			}
			if got := measured(rows, &Result{Codebook: r.Codebook, Codes: codes}, nil); !near(got, lost, 1e-3) {
				t.Errorf("the error is said to be %v, and is %v", lost, got)
			}
			if K == 8 && lost > 1.15*r.Error {
				t.Errorf("encoded, the error is %v, learned %v", lost, r.Error)
			}
		}
	}
	r := learn(t, m, Params{K: 8, D: 4})
	if _, _, err := r.Encode(context.Background(), matrix{make([]float32, 30), 15}, Params{}); !errors.Is(err, ErrParams) {
		t.Errorf("vectors of another width: %v", err)
	}
}

// TestHostile asserts that odd shapes and tables are learned, with codes in
// range and the error they have.
func TestHostile(t *testing.T) {
	constant := func(n, d int, x float32) matrix {
		m := matrix{make([]float32, n*d), d}
		for i := range m.data {
			m.data[i] = x
		}
		return m
	}
	outlier := clustered(300, 8, 9)
	for i := range 8 {
		outlier.data[i] *= 1e4
	}
	for _, c := range []struct {
		name  string
		table matrix
		K, D  int
		most  float64
	}{
		{"one row", clustered(1, 5, 1), 2, 1, 1e-9},
		{"fewer rows than values", clustered(5, 5, 1), 64, 2, 1e-6},
		{"fewer distinct rows", matrix{slices.Concat(clustered(3, 4, 1).data, clustered(3, 4, 1).data), 4}, 4, 2, 1e-6},
		{"zeros", constant(50, 7, 0), 4, 3, 0},
		{"constant", constant(50, 7, 2.5), 4, 3, 1e-9},
		{"narrow", clustered(400, 1, 1), 5, 3, 0.01},
		{"wide", clustered(30, 4096, 1), 6, 4, 0.1},
		{"many values", clustered(40, 3, 1), 65536, 2, 1e-6},
		{"many digits", clustered(40, 3, 1), 2, 1024, 1e-5},
		{"many of both", clustered(20, 3, 1), 40, 1024, 1e-5},
		{"33 digits", clustered(200, 40, 1), 3, 33, 0.01},
		{"an outlier", outlier, 4, 4, 1e-3},
		{"huge", matrix{scaled(clustered(200, 6, 1).data, 1e15), 6}, 8, 4, 0.05},
		{"tiny", matrix{scaled(clustered(200, 6, 1).data, 1e-15), 6}, 8, 4, 0.05},
	} {
		r := learn(t, c.table, Params{K: c.K, D: c.D, Seed: 1})
		for _, k := range r.Codes {
			if int(k) >= c.K {
				t.Fatalf("%s: a digit is %d", c.name, k)
			}
		}
		if got := measured(c.table, r, nil); got > c.most || math.Abs(got-r.Error) > 1e-3*got+1e-9 {
			t.Errorf("%s: error %v, said to be %v, want at most %v", c.name, got, r.Error, c.most)
		}
	}
}

// Two rows have a value each, whichever row the means begin with.
func TestTwoRows(t *testing.T) {
	for seed := range uint64(40) {
		m := clustered(2, 3, seed)
		if got := measured(m, learn(t, m, Params{K: 2, D: 1, Seed: seed}), nil); got > 1e-9 {
			t.Errorf("seed %d: error %v", seed, got)
		}
	}
}

// Rows that are all alike take few values, however many they are.
func TestAlike(t *testing.T) {
	total := 0.0
	for seed := range uint64(20) {
		m := clustered(600, 8, seed)
		for i := range 590 {
			copy(m.data[i*8:], m.data[599*8:]) // 10 rows are of their own
		}
		total += measured(m, learn(t, m, Params{K: 32, D: 1, Seed: seed}), nil)
	}
	if total/20 > 1e-3 {
		t.Errorf("error %v", total/20)
	}
}

func scaled(x []float32, by float32) []float32 {
	for i := range x {
		x[i] *= by
	}
	return x
}

// TestNotNumbers asserts that such tables do no harm.
func TestNotNumbers(t *testing.T) {
	m := clustered(100, 6, 1)
	m.data[17], m.data[300] = float32(math.NaN()), float32(math.Inf(1))
	for _, K := range []int{4, 3000} {
		for _, k := range learn(t, m, Params{K: K, D: 3}).Codes {
			if int(k) >= K {
				t.Fatalf("a digit is %d of %d values", k, K)
			}
		}
	}
}

func TestParams(t *testing.T) {
	m := clustered(10, 3, 1)
	for _, p := range []Params{
		{K: 1, D: 2}, {K: 65537, D: 2}, {K: 4, D: 0}, {K: 4, D: 1025}, {K: 4, D: 2, Effort: 3},
		{K: 4, D: 2, Weights: make([]float32, 9)}, {K: 4, D: 2, Weights: make([]float32, 10)},
		{K: 4, D: 2, Weights: []float32{1, 1, 1, 1, 1, -1, 1, 1, 1, 1}},
	} {
		if _, err := Learn(context.Background(), m, p); !errors.Is(err, ErrParams) {
			t.Errorf("%+v: %v", p, err)
		}
	}
	if _, err := Learn(context.Background(), matrix{nil, 3}, Params{K: 4, D: 2}); !errors.Is(err, ErrParams) {
		t.Errorf("an empty table: %v", err)
	}
}

// TestCancel asserts that the work ends when its context or a hook says so, and
// with the error of a table that cannot be read.
func TestCancel(t *testing.T) {
	m := clustered(2000, 10, 1)
	for _, phase := range []string{"start", "learn", "encode"} {
		ctx, cancel := context.WithCancel(context.Background())
		p := Params{K: 8, D: 4, Effort: Best, Sample: 500, Progress: func(p Progress) {
			if p.Phase == phase {
				cancel()
			}
		}}
		if phase == "encode" {
			p.Effort = Fast
		}
		if _, err := Learn(ctx, m, p); !errors.Is(err, context.Canceled) {
			t.Errorf("cancelled in phase %s: %v", phase, err)
		}
	}
	stop := errors.New("stop")
	p := Params{K: 8, D: 4, Checkpoint: func(State) error { return stop }}
	if _, err := Learn(context.Background(), m, p); err != stop {
		t.Errorf("a checkpoint that fails: %v", err)
	}
	if _, err := Learn(context.Background(), broken{m}, Params{K: 8, D: 4}); err != errBroken {
		t.Errorf("a table that cannot be read: %v", err)
	}
}

var errBroken = errors.New("broken")

type broken struct{ matrix }

func (broken) Rows([]float32, int, int) error { return errBroken }
