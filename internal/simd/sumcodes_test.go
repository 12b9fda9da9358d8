package simd

import (
	"fmt"
	"testing"
)

// codesSum is a case of SumCodes or SumCodesShared.
type codesSum struct {
	name   string
	sum    func(dst, W []float32, stride, K int, digits []uint16, D int) int
	shared bool
}

var codesSums = []codesSum{{"SumCodes", SumCodes, false}, {"SumCodesShared", SumCodesShared, true}}

// check compares the sums of digits with those of one code after the other, to
// the bit, or the place of the first bad digit.
func (s codesSum) check(t *testing.T, W []float32, d, stride, K int, digits []uint16, D int) {
	t.Helper()
	n := len(digits) / D
	want, wantBad := make([]float32, n*d), -1
	step := K * stride
	if s.shared {
		step = 0
	}
	for i := 0; i < n && wantBad < 0; i++ {
		if j := sumRowsPortable(want[i*d:][:d], W, stride, step, K, digits[i*D:][:D]); j >= 0 {
			wantBad = i*D + j
		}
	}
	dst, guards := guarded(t, n*d, n%16)
	if bad := s.sum(dst, W, stride, K, digits, D); bad != wantBad {
		t.Fatalf("d=%d K=%d D=%d, %d codes: returns %d, want %d", d, K, D, n, bad, wantBad)
	}
	guards()
	if wantBad < 0 {
		equalBits(t, dst, want)
	}
}

func TestSumCodes(t *testing.T) {
	for _, s := range codesSums {
		t.Run(s.name, func(t *testing.T) {
			atLevels(t, func(t *testing.T) {
				r := random(11)
				check := func(n, d, stride, K, D int) {
					t.Helper()
					W := misaligned(r, D*K*stride, n%16)
					s.check(t, W, d, stride, K, randomDigits(r, n*D, K), D)
				}
				for n := range 41 {
					check(n, 100, 112, 32, 32)
					check(n, 37, 37, 3, 5)
					check(n, 0, 16, 3, 5)
				}
				for d := 1; d <= 400; d++ {
					check(3, d, Stride(d), 3, 4)
					check(2, d, d+1, 2, 3)
				}
				for _, d := range []int{768, 769, 1024, 2000} {
					check(3, d, d, 4, 5)
				}
				for _, D := range []int{1, 2, 7, 8, 9, 31, 33, 63, 64, 65, 100, 1023, 1024} {
					check(5, 20, 32, 7, D)
				}
				check(3, 20, 20, 65536, 2)
			})
		})
	}
}

func TestSumCodesBadDigit(t *testing.T) {
	const n, K, D = 7, 5, 9
	for _, s := range codesSums {
		t.Run(s.name, func(t *testing.T) {
			atLevels(t, func(t *testing.T) {
				for _, d := range []int{0, 1, 16, 100, 112, 500} {
					W := AlignedFloats(D * K * Stride(d))
					for at := range n * D {
						digits := make([]uint16, n*D)
						digits[n*D-1], digits[at] = 65535, K
						s.check(t, W, d, Stride(d), K, digits, D)
					}
				}
			})
		})
	}
}

func FuzzSumCodes(f *testing.F) {
	f.Add(uint16(100), uint8(12), uint16(32), uint8(2), []byte("\x01\x00\x1f\x00\x20\x00\x01\x02"))
	f.Add(uint16(384), uint8(0), uint16(4), uint8(1), []byte("\x01\x00\x03\x00"))
	f.Add(uint16(0), uint8(7), uint16(2), uint8(3), []byte("\xff\xff"))
	f.Fuzz(func(t *testing.T, d uint16, gap uint8, K uint16, D uint8, code []byte) {
		d, K, D = d%1024, K%64+1, D%64+1
		digits := make([]uint16, min(len(code)/int(D), 64)*int(D))
		for j := range digits {
			digits[j] = uint16(code[j]) % (K + 1)
		}
		stride := int(d) + int(gap)
		W := misaligned(random(uint64(d)), int(D)*int(K)*stride, 0)
		for _, s := range codesSums {
			for _, l := range levels() {
				setLevel(t, l)
				s.check(t, W, int(d), stride, int(K), digits, int(D))
			}
		}
	})
}

func BenchmarkSumCodes(b *testing.B) {
	const K, D, rows, group = 32, 32, 4096, 32
	for _, d := range []int{50, 100, 300, 768} {
		stride := Stride(d)
		W := misaligned(random(1), D*K*stride, 0)
		digits := randomDigits(random(2), rows*D, K)
		dst := make([]float32, group*d)
		for _, l := range levels() {
			b.Run(fmt.Sprintf("d=%d/%v", d, l), func(b *testing.B) {
				setLevel(b, l)
				b.SetBytes(int64(4 * group * D * d))
				for i := 0; b.Loop(); i += group {
					at := i % rows * D
					SumCodes(dst, W, stride, K, digits[at:at+group*D], D)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/group, "ns/vector")
			})
		}
	}
}
