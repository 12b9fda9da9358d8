package additive

import (
	"context"
	"math"

	"github.com/kdcode/kdcode/internal/simd"
	"github.com/kdcode/kdcode/quantize/internal/kernel"
)

const (
	// roughRows is how many rows a value has at most in the first rounds of
	// k-means, meansRows in the last.
	roughRows, meansRows = 256, 4096
	// shrink pulls the first means towards the centre. Means that begin as rows
	// far out keep few rows or one, and a value so rare is wasted: without it
	// errors end about 8% higher.
	shrink = 0.5
	// blockRows is how many rows products take at a time.
	blockRows = 64
)

// start sets code embeddings and codes by residual k-means: digit after digit,
// the means of what the digits before leave over.
func (l *learner) start(ctx context.Context) error {
	copy(l.R, l.X)
	km := l.newMeans()
	for j := range l.D {
		if err := km.learn(ctx, l.digit(j), randomOf(l.seed, 'm', uint64(j)), l.plan.means); err != nil {
			return err
		}
		if err := km.assignAll(ctx, j); err != nil {
			return err
		}
		l.report("start", j+1, l.D)
	}
	return nil
}

// means is k-means on some of the residuals.
type means struct {
	*learner
	picked  []int32   // [m] the rows used
	nearest []int32   // [max(m, n)] the value of each
	order   []int32   // [m] the rows used, by value
	begin   []int     // [K+1] where each value's rows begin in order
	panels  []float32 // [Panels(K), stride, 32]
	halves  []float32 // [padded K]
	scratch [][]float32
	gather  [][]float32
}

func (l *learner) newMeans() *means {
	m := min(l.n, l.K*meansRows)
	columns := kernel.Panels(l.K) * kernel.Panel
	km := &means{
		learner: l,
		picked:  make([]int32, m), nearest: make([]int32, l.n), order: make([]int32, m), begin: make([]int, l.K+1),
		panels: simd.AlignedFloats(columns * l.stride), halves: make([]float32, columns),
	}
	for range l.threads {
		km.scratch = append(km.scratch, simd.AlignedFloats(blockRows*columns))
		km.gather = append(km.gather, simd.AlignedFloats(blockRows*l.stride))
	}
	return km
}

// learn writes the means to centres, [K, stride].
func (km *means) learn(ctx context.Context, centres []float32, r random, rounds int) error {
	for k := range km.K {
		c := centres[k*km.stride:][:km.stride]
		clear(c)
		simd.Axpy(c, shrink, km.rest(r.below(km.n), km.stride))
	}
	for round := range rounds {
		if round < rounds*3/4 {
			km.pick(roughRows, &r)
		} else {
			km.pick(meansRows, &r)
		}
		if err := km.assign(ctx, centres); err != nil {
			return err
		}
		km.sort()
		if err := km.update(ctx, centres); err != nil {
			return err
		}
		km.refill(centres, &r)
	}
	return nil
}

// pick takes so many rows a value, evenly from a random one on.
func (km *means) pick(rows int, r *random) {
	m := min(km.n, km.K*rows)
	km.picked = km.picked[:m]
	from := r.below(km.n)
	for i := range km.picked {
		km.picked[i] = int32((from + i*km.n/m) % km.n)
	}
}

// assign finds the nearest centre of each picked row.
func (km *means) assign(ctx context.Context, centres []float32) error {
	packed(centres, km.K, km.stride, km.panels, km.halves)
	return km.each(ctx, len(km.picked), blockRows, func(worker, first, last int) {
		block := km.gather[worker]
		for i, row := range km.picked[first:last] {
			copy(block[i*km.stride:][:km.stride], km.rest(int(row), km.stride))
		}
		km.nearestOf(km.nearest[first:last], block, worker)
	})
}

// nearestOf writes the nearest centre of each row of block.
func (km *means) nearestOf(dst []int32, block []float32, worker int) {
	scores := km.scratch[worker]
	kernel.MatMul(scores, len(km.halves), block, km.stride, len(dst), km.panels, km.stride, -1, false)
	kernel.Argmin(dst, scores, len(km.halves), km.halves)
}

