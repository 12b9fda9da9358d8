package quantize

import (
	"context"
	"math"
	"math/rand/v2"

	"github.com/kdcode/kdcode/codefile"
)

// The trials: on how many rows.
const (
	trialRows   = 64 << 10
	heldOutRows = 4 << 10
)

// estimate is at how many bits a code the error should be the one asked for,
// and by how much its logarithm falls with a bit more.
type estimate struct{ bits, slope float64 }

// digits returns the D of codes of so many bits.
func (e estimate) digits(k int) int {
	return max(1, int(math.Ceil(e.bits/math.Log2(float64(k))-1e-9)))
}

// trial learns from a sample, quickly. Where the table is larger than that, the
// more rows there are for a code embedding, the less it fits them by chance:
// the error of the rows learned from rises, and that of other rows falls, both
// in proportion to code embeddings over rows. So both are measured, and the
// error of learning from the whole table is told from them.
type trial struct {
	learn, held Matrix
	share       float64 // of the table's rows in the sample
	done        int     // trials so far
}

func newTrial(src Source, o Options) (*trial, error) {
	r := rand.New(rand.NewPCG(o.Seed, 't'))
	ids := sampleRows(r, src.Len(), trialRows+heldOutRows)
	x, err := gather(src, ids)
	if err != nil {
		return nil, err
	}
	if len(ids) == src.Len() {
		return &trial{learn: x, share: 1}, nil
	}
	r.Shuffle(len(ids), func(i, j int) {
		a, b := x.Row(i), x.Row(j)
		for c := range a {
			a[c], b[c] = b[c], a[c]
		}
	})
	cut := heldOutRows * x.D
	learn := Matrix{x.Data[cut:], x.D}
	return &trial{learn: learn, held: Matrix{x.Data[:cut], x.D}, share: float64(learn.Len()) / float64(src.Len())}, nil
}

// error returns the relative error to expect of a table, by a quick trial.
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
	learned, err := relativeError(t.learn, m)
	if err != nil || t.share == 1 {
		return learned, err
	}
	if m.Codes, err = Encode(ctx, t.held, m, o); err != nil {
		return 0, err
	}
	other, err := relativeError(t.held, m)
	return (learned+other)/2 - max(0, other-learned)/2*t.share, err
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
