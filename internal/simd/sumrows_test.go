package simd

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/kdcode/kdcode/internal/bitpack"
)

// rowSum is a sum of rows: W is [D, K, stride] or [K, stride].
type rowSum struct {
	name   string
	sum    func(dst, W []float32, stride, K int, digits []uint16) int
	shared bool
}

var rowSums = []rowSum{
	{"SumRows", SumRows, false},
	{"SumCodes", oneCode(SumCodes), false},
	{"SumCodesShared", oneCode(SumCodesShared), true},
	{"SumPacked", packed(SumPacked, 0), false},
	{"SumPackedShared", packed(SumPackedShared, 0), true},
	{"SumPacked with bytes after", packed(SumPacked, 9), false},
}

// oneCode is a sum of several codes by one of them.
func oneCode(sum func(dst, W []float32, stride, K int, digits []uint16, D int) int) func(dst, W []float32, stride, K int, digits []uint16) int {
	return func(dst, W []float32, stride, K int, digits []uint16) int {
		if len(digits) == 0 {
			clear(dst) // D is at least 1
			return -1
		}
		return sum(dst, W, stride, K, digits, len(digits))
	}
}

// packed is a sum of unpacked digits by one of packed ones, which other bytes
// may follow. Digits are packed in as few bits as the largest needs, so that
// all widths have their turn.
func packed(sum func(dst, W []float32, stride, K int, code []byte, w, D int) int, after int) func(dst, W []float32, stride, K int, digits []uint16) int {
	return func(dst, W []float32, stride, K int, digits []uint16) int {
		w := bitpack.Width(max(K, 2))
		for _, c := range digits {
			w = max(w, bitpack.Width(int(c)+1))
		}
		n := bitpack.RowBytes(len(digits), w)
		code := bytes.Repeat([]byte{0xff}, n+after)
		bitpack.Pack(code, digits, w)
		return sum(dst, W, stride, K, code, w, len(digits))
	}
}

func (s rowSum) groups(D int) int {
	if s.shared {
		return 1
	}
	return D
}

// row returns the row of digit c at place j.
func (s rowSum) row(W []float32, stride, K, j int, c uint16) []float32 {
	if s.shared {
		j = 0
	}
	return W[(j*K+int(c))*stride:][:stride]
}

func randomDigits(r *rand.Rand, n, K int) []uint16 {
	digits := make([]uint16, n)
	for i := range digits {
		digits[i] = uint16(r.IntN(K))
	}
	return digits
}

// TestSumRows compares with sums of float64, to D·2⁻²⁴ of the sum of
// magnitudes, and with the portable loop, to the bit.
func TestSumRows(t *testing.T) {
	type shape struct{ d, D, K, stride, offset int }
	var shapes []shape
	for d := range 201 {
		shapes = append(shapes, shape{d, 5, 3, Stride(d), 0}, shape{d, 4, 3, d, 0}, shape{d, 3, 2, d + 1, d % 16})
	}
	for _, d := range []int{300, 383, 384, 385, 400, 768, 769, 1024, 2000} {
		shapes = append(shapes, shape{d, 32, 32, Stride(d), 0}, shape{d, 3, 4, d, 1})
	}
	for D := range 40 {
		shapes = append(shapes, shape{100, D, 16, 112, 0})
	}
	shapes = append(shapes, shape{20, 2, 65536, 20, 0}, shape{20, 1024, 7, 32, 0})

	for _, s := range rowSums {
		t.Run(s.name, func(t *testing.T) {
			atLevels(t, func(t *testing.T) {
				r := random(1)
				for _, c := range shapes {
					// Exactly as long as is allowed: reading past it would
					// be seen by the race detector or a fault, if at all.
					W := misaligned(r, s.groups(c.D)*c.K*c.stride, c.offset)
					digits := randomDigits(r, c.D, c.K)
					if c.D > 0 {
						digits[c.D-1] = uint16(c.K - 1)
					}
					dst, check := guarded(t, c.d, c.offset)
					if bad := s.sum(dst, W, c.stride, c.K, digits); bad != -1 {
						t.Fatalf("%+v: returns %d", c, bad)
					}
					check()
					for i := range dst {
						var sum, magnitude float64
						for j, digit := range digits {
							x := float64(s.row(W, c.stride, c.K, j, digit)[i])
							sum += x
							magnitude += math.Abs(x)
						}
						if e := math.Abs(float64(dst[i]) - sum); e > float64(c.D)*0x1p-24*magnitude {
							t.Fatalf("%+v: dst[%d] = %v, want %v", c, i, dst[i], sum)
						}
					}
					want := make([]float32, c.d)
					step := c.K * c.stride
					if s.shared {
						step = 0
					}
					sumRowsPortable(want, W, c.stride, step, c.K, digits)
					equalBits(t, dst, want)
				}
			})
		})
	}
}

