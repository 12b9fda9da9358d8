package search

import "math"

// target is a query made ready for scanning, and what one goroutine has found
// of it.
type target struct {
	scorer
	index    *Index
	tables   []float32 // [D, K]: partial scores
	constant float64   // to be added to their sums
	bytes    byteTables
	fast     bool      // whether there are byte tables
	x        []float32 // ‖v‖ of all symbols, or ‖v‖²/2 for Euclidean
	slack    float64   // more than rounding can change ⟨q,v⟩ by

	keys       best // the best symbols so far, by key
	candidates []candidate

	// A symbol can be among the best only if its ⟨q,v⟩ is not below slope·x +
	// least, and so the sum of its bytes not below a·x + b.
	slope, least float64
	a, b         float32
}

// candidate is a symbol that may be among the best, with its ⟨q,v⟩.
type candidate struct {
	id int
	s  float64
}

// newTarget computes the partial scores of a query.
func (x *Index) newTarget(q []float32, o *Options) *target {
	w := x.weights
	t := &target{scorer: newScorer(o.Metric, q), index: x, tables: make([]float32, w.D*w.K), keys: best{limit: o.Limit}}
	t.constant = float64(w.partial(t.tables, t.query))
	if x.codes.blocks != nil {
		t.bytes, t.fast = newByteTables(t.tables, w.K, w.D)
	}
	t.x = x.norms
	size := t.norm * w.reach
	if o.Metric == Euclidean {
		t.x = x.halves()
		size = (t.norm + w.reach) * (t.norm + w.reach)
	}
	// A sum of n products is off by n·2⁻²⁴ parts of the sum of their sizes at
	// most. Twice that, since scores from tables are compared with those of
	// composed vectors, and twice again to be sure. Numbers near the smallest
	// there are lose more.
	t.slack = float64(len(q)+w.codeDim+w.D+16) * 0x1p-22 * (size + 0x1p-110)
	if o.Metric == Cosine { // vectors so short that their norm is 0 score 0, whatever their ⟨q,v⟩
		t.slack += math.Sqrt(float64(len(q))) * 0x1p-74
	}
	if !(size < 1e37) { // scores may overflow: there is no telling them apart by sums
		t.slack = math.Inf(1)
	}
	t.raise()
	return t
}

// key returns a number that orders symbols as their scores do, and that is no
// higher than the score would have it. s is ⟨q,v⟩.
func (t *target) key(s float64, id int) float64 {
	switch x := float64(t.x[id]); {
	case t.metric == InnerProduct:
		return s - t.slack
	case t.metric == Euclidean: // ‖q−v‖² is ‖q‖² − 2·(⟨q,v⟩ − ‖v‖²/2)
		return s - x - t.slack
	case x == 0:
		return 0 // the score of zero vectors, by definition
	default:
		return (s - t.slack) / x
	}
}

// raise sets the bounds by the worst of the best, once there are enough.
func (t *target) raise() {
	t.slope, t.least = 0, math.Inf(-1)
	t.a, t.b = 0, float32(math.Inf(-1))
	if len(t.keys.heap) < t.keys.limit {
		return
	}
	key := float64(t.keys.heap[0].Score)
	switch t.metric {
	case InnerProduct:
		t.least = key
	case Euclidean:
		t.slope, t.least = 1, key
	default:
		t.slope, t.least = key, 0
	}
	t.least -= t.slack
	if !t.fast {
		return
	}
	a := t.slope / t.bytes.step
	b := (t.least - t.constant - t.bytes.top) / t.bytes.step
	// The comparison is in float32: allow for its rounding. Where numbers are
	// too large or too small for that, or none, all symbols are looked at.
	if size := math.Abs(a)*t.index.longest(t.metric) + math.Abs(b); size < 1e30 && (a == 0 || math.Abs(a) > 1e-30 && math.Abs(a) < 1e30) {
		t.a, t.b = float32(a), float32(b-size*0x1p-21)
	}
}

// below reports whether a ⟨q,v⟩ is too low for symbol id. It is false for what
// is not a number.
func (t *target) below(s float64, id int) bool { return s < t.slope*float64(t.x[id])+t.least }

// consider keeps a symbol if it may be among the best.
func (t *target) consider(s float64, id int) {
	if t.below(s, id) {
		return
	}
	t.candidates = append(t.candidates, candidate{id, s})
	if t.keys.offer(Neighbour{id, float32(t.key(s, id))}) {
		t.raise()
	}
}

// settle composes the vectors of those candidates that still may be among the
// best, and returns the best.
func (t *target) settle(v []float32) (best, error) {
	found := best{limit: t.keys.limit}
	for _, c := range t.candidates {
		if t.below(c.s, c.id) {
			continue
		}
		if err := t.index.table.Lookup(v, c.id); err != nil {
			return found, err
		}
		found.offer(Neighbour{c.id, t.score(v, t.index.norms[c.id])})
	}
	return found, nil
}
