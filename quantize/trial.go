package quantize

import (
	"context"
	"math"
	"math/rand/v2"

	"github.com/kdcode/kdcode/codefile"
)

// The trials: on how many rows.
const (
	trialRows   = 16 << 10
	heldOutRows = 2 << 10
)

// estimate is at how many bits a code the error should be the one asked for,
// and by how much its logarithm falls with a bit more.
type estimate struct{ bits, slope float64 }

// digits returns the D of codes of so many bits.
func (e estimate) digits(k int) int {
	return max(1, int(math.Ceil(e.bits/math.Log2(float64(k))-1e-9)))
}

// trial learns from a sample, quickly, and measures on rows held out where the
// table is larger than that: few rows for many code embeddings would look
// better than they are.
type trial struct {
	learn, held Matrix
	exact       bool // the sample is the table
	done        int  // trials so far
}

func newTrial(src Source, o Options) (*trial, error) {
	r := rand.New(rand.NewPCG(o.Seed, 't'))
	ids := sampleRows(r, src.Len(), trialRows+heldOutRows)
	x, err := gather(src, ids)
	if err != nil {
		return nil, err
	}
	if len(ids) == src.Len() {
		return &trial{learn: x, held: x, exact: true}, nil
	}
	r.Shuffle(len(ids), func(i, j int) {
		a, b := x.Row(i), x.Row(j)
		for c := range a {
			a[c], b[c] = b[c], a[c]
		}
	})
	cut := heldOutRows * x.D
	return &trial{learn: Matrix{x.Data[cut:], x.D}, held: Matrix{x.Data[:cut], x.D}}, nil
}

// error returns the relative error of a quick trial.
func (t *trial) error(ctx context.Context, o Options) (float64, error) {
	if o.Progress != nil {
		t.done++
		o.Progress(Progress{Phase: "choose", Done: t.done})
	}
	o.Effort, o.Weights, o.Checkpoint, o.Progress = Fast, nil, "", nil
	m, err := Compress(ctx, t.learn, nil, o)
	if err != nil {
		return 0, err
	}
	if !t.exact {
		if m.Codes, err = Encode(ctx, t.held, m, o); err != nil {
			return 0, err
		}
	}
	return relativeError(t.held, m)
}

// bitsFor comes closer to the bound from a guess, trial by trial.
func (t *trial) bitsFor(ctx context.Context, o Options, bound float64, guess estimate) (estimate, error) {
	width, d := math.Log2(float64(o.K)), t.learn.D
	if o.D = nextD(o, d, guess.digits(o.K)); o.D > codefile.MaxD {
		o.D = nextD(o, d, 1)
	}
	last, err := t.error(ctx, o)
	if err != nil {
		return guess, err
	}
	for range 3 {
		at := estimate{float64(o.D)*width + math.Log(last/bound)/guess.slope, guess.slope}
		next := nextD(o, d, min(at.digits(o.K), codefile.MaxD))
		if next == o.D || next > codefile.MaxD || last == 0 {
			return at, nil
		}
		before := o.D
		o.D = next
		e, err := t.error(ctx, o)
		if err != nil {
			return guess, err
		}
		if slope := math.Log(last/e) / (width * float64(next-before)); slope > 0 && e > 0 {
			guess.slope = slope
		}
		last = e
	}
	guess.bits = float64(o.D)*width + math.Log(last/bound)/guess.slope
	return guess, nil
}