// TestSumPacked has digits of all widths, in rows of all lengths.
func TestSumPacked(t *testing.T) {
	const d, stride = 20, 32
	atLevels(t, func(t *testing.T) {
		r := random(10)
		for w := 1; w <= 16; w++ {
			for D := range 70 {
				K := min(1<<w, 5)
				W := misaligned(r, D*K*stride, 0)
				digits := randomDigits(r, D, K)
				code := make([]byte, bitpack.RowBytes(D, w)+D%3*5)
				bitpack.Pack(code, digits, w)
				want := make([]float32, d)
				sumRowsPortable(want, W, stride, K*stride, K, digits)
				dst, check := guarded(t, d, D%16)
				if bad := SumPacked(dst, W, stride, K, code, w, D); bad != -1 {
					t.Fatalf("w=%d D=%d: returns %d", w, D, bad)
				}
				check()
				equalBits(t, dst, want)
			}
		}
	})
}

func TestSumRowsBadDigit(t *testing.T) {
	for _, s := range rowSums {
		t.Run(s.name, func(t *testing.T) {
			atLevels(t, func(t *testing.T) {
				const D = 9
				for _, d := range []int{0, 1, 16, 100, 112, 500} {
					for _, K := range []int{1, 5, 32} {
						for j := range D {
							stride := Stride(d)
							W := AlignedFloats(s.groups(D) * K * stride)
							digits := make([]uint16, D)
							digits[j] = uint16(K)
							digits[D-1] = 65535
							dst, check := guarded(t, d, 3)
							if got := s.sum(dst, W, stride, K, digits); got != j {
								t.Fatalf("d=%d K=%d: returns %d, want %d", d, K, got, j)
							}
							check()
						}
					}
				}
			})
		})
	}
}

// TestAllocatesNothing holds that arguments on the stack stay there.
func TestAllocatesNothing(t *testing.T) {
	W := AlignedFloats(2 * 2 * 512)
	atLevels(t, func(t *testing.T) {
		n := testing.AllocsPerRun(100, func() {
			var dst [500]float32
			var x [100]float32
			digits := [2]uint16{1, 0}
			SumRows(dst[:100], W, 112, 2, digits[:])
			SumCodes(dst[:200], W, 112, 1, []uint16{0, 0, 0, 0}, 2)
			SumCodesShared(dst[:], W, 512, 2, digits[:], 2)
			PrefetchRows(make([]byte, 20), 20, []int{0})
			var code [20]byte
			SumPacked(dst[:100], W, 112, 2, code[:2], 5, 2)
			SumPackedShared(dst[:], W, 512, 2, code[:], 10, 10)
			Add(dst[:100], x[:])
			Axpy(dst[:100], 2, x[:])
			MatVec(x[:5], dst[:500], x[:])
			x[0] = Dot(x[:], dst[:100]) + SquaredDistance(x[:], dst[:100])
			var codes [40 * 4]uint8
			Scan(dst[:40], x[:16], 4, codes[:], 4)
		})
		if n != 0 {
			t.Errorf("%v allocations", n)
		}
	})
}

