package additive

import (
	"context"

	"github.com/kdcode/kdcode/internal/simd"
	"github.com/kdcode/kdcode/quantize/internal/kernel"
)

const (
	// tableBytes is the most that tables of inner products may take; K = 256,
	// D = 32 takes 201 MB.
	tableBytes = 256 << 20
	// A digit that changed rests for 3 to 5 steps, or fewer of few. That it is
	// random keeps walks from going round in circles.
	rest, spread = 3, 3
	// together is how many walks take turns.
	together = 4
	// searchRows is how many rows a thread takes at a time.
	searchRows = 16
)

// tables are what walks need to know about the code embeddings. Scores and
// rows of inner products are in the layout of the walks, [K, lanes].
type tables struct {
	*book
	panels  []float32 // W as panels: column k·lanes+j is W^j[k]
	apart   []float32 // [D, K, K] ‖W^j[k] − W^j[k']‖²
	inner   []int16   // [D, K, K, lanes] 2⟨W^j[k], W^j'[k']⟩ in units of 1/scale
	zeros   []float32 // [K, lanes]
	scale   float32
	scratch []*scratch
}

// scratch is what a thread needs to search.
type scratch struct {
	scores []float32 // [searchRows, K, lanes]
	walks  []kernel.Walk
	code   []uint16
	sum    []float32
	left   []float32
	least  [1]int32
}

// tabulated says whether the tables for a shape fit.
func tabulated(K, D int) bool {
	n := K * D
	return D > 1 && K <= kernel.Highest && n <= 1<<16 && 2*n*K*lanes(D)+4*n*K <= tableBytes
}

func newTables(b *book, threads int) *tables {
	n := b.K * b.lanes
	t := &tables{
		book:   b,
		panels: simd.AlignedFloats(n * b.stride),
		apart:  make([]float32, b.D*b.K*b.K),
		inner:  kernel.Table(b.D * b.K * n),
		zeros:  make([]float32, n),
	}
	for range threads {
		t.scratch = append(t.scratch, &scratch{
			scores: simd.AlignedFloats(searchRows * n),
			walks:  kernel.NewWalks(together, b.K, b.lanes),
			code:   make([]uint16, b.D),
			sum:    simd.AlignedFloats(b.stride),
			left:   simd.AlignedFloats(b.stride),
		})
	}
	return t
}

// update computes the tables, for rows of a mean squared error.
func (t *tables) update(ctx context.Context, p pool, squared float64) error {
	t.scale = 0
	if span := 16*squared + 4*t.energy(); span > 0 {
		// Scores of larger changes than that saturate: none a walk would make.
		t.scale = float32(kernel.Highest / span)
	}
	t.pack()
	columns := t.K * t.lanes
	return p.each(ctx, t.K*t.D, searchRows, func(worker, first, last int) {
		products := t.scratch[worker].scores
		kernel.MatMul(products, columns, t.W[first*t.stride:], t.stride, last-first, t.panels, t.stride, 2, false)
		for i := first; i < last; i++ {
			row := products[(i-first)*columns:][:columns]
			j := i / t.K
			t.distances(i, row)
			for k := range t.K {
				row[k*t.lanes+j] = 0
			}
			t.level(row)
			kernel.Narrow(t.inner[i*columns:][:columns], row, t.scale)
		}
	})
}

// pack lays out the panels.
func (t *tables) pack() {
	for k := range t.K {
		for j := range t.D {
			column := k*t.lanes + j
			panel := t.panels[column/kernel.Panel*kernel.Panel*t.stride:]
			for i, x := range t.of(j, k) {
				panel[i*kernel.Panel+column%kernel.Panel] = x
			}
		}
	}
}

// distances fills the row of apart for W^j[c], i = j·K+c, from its products with
// all others.
func (t *tables) distances(i int, products []float32) {
	j, c := i/t.K, i%t.K
	dst := t.apart[i*t.K:][:t.K]
	own := products[c*t.lanes+j] / 2
	for k := range dst {
		w := t.of(j, k)
		dst[k] = max(0, own+simd.Dot(w, w)-products[k*t.lanes+j])
	}
	dst[c] = 0
}

