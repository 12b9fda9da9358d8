package quantize

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/kdcode/kdcode/codefile"
)

// Target is a result asked for instead of parameters: a file of at most so
// many bytes, or a relative error of at most so much. One of them is zero.
type Target struct {
	Bytes    int64
	MaxError float64
}

// ErrTarget is wrapped by errors about a target that cannot be reached.
var ErrTarget = errors.New("target cannot be reached")

// CompressTo is Compress with the K and D that reach the target: it returns
// them in the options. Those given are not used.
func CompressTo(ctx context.Context, src Source, symbols []string, t Target, o Options) (*codefile.Model, Options, error) {
	o, slope, err := choose(ctx, src, symbols, t, o)
	if err != nil {
		return nil, o, err
	}
	for {
		m, err := Compress(ctx, src, symbols, o)
		if errors.Is(err, ErrCheckpoint) && o.Resume {
			// It is of a later attempt, with more digits: this one comes first again.
			o.Resume = false
			continue
		}
		if err != nil || t.MaxError == 0 {
			return m, o, err
		}
		got, err := relativeError(src, m)
		if err != nil || got <= t.MaxError {
			return m, o, err
		}
		// The estimate was too low: as many digits more as the slope says.
		more := max(1, int(math.Ceil(math.Log(got/t.MaxError)/slope)))
		if o.D = nextD(o, src.Dim(), o.D+more); o.D > codefile.MaxD {
			return nil, o, fmt.Errorf("%w: an error of %g takes more than %d digits of %d values; the least found is %.4g", ErrTarget, t.MaxError, codefile.MaxD, o.K, got)
		}
	}
}

// trialWays are the K tried: at equal bits in all, small tables want a small
// one, whose code embeddings take little, and large tables a large one.
var trialWays = []int{2, 4, 8, 16, 32, 64, 128, 256}

// effortGain is what an effort leaves of the error of a trial, which is Fast:
// a little more than was measured, since too much is soon mended by a digit
// more, but too little would go unnoticed.
var effortGain = map[Effort]float64{Fast: 1, Normal: 0.93, Best: 0.9}

// choose returns the options with a K and D that should reach the target, by
// trials on a sample, and by how much the logarithm of the error falls with a
// digit more.
func choose(ctx context.Context, src Source, symbols []string, t Target, o Options) (Options, float64, error) {
	if (t.Bytes > 0) == (t.MaxError > 0) {
		return o, 0, fmt.Errorf("%w: ask for a size or for an error", ErrTarget)
	}
	o.K, o.D = 2, 1
	if err := o.check(src, symbols); err != nil {
		return o, 0, err
	}
	trial, err := newTrial(src, o)
	if err != nil {
		return o, 0, err
	}
	if t.Bytes > 0 {
		o, err = chooseForSize(ctx, src, symbols, t.Bytes, o, trial)
		return o, 0, err
	}
	return chooseForError(ctx, src, t.MaxError, o, trial)
}

// climb returns the i below n with the least cost, which falls to it and rises
// after it: going down from start, one step after the other.
func climb(n, start int, cost func(i int) (float64, error)) (int, error) {
	best, i := math.Inf(1), start
	least := start
	for _, step := range []int{-1, 1} {
		for ; i >= 0 && i < n; i += step {
			c, err := cost(i)
			if err != nil {
				return 0, err
			}
			if c > best || math.IsInf(c, 1) && i != start {
				break
			}
			if c < best {
				best, least = c, i
			}
		}
		if least < start {
			break // it falls this way: no need to look the other way
		}
		i = start + 1
	}
	return least, nil
}

// chooseForSize takes, of the K with codes as long as the size allows, the one
// with the least error.
func chooseForSize(ctx context.Context, src Source, symbols []string, size int64, o Options, t *trial) (Options, error) {
	var fitting []Options
	for _, k := range trialWays {
		o.K = k
		if k > src.Len() {
			continue
		}
		if o.D = longest(o, src.Len(), src.Dim(), symbols, size); o.D > 0 {
			fitting = append(fitting, o)
		}
	}
	if len(fitting) == 0 {
		o.K, o.D = 2, nextD(o, src.Dim(), 1)
		return o, fmt.Errorf("%w: %d bytes; symbols take %d, and the shortest codes bring the file to %d", ErrTarget, size, symbolBytes(symbols), o.fileBytes(src.Len(), src.Dim(), symbols))
	}
	best, err := climb(len(fitting), len(fitting)/2, func(i int) (float64, error) { return t.error(ctx, fitting[i]) })
	return fitting[best], err
}

// longest returns the largest D whose file fits, or 0.
func longest(o Options, n, d int, symbols []string, size int64) int {
	best := 0
	for D := nextD(o, d, 1); D <= codefile.MaxD; D = nextD(o, d, D+1) {
		if o.D = D; o.fileBytes(n, d, symbols) > size {
			break
		}
		best = D
	}
	return best
}

// nextD returns the least possible D that is not below at: with concat it has
// to divide d. It is beyond MaxD where there is none.
func nextD(o Options, d, at int) int {
	if o.composition() != codefile.Concat {
		return at
	}
	for ; at <= d; at++ {
		if d%at == 0 {
			return at
		}
	}
	return codefile.MaxD + 1
}

// chooseForError estimates for each K how long codes must be: the logarithm of
// the error falls about evenly with their bits. It takes the K of the smallest
// file.
func chooseForError(ctx context.Context, src Source, most float64, o Options, t *trial) (Options, float64, error) {
	bound := most / effortGain[o.Effort] // of a trial
	n := 0
	for n < len(trialWays) && trialWays[n] <= src.Len() {
		n++
	}
	lengths := make([]int, n) // D for each K tried
	// As a first guess, 10 bits, and the slope of independent numbers.
	guess := estimate{bits: 10, slope: 2 * math.Ln2 / float64(src.Dim())}
	best, err := climb(n, n/2, func(i int) (float64, error) {
		o := o
		o.K = trialWays[i]
		found, err := t.bitsFor(ctx, o, bound, guess)
		if err != nil {
			return 0, err
		}
		if o.D = nextD(o, src.Dim(), found.digits(o.K)); o.D > codefile.MaxD {
			return math.Inf(1), nil
		}
		guess, lengths[i] = found, o.D
		return float64(o.tableBytes(src.Len(), src.Dim())), nil
	})
	if err != nil {
		return o, 0, err
	}
	if lengths[best] == 0 {
		return o, 0, fmt.Errorf("%w: an error of %g takes longer codes than are possible: %d digits, or of concat as many as the %d columns; allow a larger error", ErrTarget, most, codefile.MaxD, src.Dim())
	}
	o.K, o.D = trialWays[best], lengths[best]
	return o, guess.slope * math.Log2(float64(o.K)), nil
}
