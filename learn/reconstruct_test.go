package learn_test

import (
	"bytes"
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/kdcode/kdcode"
	"github.com/kdcode/kdcode/learn"
)

// sums returns vectors [n, dim] that are sums of one of two sets of ways
// vectors each, with a little noise, and how they were made.
func sums(n, dim, ways int) (u []float32, made []int) {
	rng := rand.New(rand.NewPCG(1, 2))
	parts := make([]float64, 2*ways*dim)
	for i := range parts {
		parts[i] = rng.NormFloat64()
	}
	for range n {
		a, b := rng.IntN(ways), rng.IntN(ways)
		for j := range dim {
			u = append(u, float32(parts[a*dim+j]+parts[(ways+b)*dim+j]+0.05*rng.NormFloat64()))
		}
		made = append(made, a*ways+b)
	}
	return u, made
}

// relativeError returns that of the vectors of a model.
func relativeError(t *testing.T, r *learn.Reconstructed, u []float32) float64 {
	t.Helper()
	m, err := r.Model()
	if err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	if _, err := m.WriteTo(&file); err != nil {
		t.Fatal(err)
	}
	table, err := kdcode.FromBytes(file.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	defer table.Close()
	v := make([]float32, table.Dim())
	apart, all := 0.0, 0.0
	for id := range table.Len() {
		if err := table.Lookup(v, id); err != nil {
			t.Fatal(err)
		}
		for j, x := range u[id*len(v):][:len(v)] {
			apart += math.Pow(float64(x-v[j]), 2)
			all += math.Pow(float64(x), 2)
		}
	}
	return apart / all
}

func TestReconstruction(t *testing.T) {
	const n, dim = 300, 12
	for name, c := range map[string]struct {
		layer *learn.KD
		limit float64
	}{
		"mean":      {learn.NewKD(n, dim).Ways(4).CodeLength(4), 0.05},
		"projected": {learn.NewKD(n, dim).Ways(4).CodeLength(4).CodeDim(7), 0.05},
		"threshold": {learn.NewKD(n, dim).Ways(2).CodeLength(8).Relax(learn.Threshold), 0.25},
		"concat":    {learn.NewKD(n, dim).Ways(8).CodeLength(4).Compose(learn.Concat), 0.4},
	} {
		t.Run(name, func(t *testing.T) {
			u, made := sums(n, dim, 3)
			r, err := learn.Reconstruction{Backend: backend(t), Batch: 50, Epochs: 60, Rate: 0.03, Seed: 1}.Learn(t.Context(), c.layer, u)
			if err != nil {
				t.Fatal(err)
			}
			apart := relativeError(t, r, u)
			if apart > c.limit {
				t.Errorf("relative error %g, above %g", apart, c.limit)
			}
			// What the epochs tell is that of batches, by the batches' own statistics.
			if h := r.History; len(h) != 60 || h[59].Loss > h[0].Loss/2 || h[59].Loss < apart/2 {
				t.Errorf("%d epochs, losses from %g to %g; relative error %g", len(h), h[0].Loss, h[len(h)-1].Loss, apart)
			}
			if name == "mean" {
				sameMadeAlike(t, r, made)
			}
		})
	}
}

// sameMadeAlike: vectors that were made alike mostly have one code.
func sameMadeAlike(t *testing.T, r *learn.Reconstructed, made []int) {
	t.Helper()
	most := map[int]map[string]int{}
	row := make([]uint16, r.Codes.D)
	for i, kind := range made {
		r.Codes.Get(row, i)
		if most[kind] == nil {
			most[kind] = map[string]int{}
		}
		most[kind][string([]byte{byte(row[0]), byte(row[1]), byte(row[2]), byte(row[3])})]++
	}
	alike := 0
	for _, codes := range most {
		best := 0
		for _, n := range codes {
			best = max(best, n)
		}
		alike += best
	}
	if share := float64(alike) / float64(len(made)); share < 0.8 {
		t.Errorf("%.2f of the vectors have the code of most that were made alike", share)
	}
}

// An interrupted reconstruction goes on to the same codes.
func TestReconstructionResumes(t *testing.T) {
	const n, dim = 60, 6
	u, _ := sums(n, dim, 3)
	o := learn.Reconstruction{Backend: backend(t), Batch: 20, Epochs: 8, Seed: 3, Settings: "s"}
	layer := func() *learn.KD { return learn.NewKD(n, dim).Ways(4).CodeLength(3) }
	whole, err := o.Learn(t.Context(), layer(), u)
	if err != nil {
		t.Fatal(err)
	}
	o.Checkpoints = t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	o.OnEpoch = func(e learn.Epoch) {
		if e.Epoch == 3 {
			cancel()
		}
	}
	if _, err := o.Learn(ctx, layer(), u); !errors.Is(err, context.Canceled) {
		t.Fatalf("interrupted: %v", err)
	}
	o.OnEpoch = nil
	resumed, err := o.Learn(t.Context(), layer(), u)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(resumed.Codes.Packed, whole.Codes.Packed) || len(resumed.History) != 8 {
		t.Error("the codes differ from those of a run in one piece")
	}
}

// Reading the codes of all vectors, after the last epoch, can be interrupted, too.
func TestReconstructionInterruptedAtItsEnd(t *testing.T) {
	u, _ := sums(64, 4, 4)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	o := learn.Reconstruction{Backend: backend(t), Batch: 16, Epochs: 1, Seed: 3, OnEpoch: func(learn.Epoch) { cancel() }}
	if _, err := o.Learn(ctx, learn.NewKD(64, 4).Ways(4).CodeLength(2), u); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func TestReconstructionErrors(t *testing.T) {
	u := make([]float32, 12)
	bad := []float32{1, float32(math.NaN())}
	for want, try := range map[string]func() (*learn.Reconstructed, error){
		"instead of N·d = 4·5": func() (*learn.Reconstructed, error) {
			return learn.Reconstruction{Backend: backend(t)}.Learn(t.Context(), learn.NewKD(4, 5), u)
		},
		"no backend": func() (*learn.Reconstructed, error) {
			return learn.Reconstruction{}.Learn(t.Context(), learn.NewKD(4, 3), u)
		},
		"fixed or guided": func() (*learn.Reconstructed, error) {
			return learn.Reconstruction{Backend: backend(t)}.Learn(t.Context(), learn.NewKD(4, 3).Codes(learn.RandomCodes(4, 2, 2, 1)), u)
		},
		"-1 epochs": func() (*learn.Reconstructed, error) {
			return learn.Reconstruction{Backend: backend(t), Epochs: -1}.Learn(t.Context(), learn.NewKD(4, 3), u)
		},
		"vector 1 has": func() (*learn.Reconstructed, error) {
			return learn.Reconstruction{Backend: backend(t)}.Learn(t.Context(), learn.NewKD(2, 1), bad)
		},
	} {
		if _, err := try(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}
