package kernel

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// levels returns those this build and machine run, the portable one first.
func levels() []level {
	var list []level
	for l := portable; l <= supported(); l++ {
		list = append(list, l)
	}
	return list
}

// setLevel makes kernels run at level l until the test ends. Tests that use it
// are not parallel.
func setLevel(tb testing.TB, l level) {
	old := active
	active = l
	tb.Cleanup(func() { active = old })
}

func random(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 1)) }

func randomBytes(r *rand.Rand, n, below int) []uint8 {
	b := make([]uint8, n)
	for i := range b {
		b[i] = uint8(r.IntN(below))
	}
	return b
}

// guarded returns n elements with guards before and after them, and a function
// that fails the test where a guard has changed.
func guarded[T comparable](tb testing.TB, n, offset int, guard T) (dst []T, check func()) {
	from := 64 + offset
	all := slices.Repeat([]T{guard}, from+n+256)
	return all[from : from+n : from+n], func() {
		tb.Helper()
		for i, x := range all {
			if (i < from || i >= from+n) && x != guard {
				tb.Fatalf("dst[%d] of %d was written: %v", i-from, n, x)
			}
		}
	}
}

// sumsDefinition is the formula of Sums.
func sumsDefinition(tables, codes []uint8, D, blocks int) []uint16 {
	dst := make([]uint16, blocks*Block)
	for b := range blocks {
		for i := range Block {
			for j := 0; j < D; j++ {
				dst[b*Block+i] += uint16(tables[Ways*j+int(codes[Block*(b*D+j)+Place(i)])])
			}
		}
	}
	return dst
}

func TestSums(t *testing.T) {
	r := random(1)
	for _, l := range levels() {
		setLevel(t, l)
		for _, K := range []int{1, 2, 3, 15, 16, 17, 31, 32, 33, 63, 64} {
			for _, D := range []int{1, 2, 3, 7, 8, 31, 32, 33, 100} {
				for _, blocks := range []int{0, 1, 2, 3, 4, 5, 9} {
					tables, codes := randomBytes(r, D*Ways, 128), randomBytes(r, blocks*Block*D, K)
					dst, check := guarded(t, blocks*Block, D%5, uint16(0xdead))
					Sums(dst, tables, K, codes, D)
					check()
					if want := sumsDefinition(tables, codes, D, blocks); !slices.Equal(dst, want) {
						t.Fatalf("at %v, K=%d, D=%d, %d blocks: sums differ", l, K, D, blocks)
					}
				}
			}
		}
	}
}

// TestSumsLargest: the largest sums that fit come out whole.
func TestSumsLargest(t *testing.T) {
	for _, l := range levels() {
		setLevel(t, l)
		for _, c := range []struct{ D, even, odd int }{{512, 127, 128}, {514, 255, 0}, {257, 255, 0}} {
			tables := make([]uint8, c.D*Ways)
			want := 0
			for i := range tables {
				tables[i] = uint8(c.even)
				if i/Ways%2 == 1 {
					tables[i] = uint8(c.odd)
				}
				if i%Ways == 0 {
					want += int(tables[i])
				}
			}
			dst := make([]uint16, Block)
			Sums(dst, tables, 64, make([]uint8, Block*c.D), c.D)
			for i, s := range dst {
				if int(s) != want {
					t.Fatalf("at %v, D=%d: sum %d is %d, want %d", l, c.D, i, s, want)
				}
			}
		}
	}
}

func TestAbove(t *testing.T) {
	r := random(2)
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	for _, l := range levels() {
		setLevel(t, l)
		for words := range 5 {
			sums, x := make([]uint16, words*Block), make([]float32, words*Block)
			for i := range sums {
				sums[i], x[i] = uint16(r.Uint32()), r.Float32()
				if i%7 == 0 {
					x[i] = []float32{nan, inf, -inf, 0, 1e38}[i/7%5]
				}
			}
			for _, c := range [][2]float32{{0, 30000}, {60000, 100}, {-60000, 70000}, {0, -inf}, {0, inf}, {1e38, 1}, {nan, 0}, {0, 65535}, {0, 65536}, {1, nan}} {
				dst, check := guarded(t, words, words, uint64(0xdeadbeef))
				want := make([]uint64, words)
				abovePortable(want, sums, x, c[0], c[1])
				Above(dst, sums, x, c[0], c[1])
				check()
				if !slices.Equal(dst, want) {
					t.Fatalf("at %v, a=%v, b=%v: %x, want %x", l, c[0], c[1], dst, want)
				}
			}
		}
	}
}