// sort orders the picked rows by value, those of a value by row.
func (km *means) sort() {
	clear(km.begin)
	for i := range km.picked {
		km.begin[km.nearest[i]+1]++
	}
	for k := range km.K {
		km.begin[k+1] += km.begin[k]
	}
	next := append([]int(nil), km.begin[:km.K]...)
	for i, row := range km.picked {
		k := km.nearest[i]
		km.order[next[k]] = row
		next[k]++
	}
}

// update moves each centre to the mean of its rows.
func (km *means) update(ctx context.Context, centres []float32) error {
	return km.each(ctx, km.K, 1, func(_, k, _ int) {
		of := km.order[km.begin[k]:km.begin[k+1]]
		c := centres[k*km.stride:][:km.stride]
		var total float32
		for _, row := range of {
			total += km.weights[row]
		}
		if total <= 0 {
			return
		}
		clear(c)
		for _, row := range of {
			simd.Axpy(c, km.weights[row]/total, km.rest(int(row), km.stride))
		}
	})
}

// refill gives centres without rows half of the largest one's: both move a
// little, in opposite directions.
func (km *means) refill(centres []float32, r *random) {
	var of *crowds
	for k := range km.K {
		if km.begin[k] < km.begin[k+1] {
			continue
		}
		if of == nil {
			of = km.newCrowds()
		}
		largest := of.largest(centres)
		if largest < 0 {
			return
		}
		a, b := centres[k*km.stride:][:km.stride], centres[largest*km.stride:][:km.stride]
		size := 0.2 * math.Sqrt(float64(simd.Dot(b, b))/float64(km.d))
		if apart := of.apart[largest]; size < 0.01*apart { // a centre at the origin would not move
			size = 0.2 * apart
		}
		for t := range km.d {
			move := float32(size * (r.unit() - 0.5))
			a[t] = b[t] + move
			b[t] -= move
		}
		of.halve(largest, k)
	}
}

// crowds are how many rows each centre has.
type crowds struct {
	*means
	count []int
	apart []float64 // how far their numbers are from the centre's; 0 is not known yet
}

func (km *means) newCrowds() *crowds {
	c := &crowds{km, make([]int, km.K), make([]float64, km.K)}
	for k := range c.count {
		c.count[k] = km.begin[k+1] - km.begin[k]
	}
	return c
}

// largest returns the value with the most rows, -1 where none has two. Rows that
// are all alike, such as those of symbols without a vector of their own, cannot
// be told apart by another value: they count as one.
func (c *crowds) largest(centres []float32) int {
	for {
		largest := 0
		for k, n := range c.count {
			if n > c.count[largest] {
				largest = k
			}
		}
		if c.count[largest] < 2 {
			return -1
		}
		if c.apart[largest] > 0 || c.measure(largest, centres[largest*c.stride:][:c.stride]) {
			return largest
		}
		c.count[largest] = 1
	}
}

// measure reports whether the rows of a value differ, beyond rounding, from its
// centre, and notes by how much.
func (c *crowds) measure(k int, centre []float32) bool {
	of, sum := c.order[c.begin[k]:c.begin[k+1]], 0.0
	for _, row := range of {
		sum += float64(simd.SquaredDistance(centre, c.rest(int(row), c.stride)))
	}
	c.apart[k] = math.Sqrt(sum / float64(len(of)*c.d))
	return c.apart[k] > 1e-5*math.Sqrt(float64(simd.Dot(centre, centre))/float64(c.d))
}

// halve gives half of a value's rows to another.
func (c *crowds) halve(from, to int) {
	c.count[to], c.apart[to] = c.count[from]/2, c.apart[from]
	c.count[from] -= c.count[to]
}

// assignAll sets digit j of all codes and subtracts it from the residuals.
func (km *means) assignAll(ctx context.Context, j int) error {
	W := km.digit(j)
	packed(W, km.K, km.stride, km.panels, km.halves)
	return km.each(ctx, km.n, blockRows, func(worker, first, last int) {
		km.nearestOf(km.nearest[first:last], km.R[first*km.stride:], worker)
		for i := first; i < last; i++ {
			k := km.nearest[i]
			km.codes[i*km.D+j] = uint16(k)
			simd.Axpy(km.rest(i, km.stride), -1, km.of(j, int(k)))
		}
	})
}
