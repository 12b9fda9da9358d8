package additive

import (
	"errors"
	"fmt"
	"math"
	"runtime"

	"github.com/kdcode/kdcode/internal/simd"
)

// Effort is how long to search for better codes.
type Effort int

// The efforts.
const (
	Fast Effort = iota
	Normal
	Best
)

// Params say what to learn and how.
type Params struct {
	K, D    int       // K from 2 to 65,536, D from 1 to 1,024
	Effort  Effort    //
	Seed    uint64    //
	Threads int       // 0: as many as there are processors
	Weights []float32 // of rows, [N]; nil: all 1
	Sample  int       // learn from at most so many rows; 0: what the effort says

	// Progress, if not nil, is called after every round.
	Progress func(Progress)
	// Checkpoint, if not nil, is called between rounds. The state is valid until
	// it returns; its error ends the work.
	Checkpoint func(State) error
	// Resume, if not nil, is the state to go on from. The table and the
	// parameters have to be those of the run it is from.
	Resume *State
}

// Progress says how far the work is.
type Progress struct {
	Phase         string // "start", "learn", "encode"
	Round, Rounds int
	Error         float64 // relative, of the rows at work
}

// ErrParams is wrapped by errors about parameters.
var ErrParams = errors.New("wrong parameters")

// plan is what an effort means for a table.
type plan struct {
	means  int // rounds of k-means at the start
	rounds int // of least squares and search
	steps  int // of search for a row, in a round
	sample int // rows to learn from, at most
	first  int // steps for rows outside the sample
	second int // and for all rows, once code embeddings fit them
}

// efforts are the plans for tables of fewRows and codes of fewScores. It is the
// product of rounds and steps that counts: 5 rounds of 800 steps, 10 of 400 and
// 20 of 200 end within 0.5% of each other's error.
var efforts = [...]plan{
	Fast:   {means: 8, rounds: 3, steps: 150, first: 300, second: 100},
	Normal: {means: 16, rounds: 10, steps: 400, first: 2000, second: 400},
	Best:   {means: 40, rounds: 32, steps: 1200, first: 8000, second: 2000},
}

const (
	fewRows   = 10_000
	fewScores = 32 * 32
	// sampleBytes is the memory for rows to learn from.
	sampleBytes = 512 << 20
)

// plan returns that of the effort. Rows of larger tables get fewer steps, down
// to a quarter at 160,000 rows; so do rows whose steps take longer, since they
// have more scores.
func (p Params) plan(N, d int) plan {
	plan := efforts[p.Effort]
	plan.sample = max(1, sampleBytes/(8*simd.Stride(d)+2*p.D))
	if p.Sample > 0 {
		plan.sample = p.Sample
	}
	share := max(0.25, min(1, math.Sqrt(fewRows/float64(N))))
	share /= max(1, math.Sqrt(float64(p.K*lanes(p.D))/fewScores))
	for _, steps := range []*int{&plan.steps, &plan.first, &plan.second} {
		*steps = max(20, int(float64(*steps)*share))
	}
	return plan
}

func (p Params) threads() int {
	if p.Threads > 0 {
		return p.Threads
	}
	return runtime.GOMAXPROCS(0)
}

func (p Params) check(src Source) error {
	switch {
	case p.K < 2 || p.K > 65536:
		return fmt.Errorf("%w: %d values a digit; 2 to 65,536 are possible", ErrParams, p.K)
	case p.D < 1 || p.D > 1024:
		return fmt.Errorf("%w: %d digits; 1 to 1,024 are possible", ErrParams, p.D)
	case p.Effort < Fast || p.Effort > Best:
		return fmt.Errorf("%w: effort %d is none", ErrParams, p.Effort)
	case src.Len() < 1 || src.Dim() < 1:
		return fmt.Errorf("%w: a table of %d × %d has nothing to learn from", ErrParams, src.Len(), src.Dim())
	case p.Weights != nil && len(p.Weights) != src.Len():
		return fmt.Errorf("%w: %d weights for %d rows", ErrParams, len(p.Weights), src.Len())
	}
	total := 0.0
	for i, w := range p.Weights {
		total += float64(w)
		if !(w >= 0) || math.IsInf(float64(w), 1) {
			return fmt.Errorf("%w: weight %v of row %d; weights are at least 0 and finite", ErrParams, w, i)
		}
	}
	if p.Weights != nil && total == 0 {
		return fmt.Errorf("%w: all weights are 0", ErrParams)
	}
	return nil
}
