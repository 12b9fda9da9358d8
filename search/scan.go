package search

import (
	"context"
	"iter"
	"math/bits"

	"github.com/kdcode/kdcode/internal/simd"
	"github.com/kdcode/kdcode/search/internal/kernel"
)

// span is how many blocks are scanned for one query, then for the next: few
// enough that the second finds them in the cache.
const span = 64

// stroll returns every parts-th number below n, beginning with the first-th, in
// an order that mixes them: symbols are often sorted by how frequent they are,
// and bounds rise sooner where the first ones looked at are of all kinds.
func stroll(n, first, parts int) iter.Seq[int] {
	step := n*618/1000 | 1 // near the golden section
	for gcd(step, n) > 1 {
		step += 2
	}
	return func(yield func(int) bool) {
		for i := first; i < n && yield(i*step%n); i += parts {
		}
	}
}

func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// scanBlocks scans every parts-th span of blocks, beginning with the first-th.
func (x *Index) scanBlocks(ctx context.Context, targets []*target, o *Options, first, parts int) error {
	c := x.codes
	sums, words := make([]uint16, span*block), make([]uint64, span)
	blocks := len(c.blocks) / (block * c.D)
	for start := range stroll((blocks+span-1)/span, first, parts) {
		if err := ctx.Err(); err != nil {
			return err
		}
		start *= span
		n := min(span, blocks-start)
		codes := c.blocks[start*block*c.D:][:n*block*c.D]
		sums, words := sums[:n*block], words[:n]
		for _, t := range targets {
			if t.fast {
				kernel.Sums(sums, t.bytes.bytes, c.K, codes, c.D)
				kernel.Above(words, sums, t.x[start*block:][:n*block], t.a, t.b)
			} else {
				t.all(words)
			}
			t.refine(sums, words, start, o)
		}
	}
	return nil
}

// all lets every symbol pass, for partial scores that bytes cannot hold.
func (t *target) all(words []uint64) {
	for w := range words {
		words[w] = ^uint64(0)
	}
}

// refine goes through the symbols that may be among the best: those with a bit
// in words, which begin with block start. Bounds rise on the way, so the bytes
// are compared again, then the partial scores.
func (t *target) refine(sums []uint16, words []uint64, start int, o *Options) {
	c := t.index.codes
	for w, rest := range words {
		rest &= o.Allow.word(start + w)
		for ; rest != 0; rest &= rest - 1 {
			i := bits.TrailingZeros64(rest)
			id := (start+w)*block + i
			if id >= c.n {
				break
			}
			if t.fast && float32(sums[w*block+i]) < float32(t.a*t.x[id])+t.b {
				continue
			}
			if o.Skip == nil || !o.Skip(id) {
				t.consider(t.sum(c.blocks[(start+w)*block*c.D+kernel.Place(i):]), id)
			}
		}
	}
}

// sum adds up the partial scores of a symbol whose digits lie a block apart.
func (t *target) sum(digits []uint8) float64 {
	K, s := t.index.codes.K, float32(0)
	for j, at := 0, 0; at < len(t.tables); at += K {
		s += t.tables[at+int(digits[j])]
		j += block
	}
	return float64(s) + t.constant
}

// rowSpan is span for rows.
const rowSpan = 2048

// scanRows is scanBlocks for K > 64: the partial scores themselves are added
// up.
func (x *Index) scanRows(ctx context.Context, targets []*target, o *Options, first, parts int) error {
	c := x.codes
	scores := make([]float32, rowSpan)
	for start := range stroll((c.n+rowSpan-1)/rowSpan, first, parts) {
		if err := ctx.Err(); err != nil {
			return err
		}
		start *= rowSpan
		n := min(rowSpan, c.n-start)
		for _, t := range targets {
			if c.rows != nil {
				simd.Scan(scores[:n], t.tables, c.K, c.rows[start*c.D:][:n*c.D], c.D)
			} else {
				scanWide(scores[:n], t.tables, c.K, c.wide[start*c.D:], c.D)
			}
			for i, s := range scores[:n] {
				if s, id := float64(s)+t.constant, start+i; !t.below(s, id) && o.allows(id) {
					t.consider(s, id)
				}
			}
		}
	}
	return nil
}

// scanWide is simd.Scan for digits of more than a byte.
func scanWide(dst, tables []float32, K int, codes []uint16, D int) {
	for i := range dst {
		var sum float32
		rest := tables
		for _, k := range codes[i*D:][:D] {
			sum += rest[k]
			rest = rest[K:]
		}
		dst[i] = sum
	}
}
