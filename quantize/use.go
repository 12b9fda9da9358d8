package quantize

import (
	"math"

	"github.com/kdcode/kdcode/codefile"
)

// Use says how codes use the space they have.
type Use struct {
	Evenness []float64 `json:"evenness"` // of each digit: entropy of its values over log2 K, 1 is even
	Shared   int       `json:"shared"`   // symbols that share their code with another
	Distinct int       `json:"distinct"` // different codes
}

// CodeUse counts digits and shared codes.
func CodeUse(c codefile.Codes) Use {
	u := Use{Evenness: make([]float64, c.D)}
	counts := make([]int, c.D*c.K)
	seen := make(map[string]int, c.N())
	row := c.RowBytes()
	digits := make([]uint16, c.D)
	for i := range c.N() {
		c.Get(digits, i)
		for j, k := range digits {
			counts[j*c.K+int(k)]++
		}
		seen[string(c.Packed[i*row:][:row])]++
	}
	for j := range u.Evenness {
		u.Evenness[j] = entropy(counts[j*c.K:][:c.K]) / math.Log2(float64(c.K))
	}
	u.Distinct = len(seen)
	for _, n := range seen {
		if n > 1 {
			u.Shared += n
		}
	}
	return u
}

// entropy is that of a distribution given by counts, in bits.
func entropy(counts []int) float64 {
	total := 0
	for _, n := range counts {
		total += n
	}
	h := 0.0
	for _, n := range counts {
		if n > 0 {
			p := float64(n) / float64(total)
			h -= p * math.Log2(p)
		}
	}
	return h
}
