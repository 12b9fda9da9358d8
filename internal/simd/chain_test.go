package simd

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// randomLinks returns links for n floats.
func randomLinks(r *rand.Rand, count, n int) []Link {
	links := make([]Link, count)
	for i := range links {
		length := n
		if r.IntN(2) == 0 {
			length = 1
		}
		links[i] = Link{ZipOp(r.IntN(int(zipOps))), r.IntN(2) == 0, oddFloats(r, length, r.IntN(16))}
	}
	return links
}

// chained returns what a chain computes: a link after the other, on all floats.
func chained(x []float32, links []Link) []float32 {
	v := slices.Clone(x)
	for _, l := range links {
		a, b := v, l.Y
		if l.Swap {
			a, b = b, a
		}
		zipPortable(l.Op, formOf(len(v), a, b), v, a, b)
	}
	return v
}

func TestChain(t *testing.T) {
	atLevels(t, func(t *testing.T) {
		r := random(31)
		for _, n := range lengths() {
			offset := n % 16
			x, links := oddFloats(r, n, offset*3%16), randomLinks(r, 1+r.IntN(MaxLinks), n)
			want := chained(x, links)
			dst, check := guarded(t, n, offset)
			Chain(dst, x, links)
			check()
			equalFloats(t, dst, want)
			for _, l := range links { // dst may be any of the operands
				if len(l.Y) == n {
					old := slices.Clone(l.Y)
					Chain(l.Y, x, links)
					equalFloats(t, l.Y, want)
					copy(l.Y, old)
				}
			}
			Chain(x, x, links)
			equalFloats(t, x, want)
		}
	})
}

// TestLinks goes through all kinds of links, one at a time.
func TestLinks(t *testing.T) {
	const n = 300
	for op := range zipOps {
		for _, swap := range []bool{false, true} {
			for _, length := range []int{1, n} {
				t.Run(fmt.Sprintf("%v/swap=%v/y=%d", op, swap, length), func(t *testing.T) {
					atLevels(t, func(t *testing.T) {
						r := random(32)
						x, links := oddFloats(r, n, 3), []Link{{op, swap, oddFloats(r, length, 5)}}
						dst, check := guarded(t, n, 7)
						Chain(dst, x, links)
						check()
						equalFloats(t, dst, chained(x, links))
					})
				})
			}
		}
	}
}

// FuzzChain compares all levels with the portable loops, on any floats.
func FuzzChain(f *testing.F) {
	seed := make([]byte, 0, 8000)
	for i := range 2000 {
		seed = binary.LittleEndian.AppendUint32(seed, math.Float32bits(odd[i%len(odd)]*float32(i)))
	}
	f.Add(seed, []byte{0, 5, 10, 15, 20, 23})
	f.Add(seed[:2000], []byte{3, 7})
	f.Add(seed[:12], []byte{9})
	f.Fuzz(func(t *testing.T, data, kinds []byte) {
		all := make([]float32, len(data)/4)
		for i := range all {
			all[i] = math.Float32frombits(binary.LittleEndian.Uint32(data[4*i:]))
		}
		n := len(all) / (1 + len(kinds))
		if n == 0 || len(kinds) == 0 || len(kinds) > MaxLinks {
			return
		}
		var links []Link
		for i, kind := range kinds {
			l := Link{ZipOp(kind/4) % zipOps, kind&2 != 0, all[(i+1)*n:][:n]}
			if kind&1 != 0 {
				l.Y = l.Y[:1]
			}
			links = append(links, l)
		}
		want := chained(all[:n], links)
		for _, l := range levels() {
			setLevel(t, l)
			dst, check := guarded(t, n, len(data)%16)
			Chain(dst, all[:n], links)
			check()
			equalFloats(t, dst, want)
		}
	})
}

// BenchmarkChain is some links at once, beside a Zip for each.
func BenchmarkChain(b *testing.B) {
	const n = 2048
	x, y := misaligned(random(1), n, 0), misaligned(random(2), n, 0)
	dst := AlignedFloats(n)
	links := []Link{{ZipSub, false, y}, {ZipAdd, false, y[:1]}, {ZipMax, false, y[:1]}, {ZipMul, false, x}}
	for _, count := range []int{2, 4} {
		for _, l := range levels() {
			run := func(name string, f func()) {
				b.Run(fmt.Sprintf("%s/links=%d/%v", name, count, l), func(b *testing.B) {
					setLevel(b, l)
					for b.Loop() {
						f()
					}
				})
			}
			run("Chain", func() { Chain(dst, x, links[:count]) })
			run("Zip", func() {
				v := x
				for _, l := range links[:count] {
					Zip(l.Op, dst, v, l.Y)
					v = dst
				}
			})
		}
	}
}
