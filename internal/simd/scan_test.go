package simd

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

func randomCodes(r *rand.Rand, n, K int) []uint8 {
	codes := make([]uint8, n)
	for i := range codes {
		codes[i] = uint8(r.IntN(K))
	}
	return codes
}

// TestScan compares with sums of float64, to D·2⁻²⁴ of the sum of magnitudes,
// and with the portable loop, to the bit.
func TestScan(t *testing.T) {
	atLevels(t, func(t *testing.T) {
		r := random(6)
		try := func(rows, D, K int) {
			t.Helper()
			offset := (rows + D + K) % 16
			tables := misaligned(r, D*K, offset)
			codes := randomCodes(r, rows*D, K)
			dst, check := guarded(t, rows, offset)
			if bad := Scan(dst, tables, K, codes, D); bad != -1 {
				t.Fatalf("rows=%d D=%d K=%d: returns %d", rows, D, K, bad)
			}
			check()
			for i := range dst {
				var sum, magnitude float64
				for j := range D {
					x := float64(tables[j*K+int(codes[i*D+j])])
					sum += x
					magnitude += math.Abs(x)
				}
				if math.Abs(float64(dst[i])-sum) > float64(D)*0x1p-24*magnitude {
					t.Fatalf("rows=%d D=%d K=%d: dst[%d] = %v, want %v", rows, D, K, i, dst[i], sum)
				}
			}
			want := make([]float32, rows)
			scanPortable(want, tables, K, codes, D)
			equalBits(t, dst, want)
		}
		for rows := range 201 {
			try(rows, 5, 7)
			try(rows, 32, 32)
		}
		for D := range 70 {
			for _, K := range []int{1, 2, 3, 15, 16, 17, 20, 31, 32, 33, 40, 47, 48, 49, 63, 64, 65, 128, 255, 256} {
				try(33, D, K)
			}
		}
		for K := 1; K <= 256; K++ {
			try(40, 19, K)
		}
		try(1000, 1024, 16)
		try(5000, 32, 32)
	})
}

func TestScanBadDigit(t *testing.T) {
	atLevels(t, func(t *testing.T) {
		for _, K := range []int{1, 4, 16, 17, 32, 33, 64, 100, 255} {
			for _, D := range []int{1, 15, 16, 17, 40} {
				for _, rows := range []int{1, 31, 32, 33, 100} {
					tables := make([]float32, D*K)
					for bad := 0; bad < rows; bad += 7 {
						codes := make([]uint8, rows*D)
						codes[bad*D+bad%D] = uint8(K)
						codes[len(codes)-1] = 255
						if got := Scan(make([]float32, rows), tables, K, codes, D); got != bad {
							t.Fatalf("K=%d D=%d rows=%d: returns %d, want %d", K, D, rows, got, bad)
						}
					}
				}
			}
		}
	})
}

func FuzzScan(f *testing.F) {
	f.Add([]byte("a row of codes, and another one!"), uint8(8), uint8(128))
	f.Add(make([]byte, 33*17), uint8(17), uint8(31))
	f.Add(make([]byte, 64*32), uint8(32), uint8(32))
	f.Add(make([]byte, 100*5), uint8(5), uint8(0))
	f.Fuzz(func(t *testing.T, codes []byte, length, ways uint8) {
		D, K := int(length)%80+1, int(ways)+1
		rows := len(codes) / D
		codes = codes[: rows*D : rows*D]
		tables := misaligned(random(7), D*K, int(ways)%16)
		want := make([]float32, rows)
		wantBad := scanPortable(want, tables, K, codes, D)
		for _, l := range levels() {
			setLevel(t, l)
			dst, check := guarded(t, rows, int(length)%16)
			if bad := Scan(dst, tables, K, codes, D); bad != wantBad {
				t.Fatalf("at %v: returns %d, want %d", l, bad, wantBad)
			}
			check()
			if wantBad < 0 {
				equalBits(t, dst, want)
			}
		}
	})
}

func BenchmarkScan(b *testing.B) {
	const rows = 1024
	for _, c := range []struct{ K, D int }{{16, 32}, {32, 32}, {64, 32}, {256, 32}, {32, 20}, {20, 32}, {256, 8}} {
		tables := misaligned(random(1), c.D*c.K, 0)
		codes := randomCodes(random(2), rows*c.D, c.K)
		dst := make([]float32, rows)
		for _, l := range levels() {
			b.Run(fmt.Sprintf("K=%d,D=%d/%v", c.K, c.D, l), func(b *testing.B) {
				setLevel(b, l)
				b.SetBytes(int64(len(codes)))
				for b.Loop() {
					Scan(dst, tables, c.K, codes, c.D)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/rows, "ns/row")
			})
		}
	}
}
