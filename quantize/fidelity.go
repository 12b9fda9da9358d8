package quantize

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync"

	"github.com/kdcode/kdcode/internal/simd"
	"github.com/kdcode/kdcode/quantize/internal/additive"
)

// Fidelity says how well a compressed table stands for the original.
type Fidelity struct {
	RelativeError    float64 `json:"relative_error"`       // Σ‖v−v̂‖² / Σ‖v‖²
	MeanCosine       float64 `json:"mean_cosine"`          // of v and v̂
	NeighbourOverlap float64 `json:"neighbour_overlap_10"` // share of the 10 nearest that stay, on a sample
}

// The sample on which neighbours are compared: queries among candidates, by
// cosine. 20,000 candidates keep the neighbourhoods of a large table alike.
const (
	overlapQueries    = 500
	overlapCandidates = 20_000
	overlapNearest    = 10
)

// Measure compares two tables of the same shape.
func Measure(ctx context.Context, original, compressed Source, o Options) (Fidelity, error) {
	var f Fidelity
	if original.Len() != compressed.Len() || original.Dim() != compressed.Dim() {
		return f, fmt.Errorf("%w: %d × %d and %d × %d cannot be compared", ErrInput, original.Len(), original.Dim(), compressed.Len(), compressed.Dim())
	}
	var l loss
	cosines := 0.0
	err := eachPair(original, compressed, func(v, w []float32) error {
		cosines += cosine(v, w, l.add(v, w))
		return ctx.Err()
	})
	if err != nil {
		return f, err
	}
	f.MeanCosine = cosines / float64(original.Len())
	f.RelativeError = l.relative()
	f.NeighbourOverlap, err = overlap(ctx, original, compressed, o)
	return f, err
}

// loss sums up what is lost of vectors.
type loss struct{ lost, total float64 }

// add adds that of v, which came back as w. It returns ‖v‖².
func (l *loss) add(v, w []float32) float64 {
	vv := dot(v, v)
	lost := float64(simd.SquaredDistance(v, w))
	if !fits(lost) {
		lost = 0
		for i := range v {
			x := float64(v[i]) - float64(w[i])
			lost += x * x
		}
	}
	l.lost += lost
	l.total += vv
	return vv
}

// dot is ⟨v,w⟩.
func dot(v, w []float32) float64 {
	sum := float64(simd.Dot(v, w))
	if !fits(sum) {
		sum = 0
		for i := range v {
			sum += float64(v[i]) * float64(w[i])
		}
	}
	return sum
}

// fits reports whether a sum of products was one for float32: it is neither so
// large nor so small that products may have been lost.
func fits(sum float64) bool {
	size := math.Abs(sum)
	return size > 1e-30 && size <= math.MaxFloat32
}

// relative is Σ‖v−v̂‖² / Σ‖v‖².
func (l *loss) relative() float64 {
	if l.lost == 0 {
		return 0
	}
	return l.lost / l.total // infinite where there was nothing to lose
}

// eachPair calls f with the rows of two tables of the same shape, side by side.
func eachPair(a, b Source, f func(v, w []float32) error) error {
	d := a.Dim()
	var other []float32
	return additive.EachChunk(a, func(first int, rows []float32) error {
		n := len(rows) / d
		other = slices.Grow(other[:0], n*d)[:n*d]
		if err := b.Rows(other, first, n); err != nil {
			return err
		}
		for i := 0; i < len(rows); i += d {
			if err := f(rows[i:i+d], other[i:i+d]); err != nil {
				return err
			}
		}
		return nil
	})
}

// cosine is that of v and w, where ‖v‖² is known. Two zero vectors are alike.
func cosine(v, w []float32, vv float64) float64 {
	ww := dot(w, w)
	if vv == 0 || ww == 0 {
		if vv == ww {
			return 1
		}
		return 0
	}
	return dot(v, w) / math.Sqrt(vv*ww)
}

// overlap returns the mean share of the nearest neighbours of a row in the
// original that are its nearest in the compressed table too.
func overlap(ctx context.Context, original, compressed Source, o Options) (float64, error) {
	r := rand.New(rand.NewPCG(o.Seed, 0x6e656172))
	ids := sampleRows(r, original.Len(), overlapCandidates)
	before, err := unitRows(original, ids)
	if err != nil {
		return 0, err
	}
	after, err := unitRows(compressed, ids)
	if err != nil {
		return 0, err
	}
	queries := r.Perm(len(ids))[:min(overlapQueries, len(ids))]
	kept := make([]int, len(queries))
	nearest := min(overlapNearest, len(ids)-1)
	if nearest < 1 {
		return 1, nil // a single row has no neighbours to lose
	}
	parallel(o.threads(), len(queries), func(q int) {
		if ctx.Err() != nil {
			return
		}
		a, b := nearestRows(before, queries[q], nearest), nearestRows(after, queries[q], nearest)
		for _, id := range a {
			if slices.Contains(b, id) {
				kept[q]++
			}
		}
	})
	sum := 0
	for _, k := range kept {
		sum += k
	}
	return float64(sum) / float64(nearest*len(queries)), ctx.Err()
}

// sampleRows returns at most n different rows out of all, in rising order.
func sampleRows(r *rand.Rand, all, n int) []int {
	if all <= n {
		ids := make([]int, all)
		for i := range ids {
			ids[i] = i
		}
		return ids
	}
	// Floyd's algorithm: memory in n, whatever all is.
	chosen := make(map[int]bool, n)
	for i := all - n; i < all; i++ {
		if k := r.IntN(i + 1); !chosen[k] {
			chosen[k] = true
		} else {
			chosen[i] = true
		}
	}
	ids := make([]int, 0, n)
	for id := range chosen {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	return ids
}

// unitRows returns the rows of ids, scaled to length 1 where they have one.
func unitRows(src Source, ids []int) (Matrix, error) {
	m, err := gather(src, ids)
	for i := range ids {
		row := m.Row(i)
		if n := math.Sqrt(dot(row, row)); n > 0 {
			for c := range row {
				row[c] = float32(float64(row[c]) / n)
			}
		}
	}
	return m, err
}

// nearestRows returns the n rows whose inner product with row q is largest,
// other than q itself.
func nearestRows(m Matrix, q, n int) []int {
	scores := make([]float32, m.Len())
	simd.MatVec(scores, m.Data, m.Row(q))
	scores[q] = float32(math.Inf(-1))
	nearest := make([]int, 0, n+1)
	for i, s := range scores {
		if len(nearest) == n && s <= scores[nearest[n-1]] {
			continue
		}
		at := len(nearest)
		for at > 0 && scores[nearest[at-1]] < s {
			at--
		}
		nearest = slices.Insert(nearest, at, i)[:min(len(nearest)+1, n)]
	}
	return nearest
}

// parallel calls f(0) … f(n-1) on that many goroutines; f must not depend on
// the order.
func parallel(threads, n int, f func(i int)) {
	var workers sync.WaitGroup
	for w := range threads {
		workers.Go(func() {
			for i := w; i < n; i += threads {
				f(i)
			}
		})
	}
	workers.Wait()
}
