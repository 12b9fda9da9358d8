package classify

import (
	"fmt"
	"math"
	"slices"
	"unsafe"

	"github.com/kdcode/kdcode/internal/simd"
)

// Prediction is a label with its probability.
type Prediction struct {
	Label       string  `json:"label"`
	Probability float64 `json:"probability"`
}

// Predictor predicts with a Model. It belongs to one goroutine at a time, and
// answers the same whatever it was asked before.
type Predictor struct {
	m         *Model
	tokenizer Tokenizer
	cache     *cache
	sum       []float32 // of the rows of known words
	row       []float32 // of a word that is not cached
	code      []byte
	scores    []float32
	order     []int
}

// Predictor returns a new Predictor. It takes about 2 MB.
func (m *Model) Predictor() *Predictor {
	width := m.words.width()
	return &Predictor{m: m, cache: newCache(width), sum: simd.AlignedFloats(width), row: simd.AlignedFloats(width),
		scores: make([]float32, len(m.class.Labels)), order: make([]int, len(m.class.Labels))}
}

// Scores writes the score of each class for a text into dst, which holds one
// float for each label, and returns how many words of the text the model
// knows. It allocates nothing. After an error dst is undefined.
func (p *Predictor) Scores(dst []float32, text []byte) (known int, err error) {
	if len(dst) != len(p.scores) {
		return 0, fmt.Errorf("classify: %d floats for the scores of %d labels", len(dst), len(p.scores))
	}
	if err := p.open(); err != nil {
		return 0, err
	}
	p.tokenizer.Reset(text)
	clear(p.sum)
	for w := p.tokenizer.Next(); w != nil; w = p.tokenizer.Next() {
		row, err := p.wordRow(w)
		if err != nil {
			return 0, err
		}
		if row == nil {
			continue
		}
		known++
		if len(row) <= 8 {
			for i, x := range row { // cheaper than a call
				p.sum[i] += x
			}
		} else {
			simd.Add(p.sum, row)
		}
	}
	p.m.words.scores(dst, p.sum, known)
	return known, nil
}

// wordRow returns the row of a word, or nil if it is unknown.
func (p *Predictor) wordRow(word []byte) ([]float32, error) {
	k, ok := newKey(word)
	if !ok {
		known, err := p.compute(p.row, word)
		if err != nil || !known {
			return nil, err
		}
		return p.row, nil
	}
	at, found := p.cache.find(k)
	row := p.cache.row(at)
	if !found {
		p.cache.slots[at] = slot{} // the row is about to change
		known, err := p.compute(row, word)
		if err != nil {
			return nil, err
		}
		p.cache.slots[at] = slot{k, known}
	}
	if !p.cache.slots[at].known {
		return nil, nil
	}
	return row, nil
}

// compute computes the row of a word, and reports whether it is known.
func (p *Predictor) compute(dst []float32, word []byte) (known bool, err error) {
	id, ok := p.m.table.ID(unsafe.String(unsafe.SliceData(word), len(word))) // kept by nobody
	if !ok {
		return false, p.open() // a closed table has no words
	}
	return true, p.m.words.row(dst, id, &p.code)
}

// open returns kdcode.ErrClosed where the table is closed.
func (p *Predictor) open() error {
	_, err := p.m.table.PackedCodes(nil, 0, 0)
	return err
}

// Predict returns the k likeliest labels of a text, the likeliest first, or
// all if there are fewer. Labels equally likely stay in the order of the
// classes.
func (p *Predictor) Predict(text string, k int) ([]Prediction, error) {
	return p.PredictBytes(unsafe.Slice(unsafe.StringData(text), len(text)), k) // only read
}

// PredictBytes is Predict for bytes.
func (p *Predictor) PredictBytes(text []byte, k int) ([]Prediction, error) {
	if _, err := p.Scores(p.scores, text); err != nil {
		return nil, err
	}
	for i := range p.order {
		p.order[i] = i
	}
	slices.SortStableFunc(p.order, func(a, b int) int {
		switch x, y := p.scores[a], p.scores[b]; {
		case x > y:
			return -1
		case x < y:
			return 1
		}
		return 0
	})
	top := p.order[:max(0, min(k, len(p.order)))]
	best := make([]Prediction, len(top))
	norm := logSumExp(p.scores)
	for i, class := range top {
		best[i] = Prediction{p.m.class.Labels[class], math.Exp(float64(p.scores[class]) - norm)}
	}
	return best, nil
}

// Best returns the class of the highest score, the first of equals.
func Best(scores []float32) int {
	best := 0
	for i, s := range scores {
		if s > scores[best] {
			best = i
		}
	}
	return best
}

// logSumExp returns log Σ exp(x), the norm of a softmax, without overflow.
func logSumExp(x []float32) float64 {
	top := float64(slices.Max(x))
	var sum float64
	for _, v := range x {
		sum += math.Exp(float64(v) - top)
	}
	return top + math.Log(sum)
}