func FuzzSumRows(f *testing.F) {
	f.Add(uint16(100), uint8(12), uint16(32), uint8(0), []byte("\x01\x00\x1f\x00\x20\x00"))
	f.Add(uint16(384), uint8(0), uint16(4), uint8(3), []byte("\x01\x00\x03\x00"))
	f.Add(uint16(1), uint8(0), uint16(1), uint8(15), []byte("\x00\x00\x00\x00"))
	f.Add(uint16(0), uint8(7), uint16(2), uint8(1), []byte("\xff\xff"))
	f.Fuzz(func(t *testing.T, d uint16, gap uint8, K uint16, offset uint8, code []byte) {
		d, K, offset = d%2048, K%64+1, offset%16
		digits := make([]uint16, min(len(code)/2, 64))
		for j := range digits {
			digits[j] = uint16(code[2*j]) | uint16(code[2*j+1])<<8
		}
		stride := int(d) + int(gap)
		for _, s := range rowSums {
			W := misaligned(random(uint64(d)), s.groups(len(digits))*int(K)*stride, int(offset))
			step := int(K) * stride
			if s.shared {
				step = 0
			}
			want := make([]float32, d)
			wantBad := sumRowsPortable(want, W, stride, step, int(K), digits)
			for _, l := range levels() {
				setLevel(t, l)
				dst, check := guarded(t, int(d), int(offset))
				bad := s.sum(dst, W, stride, int(K), digits)
				if bad != wantBad {
					t.Fatalf("%s at %v: returns %d, want %d", s.name, l, bad, wantBad)
				}
				if bad < 0 {
					equalBits(t, dst, want)
				}
				check()
			}
		}
	})
}

func BenchmarkSumRows(b *testing.B) {
	const K, D, rows = 32, 32, 4096
	for _, d := range []int{16, 50, 100, 200, 300, 768} {
		stride := Stride(d)
		W := misaligned(random(1), D*K*stride, 0)
		digits := randomDigits(random(2), rows*D, K)
		dst := make([]float32, d)
		for _, l := range levels() {
			b.Run(fmt.Sprintf("d=%d/%v", d, l), func(b *testing.B) {
				setLevel(b, l)
				b.SetBytes(int64(4 * D * d))
				for i := 0; b.Loop(); i++ {
					at := i % rows * D
					SumRows(dst, W, stride, K, digits[at:at+D])
				}
			})
		}
	}
}

// BenchmarkLookup is what a lookup does: from a packed code to its vector.
func BenchmarkLookup(b *testing.B) {
	const K, D, w, rows = 32, 32, 5, 4096
	size := bitpack.RowBytes(D, w)
	codes := make([]byte, rows*size)
	for i := range rows {
		bitpack.Pack(codes[i*size:], randomDigits(random(uint64(i)), D, K), w)
	}
	for _, d := range []int{100, 300} {
		stride := Stride(d)
		W := misaligned(random(1), D*K*stride, 0)
		dst := make([]float32, d)
		for _, l := range levels() {
			b.Run(fmt.Sprintf("d=%d/SumPacked/%v", d, l), func(b *testing.B) {
				setLevel(b, l)
				b.SetBytes(int64(4 * D * d))
				for i := 0; b.Loop(); i++ {
					at := i % rows * size
					SumPacked(dst, W, stride, K, codes[at:at+size], w, D)
				}
			})
			b.Run(fmt.Sprintf("d=%d/Unpack+SumRows/%v", d, l), func(b *testing.B) {
				setLevel(b, l)
				b.SetBytes(int64(4 * D * d))
				var digits [D]uint16
				for i := 0; b.Loop(); i++ {
					at := i % rows * size
					bitpack.Unpack(digits[:], codes[at:at+size], w)
					SumRows(dst, W, stride, K, digits[:])
				}
			})
		}
	}
}
