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

// Efforts are all efforts, from the quickest to the most thorough.
var Efforts = []Effort{Fast, Normal, Best}

// ParseEffort returns the effort of that name.
func ParseEffort(name string) (Effort, error) {
	for _, e := range Efforts {
		if e.String() == name {
			return e, nil
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
	Checkpoint string         // file that keeps the state between rounds, but of Concat; empty is none
	Resume     bool           // go on from Checkpoint if it is there
}

// Progress says how far the work is.
type Progress struct {
	Phase         string // "choose", "start", "learn", "encode"
	Done, Total   int    // trials, rounds or rows of the phase; Total may be 0 for unknown
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

// params are the options as the learner takes them, for n vectors of width d.
func (o Options) params(n, d int) additive.Params {
	return additive.Params{K: o.K, D: o.D, Effort: o.Effort, Seed: o.Seed, Threads: o.Threads, Weights: o.Weights,
		Sample: o.sample(n, d), Progress: o.progress()}
}

func (o Options) progress() func(additive.Progress) {
	if o.Progress == nil {
		return nil
	}
	return func(p additive.Progress) {
		o.Progress(Progress{Phase: p.Phase, Done: p.Round, Total: p.Rounds, RelativeError: p.Error})
	}
}

// The learner's memory: fixed, for tables of inner products and normal
// equations; for each row of the table, its code, unpacked and packed; for each
// row learned from, its numbers twice, padded.
const (
	learnerBytes = 128 << 20
	sampleBytes  = 512 << 20 // of rows learned from, at most
	leastSample  = 4096
)

func (o Options) tableRowBytes() int64       { return int64(4*o.D + 1) }
func (o Options) sampleRowBytes(d int) int64 { return int64(2*4*(d+16) + 2*o.D) }

// least returns the memory that n vectors of width d need at least.
func (o Options) least(n, d int) int64 {
	return learnerBytes + int64(n)*o.tableRowBytes() + int64(min(n, leastSample))*o.sampleRowBytes(d)
}

// needs returns about how much memory learning from n vectors of width d takes.
func (o Options) needs(n, d int) int64 {
	rows := int64(n)
	if s := o.sample(n, d); s > 0 {
		rows = min(rows, int64(s))
	}
	return learnerBytes + int64(n)*o.tableRowBytes() + min(sampleBytes, rows*o.sampleRowBytes(d))
}

// sample returns how many of n rows can be learned from within the memory, or
// 0 where that is as many as the learner would take anyhow.
func (o Options) sample(n, d int) int {
	left := o.Memory - learnerBytes - int64(n)*o.tableRowBytes()
	if o.Memory == 0 || left >= sampleBytes {
		return 0
	}
	return int(max(leastSample, left/o.sampleRowBytes(d)))
}
