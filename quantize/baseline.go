package quantize

import (
	"context"
	"math/bits"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/kdcode/kdcode/codefile"
	"github.com/kdcode/kdcode/quantize/internal/additive"
)

// Baseline is a table made small by another method.
type Baseline struct {
	Method  string
	Bits    int64 // of all that stands for the numbers: codes, code embeddings, scales
	Seconds float64
	Vectors Source // the table as it comes back
}

// Baselines makes the table small by other methods, as many bits as the codes
// of o take where a method can be so set, and calls each with the result. The
// table is read into memory.
func Baselines(ctx context.Context, src Source, symbols []string, o Options, each func(Baseline) error) error {
	x := Matrix{Data: make([]float32, src.Len()*src.Dim()), D: src.Dim()}
	if err := src.Rows(x.Data, 0, src.Len()); err != nil {
		return err
	}
	b := baselines{ctx: ctx, x: x, symbols: symbols, o: o}
	b.o.Progress, b.o.Checkpoint, b.o.Resume, b.o.Composition = nil, "", false, codefile.Sum
	for _, method := range []func() (Baseline, error){
		b.product,
		func() (Baseline, error) { return b.scalar(8) },
		func() (Baseline, error) { return b.scalar(6) },
		func() (Baseline, error) { return b.scalar(4) },
		b.lowRank,
		b.random,
		b.characters,
	} {
		if err := ctx.Err(); err != nil {
			return err
		}
		start := time.Now()
		made, err := method()
		if err != nil {
			return err
		}
		if made.Vectors == nil {
			continue // not possible with this table
		}
		made.Seconds = time.Since(start).Seconds()
		if err := each(made); err != nil {
			return err
		}
	}
	return nil
}

type baselines struct {
	ctx     context.Context
	x       Matrix
	symbols []string
	o       Options
}

// bits returns what a model like the one asked for, but of this K, D and
// composition, takes for codes and parameters.
func (b baselines) bits(k, d int, c codefile.Composition) int64 {
	o := b.o
	o.K, o.D, o.Composition = k, d, c
	return 8 * o.tableBytes(b.x.Len(), b.x.D)
}

// product is product quantization with codes of as many bits.
func (b baselines) product() (Baseline, error) {
	o := b.o
	o.Composition = codefile.Concat
	o.K, o.D = productShape(b.o.D*bits.Len(uint(b.o.K-1)), b.x.D, b.x.Len())
	m, err := compressConcat(b.ctx, b.x, o)
	if err != nil {
		return Baseline{}, err
	}
	m.Embeddings.DType = o.DType
	v, err := decode(m)
	return Baseline{Method: "product quantization", Bits: b.bits(o.K, o.D, codefile.Concat), Vectors: v}, err
}

// productShape returns the K and D of a product quantizer of at most so many
// bits a row: D must divide d, and K is at most 256, the usual choice. Of the
// most bits, the largest K.
func productShape(total, d, n int) (k, parts int) {
	best := 0
	for width := 8; width >= 1; width-- {
		for p := min(d, total/width); p >= 1; p-- {
			if d%p == 0 {
				if p*width > best && 1<<width <= n {
					best, k, parts = p*width, 1<<width, p
				}
				break
			}
		}
	}
	if best == 0 {
		return 2, 1
	}
	return k, parts
}

func (b baselines) scalar(width int) (Baseline, error) {
	y, size := scalarQuantize(b.x, width)
	return Baseline{Method: "scalar, " + string(rune('0'+width)) + " bits", Bits: size, Vectors: y}, nil
}

// lowRank is a truncated singular value decomposition of as many bits.
func (b baselines) lowRank() (Baseline, error) {
	ours := b.bits(b.o.K, b.o.D, codefile.Sum)
	y, size, err := lowRank(b.x, rankOf(ours, b.x.Len(), b.x.D), b.o.threads())
	return Baseline{Method: "low rank", Bits: size, Vectors: y}, err
}

// random is random codes, with code embeddings fitted to them.
func (b baselines) random() (Baseline, error) {
	r := rand.New(rand.NewPCG(b.o.Seed, 'c'))
	codes := make([]uint16, b.x.Len()*b.o.D)
	for i := range codes {
		codes[i] = uint16(r.IntN(b.o.K))
	}
	return b.fitted("random codes", codes, b.o.K, b.o.D)
}

// letters is how many letters of a symbol are its code: the paper's ten.
const letters = 10

// characters is codes that are the first letters of the symbols: digit j is
// the j-th letter, or 0 past the end and for letters too rare to have a value.
func (b baselines) characters() (Baseline, error) {
	if len(b.symbols) == 0 {
		return Baseline{}, nil
	}
	values := alphabet(b.symbols)
	codes := make([]uint16, len(b.symbols)*letters)
	for i, s := range b.symbols {
		j := 0
		for _, r := range s {
			if j == letters {
				break
			}
			codes[i*letters+j] = values[r]
			j++
		}
	}
	return b.fitted("characters", codes, max(2, len(values)+1), letters)
}

// alphabet numbers the 255 most frequent characters from 1.
func alphabet(symbols []string) map[rune]uint16 {
	counts := map[rune]int{}
	for _, s := range symbols {
		for _, r := range s {
			counts[r]++
		}
	}
	all := make([]rune, 0, len(counts))
	for r := range counts {
		all = append(all, r)
	}
	slices.SortFunc(all, func(a, b rune) int {
		if counts[a] != counts[b] {
			return counts[b] - counts[a]
		}
		return int(a - b)
	})
	values := map[rune]uint16{}
	for i, r := range all[:min(255, len(all))] {
		values[r] = uint16(i + 1)
	}
	return values
}

// fitted is codes as they are, with the code embeddings that are best for them.
func (b baselines) fitted(method string, codes []uint16, k, d int) (Baseline, error) {
	p := b.o.params(b.x.Len(), b.x.D)
	p.K, p.D = k, d
	r, err := additive.Fit(b.ctx, b.x, codes, p)
	if err != nil {
		return Baseline{}, err
	}
	v, err := decode(&codefile.Model{Composition: codefile.Sum, Codes: pack(codes, k, d),
		Embeddings: codefile.Embeddings{Values: r.W, Dim: b.x.D, DType: b.o.DType}})
	return Baseline{Method: method, Bits: b.bits(k, d, codefile.Sum), Vectors: v}, err
}
