package simd

// A Link is an operation of a Chain, on the value so far and a float of Y.
type Link struct {
	Op   ZipOp
	Swap bool      // the value is the right operand, not the left one
	Y    []float32 // as many as the chain has, or one for all
}

// MaxLinks is how long a chain may be.
const MaxLinks = 16

// chainStrip is how many floats go through a chain together: they stay in
// registers.
const chainStrip = 128

// Chain sets every float of dst to the one in x after some operations, one after
// the other:
//
//	v := x[i]
//	for _, l := range links {
//		v = l.Op(v, l.Y[i]) // or l.Op(l.Y[i], v)
//	}
//	dst[i] = v
//
// These are the same bits as of a Zip for each link, in one pass over memory.
//
// It panics unless there are 1 to MaxLinks links, x is as long as dst, and each Y
// is too, or a single float. dst may be the same slice as x or any Y, but not
// overlap them otherwise.
func Chain(dst, x []float32, links []Link) {
	if len(dst) != len(x) || len(links) == 0 || len(links) > MaxLinks {
		panic("simd: Chain: lengths do not match, or there are no links or too many")
	}
	for i := range links {
		if n := len(links[i].Y); links[i].Op >= zipOps || n != len(dst) && n != 1 {
			panic("simd: Chain: the lengths of a link do not match, or no such op")
		}
	}
	chainStrips(dst, x, links, chain(dst, x, links))
}

// chainStrips specifies Chain. It does the floats from… on.
func chainStrips(dst, x []float32, links []Link, from int) {
	var values [chainStrip]float32
	for ; from < len(dst); from += chainStrip {
		to := min(from+chainStrip, len(dst))
		v := values[:to-from]
		copy(v, x[from:to])
		for i := range links {
			l := &links[i]
			y := l.Y
			if len(y) == len(dst) {
				y = y[from:to]
			}
			if l.Swap {
				Zip(l.Op, v, y, v)
			} else {
				Zip(l.Op, v, v, y)
			}
		}
		copy(dst[from:to], v)
	}
}
