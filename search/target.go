package search

import "math"

// target is a query made ready for scanning, and the best that one goroutine
// has found of it.
type target struct {
	scorer
	index    *Index
	tables   []float32 // [D, K]: partial scores
	constant float64   // to be added to their sums
	bytes    byteTables
	fast     bool      // whether there are byte tables
	x        []float32 // what the bounds are for: see bound
	slack    float64   // more than rounding can change a score by

	found best

	// A symbol can be among the best only if its score ⟨q,v⟩ is not below
	// slope·x + least, and so the sum of its bytes not below a·x + b.
	slope, least float64
	a, b         float32
}

// newTarget computes the partial scores of a query.
func (x *Index) newTarget(q []float32, o *Options) *target {
	w := x.weights
	t := &target{scorer: newScorer(o.Metric, q), index: x, tables: make([]float32, w.D*w.K), found: best{limit: o.Limit}}
	t.constant = float64(w.partial(t.tables, q))
	if x.codes.blocks != nil {
		t.bytes, t.fast = newByteTables(t.tables, w.K, w.D)
	}
	// A sum of n products is off by n·2⁻²⁴ parts of the sum of their sizes at
	// most; twice that, for the sums on the two ways that are compared.
	part := float64(len(q)+w.codeDim+w.D+16) * 0x1p-22
	size := float64(t.norm) * w.reach
	t.x = x.norms
	if o.Metric == Euclidean {
		t.x = x.halves()
		size = (float64(t.norm) + w.reach) * (float64(t.norm) + w.reach)
	}
	t.slack = part * size
	t.raise()
	return t
}

// raise sets the bounds by the worst of the best, once there are enough of
// them. With x_i = ‖v_i‖, or ‖v_i‖²/2 for Euclidean, a score of s means:
//
//	Cosine        ⟨q,v⟩ = s·‖q‖·x
//	InnerProduct  ⟨q,v⟩ = s
//	Euclidean     ⟨q,v⟩ = x + (‖q‖² − s²)/2
func (t *target) raise() {
	t.slope, t.least = 0, math.Inf(-1)
	t.a, t.b = 0, float32(math.Inf(-1))
	if len(t.found.heap) < t.found.limit {
		return
	}
	s, q := float64(t.found.heap[0].Score), float64(t.norm)
	switch t.metric {
	case InnerProduct:
		t.least = s
	case Euclidean:
		t.slope, t.least = 1, (q*q-s*s)/2
	default:
		t.slope, t.least = s*q, 0
	}
	t.least -= t.slack
	if !t.fast {
		return
	}
	a := t.slope / t.bytes.step
	b := (t.least - t.constant - t.bytes.top) / t.bytes.step
	// The comparison is in float32: allow for its rounding. Where numbers are
	// too large for that, or none, all symbols are looked at.
	if size := math.Abs(a)*t.index.longest(t.metric) + math.Abs(b); size < 1e30 {
		t.a, t.b = float32(a), float32(b-size*0x1p-21)
	}
}

// below reports whether a score ⟨q,v⟩ is too low for symbol id. It is false
// for what is not a number.
func (t *target) below(s float64, id int) bool { return s < t.slope*float64(t.x[id])+t.least }

// try composes the vector of symbol id in v and offers it.
func (t *target) try(v []float32, id int) error {
	if err := t.index.table.Lookup(v, id); err != nil {
		return err
	}
	if t.found.offer(Neighbour{id, t.score(v, t.index.norms[id])}) {
		t.raise()
	}
	return nil
}
