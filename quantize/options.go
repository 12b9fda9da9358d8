package quantize

import (
	"fmt"
	"runtime"

	"github.com/kdcode/kdcode/codefile"
	"github.com/kdcode/kdcode/quantize/internal/additive"
)

// Effort says how long to search for better codes.
type Effort = additive.Effort

const (
	Fast   = additive.Fast
	Normal = additive.Normal
	Best   = additive.Best
)

// Efforts are the names of the efforts.
var Efforts = []string{"fast", "normal", "best"}

// ParseEffort returns the effort of that name.
func ParseEffort(name string) (Effort, error) {
	for i, n := range Efforts {
		if n == name {
			return Effort(i), nil
		}
	}
	return 0, fmt.Errorf("effort %q is none of %v", name, Efforts)
}

// Options say what to learn and how.
type Options struct {
	K, D        int
	Composition codefile.Composition // empty is Sum; Affine, Concat
	CodeDim     int                  // d' of Affine
	DType       codefile.DType       // how code embeddings are stored; empty is Float32
	Effort      Effort
	Seed        uint64
	Threads     int       // 0 is one for each processor
	Weights     []float32 // of the rows: how much their errors count; nil is 1 for all
	Memory      int64     // bytes to keep to beside the Source, 0 is no limit

	Progress   func(Progress) // called between rounds; may be nil
	Checkpoint string         // file that keeps the state between rounds; empty is none
	Resume     bool           // go on from Checkpoint if it is there
}

// Progress says how far the work is.
type Progress struct {
	Phase         string // "start", "learn", "encode"
	Done, Total   int    // rounds or rows of the phase
	RelativeError float64
}

func (o Options) threads() int {
	if o.Threads > 0 {
		return o.Threads
	}
	return runtime.GOMAXPROCS(0)
}

func (o Options) composition() codefile.Composition {
	if o.Composition == "" {
		return codefile.Sum
	}
	return o.Composition
}

// params are the options as the learner takes them.
func (o Options) params(d int) additive.Params {
	return additive.Params{K: o.K, D: o.D, Effort: o.Effort, Seed: o.Seed, Threads: o.Threads, Weights: o.Weights,
		Sample: o.sample(d), Progress: o.progress()}
}

func (o Options) progress() func(additive.Progress) {
	if o.Progress == nil {
		return nil
	}
	return func(p additive.Progress) {
		o.Progress(Progress{Phase: p.Phase, Done: p.Round, Total: p.Rounds, RelativeError: p.Error})
	}
}

// sample returns how many rows can be learned from within the memory, or 0 for
// as many as the effort says. The learner keeps each row twice, padded, with
// its code; tables of inner products and the codes of all rows come on top.
func (o Options) sample(d int) int {
	if o.Memory == 0 {
		return 0
	}
	const overhead = 256 << 20
	row := int64(2*4*(d+16) + 4*o.D)
	return int(max(4096, (o.Memory-overhead)/row))
}