func FuzzSums(f *testing.F) {
	f.Add(make([]byte, 200), uint8(3), uint8(32), uint64(1))
	f.Add([]byte("digits"), uint8(32), uint8(64), uint64(2))
	f.Fuzz(func(t *testing.T, tables []byte, length, ways uint8, seed uint64) {
		D, K := int(length)%70+1, int(ways)%Ways+1
		// Any tables: also those whose pairs overflow 8 bits.
		tables = append(tables, make([]byte, D*Ways)...)[:D*Ways]
		codes := randomBytes(random(seed), int(seed%7)*Block*D, K)
		want := make([]uint16, len(codes)/D)
		sumsPortable(want, tables, codes, D)
		for _, l := range levels() {
			setLevel(t, l)
			dst, check := guarded(t, len(want), int(length)%9, uint16(0xdead))
			Sums(dst, tables, K, codes, D)
			check()
			if !slices.Equal(dst, want) {
				t.Fatalf("at %v: sums differ", l)
			}
		}
	})
}

func FuzzAbove(f *testing.F) {
	f.Add(uint64(1), float32(2), float32(3), float32(1000))
	f.Fuzz(func(t *testing.T, seed uint64, a, b, scale float32) {
		r := random(seed)
		sums, x := make([]uint16, int(seed%4)*Block), make([]float32, int(seed%4)*Block)
		for i := range sums {
			sums[i], x[i] = uint16(r.Uint32()), r.Float32()*scale
		}
		want := make([]uint64, len(sums)/Block)
		abovePortable(want, sums, x, a, b)
		for _, l := range levels() {
			setLevel(t, l)
			dst, check := guarded(t, len(want), 0, uint64(0xdeadbeef))
			Above(dst, sums, x, a, b)
			check()
			if !slices.Equal(dst, want) {
				t.Fatalf("at %v: %x, want %x", l, dst, want)
			}
		}
	})
}

func panics(f func()) (panics bool) {
	defer func() { panics = recover() != nil }()
	f()
	return false
}

func TestPanics(t *testing.T) {
	words, bytes := make([]uint16, 64), make([]uint8, 64)
	for name, call := range map[string]func(){
		"Sums: part of a block":  func() { Sums(words[:63], bytes, 4, bytes[:63], 1) },
		"Sums: codes too short":  func() { Sums(words, bytes, 4, bytes[:63], 1) },
		"Sums: tables too short": func() { Sums(words, bytes[:63], 4, bytes, 1) },
		"Sums: too many ways":    func() { Sums(words, bytes, 65, bytes, 1) },
		"Sums: no ways":          func() { Sums(words, bytes, 0, bytes, 1) },
		"Sums: no length":        func() { Sums(words, nil, 4, nil, 0) },
		"Above: x too short":     func() { Above(make([]uint64, 1), words, make([]float32, 63), 1, 1) },
		"Above: dst too short":   func() { Above(nil, words, make([]float32, 64), 1, 1) },
	} {
		if !panics(call) {
			t.Errorf("%s: no panic", name)
		}
	}
}

func BenchmarkSums(b *testing.B) {
	const blocks = 64
	for _, K := range []int{16, 32, 64} {
		const D = 32
		tables, codes := randomBytes(random(1), D*Ways, 128), randomBytes(random(2), blocks*Block*D, K)
		dst := make([]uint16, blocks*Block)
		for _, l := range levels() {
			b.Run(fmt.Sprintf("K=%d,D=%d/%v", K, D, l), func(b *testing.B) {
				setLevel(b, l)
				b.SetBytes(int64(len(codes)))
				for b.Loop() {
					Sums(dst, tables, K, codes, D)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/(blocks*Block), "ns/row")
			})
		}
	}
}

func BenchmarkAbove(b *testing.B) {
	const words = 64
	sums, x, dst := make([]uint16, words*Block), make([]float32, words*Block), make([]uint64, words)
	for _, l := range levels() {
		b.Run(l.String(), func(b *testing.B) {
			setLevel(b, l)
			for b.Loop() {
				Above(dst, sums, x, 1, 1)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/(words*Block), "ns/row")
		})
	}
}
