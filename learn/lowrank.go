package learn

import (
	"fmt"
	"math"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/kdcode/kdcode/codefile"
)

// LowRank is a table of low rank: [N, rank] times [rank, d].
type LowRank struct {
	n, dim, rank int
	scale        float64
}

// NewLowRank returns the layer of n symbols and embeddings of width dim.
func NewLowRank(n, dim, rank int) *LowRank {
	return &LowRank{n: n, dim: dim, rank: rank, scale: 0.1}
}

// RankFor returns the rank whose table has about the given share of a full
// table's parameters, rounded down: 0.1 for the paper's 10x. It is at least 1.
func RankFor(n, dim int, share float64) int {
	return max(1, int(share*float64(n)*float64(dim)/float64(n+dim)))
}

// RankAtBits returns the rank whose table has most nearly as many bits as a layer
// of that size. It is at least 1.
func RankAtBits(s Size) int {
	each := 32 * float64(s.Symbols+s.Dim)
	return max(1, int(math.Round(float64(s.Bits())/each)))
}

// InitScale sets s: the embeddings' initial values vary as uniform(−s, s)
// would. It is 0.1 by default.
func (l *LowRank) InitScale(s float64) *LowRank { l.scale = s; return l }

// Symbols returns N.
func (l *LowRank) Symbols() int { return l.n }

// Dim returns d.
func (l *LowRank) Dim() int { return l.dim }

// Size returns the size of both factors.
func (l *LowRank) Size() Size {
	return Size{Parameters: int64(l.rank) * int64(l.n+l.dim), Symbols: l.n, Dim: l.dim}
}

// Check returns an error unless the settings fit together.
func (l *LowRank) Check() error {
	if l.rank < 1 {
		return fmt.Errorf("learn: a table of rank %d: 1 is the least", l.rank)
	}
	return checkShape(l.n, l.dim)
}

// Embed builds the embeddings of a batch's symbols: see [Embedding].
func (l *LowRank) Embed(scope *model.Scope, s Symbols) *Node {
	if err := l.Check(); err != nil {
		panic(err)
	}
	rows := Rows(Uniform(scope, "table", l.scale, l.n, l.rank), s) // [U, rank]
	// With both factors at s the products would be too small to learn from. A
	// sum of rank products with uniform(−r, r), r² = 3/rank, keeps the variance.
	projection := Uniform(scope, "projection", math.Sqrt(3/float64(l.rank)), l.rank, l.dim)
	return s.place(Dot(rows, projection.NodeValue(rows.Graph())).Product())
}

// Export returns the factors as the content of a code file, in which the id is
// the code: D = 1, K = N, d' = rank, as [Full.Export] does.
func (l *LowRank) Export(scope *model.Scope) (*codefile.Model, error) {
	codes, err := tableCodes(l.n)
	if err != nil {
		return nil, err
	}
	w, err := Values(scope, "table", l.n, l.rank)
	if err != nil {
		return nil, err
	}
	h, err := Values(scope, "projection", l.rank, l.dim)
	if err != nil {
		return nil, err
	}
	m := &codefile.Model{
		Codes:             codes,
		Embeddings:        codefile.Embeddings{Values: tableRows(w, codes, l.rank), Dim: l.rank},
		Composition:       codefile.Affine,
		Projection:        make([]float32, len(h)),
		TrainedParameters: l.Size().Parameters,
		Metadata:          map[string]string{"made_by": "kdcode/learn", "layer": "low-rank"},
	}
	for i, x := range h {
		m.Projection[i%l.dim*l.rank+i/l.dim] = x // [d, rank]
	}
	return m, nil
}