// level subtracts from the products with each digit their mean: only
// differences count, and smaller numbers are more exact.
func (t *tables) level(products []float32) {
	mean := make([]float32, t.lanes)
	for k := range t.K {
		simd.Add(mean, products[k*t.lanes:][:t.lanes])
	}
	for k := range t.K {
		simd.Axpy(products[k*t.lanes:][:t.lanes], -1/float32(t.K), mean)
	}
}

// search looks for better codes, from those that r has, and updates the
// residuals of rows for which it finds one. Place makes the walks random.
func (t *tables) search(ctx context.Context, p pool, r *rows, steps int, place random) error {
	if t.scale == 0 {
		return ctx.Err()
	}
	return p.each(ctx, r.n, searchRows, func(worker, first, last int) {
		s := t.scratch[worker]
		columns := t.K * t.lanes
		kernel.MatMul(s.scores, columns, r.R[first*t.stride:], t.stride, last-first, t.panels, t.stride, -2, false)
		for i := first; i < last; i += together {
			t.walk(s, r, i, min(last, i+together), first, steps, place)
		}
	})
}

// walk searches for the codes of rows first to last-1; scores are those of rows
// from base on.
func (t *tables) walk(s *scratch, r *rows, first, last, base, steps int, place random) {
	columns := t.K * t.lanes
	for i := first; i < last; i++ {
		scores := s.scores[(i-base)*columns:][:columns]
		code := r.code(i, t.D)
		t.complete(scores, code)
		t.settle(s, r, i, scores)
		w := &s.walks[i-first]
		kernel.Narrow(w.Scores(t.K, t.lanes), scores, t.scale)
		w.Start(code, t.lanes, uint32(randomOf(uint64(place), uint64(i))))
	}
	kernel.Step(s.walks[:last-first], t.inner, t.K, t.lanes, t.pace(steps))
	for i := first; i < last; i++ {
		if s.walks[i-first].Best(s.code) > 0 {
			t.accept(s, r, i)
		}
	}
}

func (t *tables) pace(steps int) kernel.Pace {
	return kernel.Pace{Steps: min(steps, 1<<14), Rest: max(1, min(rest, (t.D+2)/5)), Spread: spread}
}

// accept takes the code in s for row i if its error is smaller: walks count in
// rounded numbers.
func (t *tables) accept(s *scratch, r *rows, i int) {
	left := r.rest(i, t.stride)
	if t.residual(s.left, r.x(i, t.stride), s.sum, s.code) < simd.Dot(left, left) {
		copy(r.code(i, t.D), s.code)
		copy(left, s.left)
	}
}

// complete turns −2⟨r, W^j[k]⟩ into what the error would grow by if digit j were
// k, ‖r + W^j[c] − W^j[k]‖² − ‖r‖².
func (t *tables) complete(scores []float32, code []uint16) {
	for j, c := range code {
		apart := t.apart[(j*t.K+int(c))*t.K:][:t.K]
		now := scores[int(c)*t.lanes+j]
		column := scores[j:]
		at := 0
		for _, x := range apart {
			column[at] += x - now
			at += t.lanes
		}
	}
}

// settle makes the best changes of row i, in floats, while one improves so much
// that 16 bits may not hold it.
func (t *tables) settle(s *scratch, r *rows, i int, scores []float32) {
	code, left := r.code(i, t.D), r.rest(i, t.stride)
	for range 2 * t.D {
		kernel.Argmin(s.least[:], scores, len(scores), t.zeros)
		least := int(s.least[0])
		if !(scores[least]*t.scale < -kernel.Highest/2) {
			return
		}
		copy(s.code, code)
		s.code[least%t.lanes] = uint16(least / t.lanes)
		before := simd.Dot(left, left)
		if !(t.residual(s.left, r.x(i, t.stride), s.sum, s.code) < before) {
			return
		}
		copy(code, s.code)
		copy(left, s.left)
		kernel.MatMul(scores, len(scores), left, t.stride, 1, t.panels, t.stride, -2, false)
		t.complete(scores, code)
	}
}
