package bitpack

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestWidth(t *testing.T) {
	for _, c := range []struct{ K, w int }{
		{2, 1}, {3, 2}, {4, 2}, {5, 3}, {6, 3}, {8, 3}, {9, 4}, {16, 4}, {17, 5}, {32, 5}, {33, 6}, {100, 7},
		{128, 7}, {129, 8}, {256, 8}, {257, 9}, {1000, 10}, {32768, 15}, {32769, 16}, {65536, 16},
	} {
		if got := Width(c.K); got != c.w {
			t.Errorf("Width(%d) = %d, want %d", c.K, got, c.w)
		}
	}
}

func TestRowBytes(t *testing.T) {
	for _, c := range []struct{ D, w, want int }{
		{0, 5, 0}, {1, 1, 1}, {8, 1, 1}, {9, 1, 2}, {32, 5, 20}, {8, 3, 3}, {7, 3, 3}, {1024, 16, 2048}, {1, 16, 2}, {3, 9, 4},
	} {
		if got := RowBytes(c.D, c.w); got != c.want {
			t.Errorf("RowBytes(%d, %d) = %d, want %d", c.D, c.w, got, c.want)
		}
	}
}

// TestLayout holds the layout of the file format to the byte.
func TestLayout(t *testing.T) {
	for _, c := range []struct {
		digits []uint16
		w      int
		want   []byte
	}{
		{[]uint16{1, 0, 1, 1}, 1, []byte{0b1101}},
		{[]uint16{1, 2, 3}, 5, []byte{0b010_00001, 0b0_00011_00}},
		{[]uint16{0x12, 0x34}, 8, []byte{0x12, 0x34}},
		{[]uint16{0x1ff, 0, 0x101}, 9, []byte{0xff, 0x01, 0b000001_00, 0b100}},
		{[]uint16{0x1234, 0xfedc}, 16, []byte{0x34, 0x12, 0xdc, 0xfe}},
	} {
		got := bytes.Repeat([]byte{0xaa}, len(c.want))
		Pack(got, c.digits, c.w)
		if !bytes.Equal(got, c.want) {
			t.Errorf("Pack(%v, %d) = %08b, want %08b", c.digits, c.w, got, c.want)
		}
	}
}

// reference reads digit j bit by bit.
func reference(src []byte, j, w int) (digit uint16) {
	for b := range w {
		i := j*w + b
		digit |= uint16(src[i/8]>>(i%8)&1) << b
	}
	return digit
}

// checkUnpack unpacks D digits from src and compares them with the reference,
// and the words around dst with what they were.
func checkUnpack(t *testing.T, src []byte, D, w int) {
	t.Helper()
	const guard = 0xdead
	all := slices.Repeat([]uint16{guard}, D+64)
	dst := all[16 : 16+D : 16+D]
	Unpack(dst, src, w)
	for j, got := range dst {
		if want := reference(src, j, w); got != want {
			t.Fatalf("D=%d w=%d of %d bytes: digit %d is %d, want %d", D, w, len(src), j, got, want)
		}
	}
	for i, x := range all {
		if (i < 16 || i >= 16+D) && x != guard {
			t.Fatalf("D=%d w=%d of %d bytes: dst[%d] was written", D, w, len(src), i-16)
		}
	}
}

func TestUnpack(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	atLevels(t, func(t *testing.T) {
		lengths := []int{127, 128, 255, 256, 257, 1000, 1023, 1024}
		for D := range 70 {
			lengths = append(lengths, D)
		}
		for w := 1; w <= MaxWidth; w++ {
			for _, D := range lengths {
				for _, extra := range []int{0, 1, 5, 7, 8, 9, 64} {
					src := make([]byte, RowBytes(D, w)+extra)
					for i := range src {
						src[i] = byte(r.Uint32())
					}
					checkUnpack(t, src, D, w)
				}
			}
		}
	})
}

// checkUnpackRows unpacks rows of src and compares them with the reference, and
// the words around dst with what they were.
func checkUnpackRows(t *testing.T, src []byte, D, w int, rows []int) {
	t.Helper()
	const guard = 0xdead
	all := slices.Repeat([]uint16{guard}, D*len(rows)+64)
	UnpackRows(all[16:16+D*len(rows)], src, w, D, rows)
	for i, r := range rows {
		row := src[r*RowBytes(D, w):]
		for j := range D {
			if got, want := all[16+i*D+j], reference(row, j, w); got != want {
				t.Fatalf("D=%d w=%d: digit %d of row %d is %d, want %d", D, w, j, r, got, want)
			}
		}
	}
	for i, x := range all {
		if (i < 16 || i >= 16+D*len(rows)) && x != guard {
			t.Fatalf("D=%d w=%d of %d rows: dst[%d] was written", D, w, len(rows), i-16)
		}
	}
}

func TestUnpackRows(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	atLevels(t, func(t *testing.T) {
		const N = 9
		check := func(D, w, n int) {
			src := make([]byte, N*RowBytes(D, w)+n%3)
			for i := range src {
				src[i] = byte(r.Uint32())
			}
			rows := make([]int, n)
			for i := range rows {
				rows[i] = r.IntN(N)
			}
			checkUnpackRows(t, src, D, w, rows)
		}
		for w := 1; w <= MaxWidth; w++ {
			for D := 1; D <= 70; D++ {
				check(D, w, 1+D%5)
			}
			for _, D := range []int{127, 128, 129, 1000, 1023, 1024} {
				check(D, w, 3)
			}
			for n := range 41 {
				check(32, w, n)
				check(3, w, n)
			}
		}
	})
}

func TestRoundTrip(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	atLevels(t, func(t *testing.T) {
		for _, K := range []int{2, 3, 10, 16, 17, 32, 100, 256, 257, 1000, 4096, 65535, 65536} {
			w := Width(K)
			for D := 1; D <= 67; D++ {
				digits := make([]uint16, D)
				for j := range digits {
					digits[j] = uint16(r.IntN(K))
				}
				row := bytes.Repeat([]byte{0xff}, RowBytes(D, w)+1)
				Pack(row, digits, w)
				if row[len(row)-1] != 0xff {
					t.Fatalf("K=%d D=%d: Pack wrote past the row", K, D)
				}
				if pad := len(row[:len(row)-1])*8 - D*w; pad > 0 && row[len(row)-2]>>(8-pad) != 0 {
					t.Fatalf("K=%d D=%d: padding is not zero", K, D)
				}
				got := make([]uint16, D)
				Unpack(got, row[:len(row)-1], w)
				if !slices.Equal(got, digits) {
					t.Fatalf("K=%d D=%d: %v, want %v", K, D, got, digits)
				}
			}
		}
	})
}

func TestPackDropsHighBits(t *testing.T) {
	var row [3]byte
	Pack(row[:], []uint16{0xffff, 0, 0xffe1}, 5)
	if want := [3]byte{0x1f, 0x04, 0}; row != want {
		t.Errorf("%08b, want %08b", row, want)
	}
}

func TestPanics(t *testing.T) {
	for name, call := range map[string]func(){
		"Pack: dst too short":   func() { Pack(make([]byte, 19), make([]uint16, 32), 5) },
		"Pack: width 0":         func() { Pack(make([]byte, 20), make([]uint16, 3), 0) },
		"Unpack: src too short": func() { Unpack(make([]uint16, 32), make([]byte, 19), 5) },
		"Unpack: width 17":      func() { Unpack(make([]uint16, 3), make([]byte, 20), 17) },
		"UnpackRows: no row 2":  func() { UnpackRows(make([]uint16, 64), make([]byte, 59), 5, 32, []int{0, 2}) },
		"UnpackRows: no row -1": func() { UnpackRows(make([]uint16, 32), make([]byte, 60), 5, 32, []int{-1}) },
		"UnpackRows: short dst": func() { UnpackRows(make([]uint16, 63), make([]byte, 60), 5, 32, []int{0, 1}) },
		"UnpackRows: width 17":  func() { UnpackRows(make([]uint16, 3), make([]byte, 20), 17, 3, []int{0}) },
		"UnpackRows: no digits": func() { UnpackRows(nil, make([]byte, 20), 5, 0, []int{0}) },
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("no panic")
				}
			}()
			call()
		})
	}
}

// TestAllocatesNothing holds that arguments on the stack stay there.
func TestAllocatesNothing(t *testing.T) {
	atLevels(t, func(t *testing.T) {
		n := testing.AllocsPerRun(100, func() {
			var digits [32]uint16
			var row [40]byte
			for _, w := range []int{5, 10} {
				Pack(row[:], digits[:], w)
				Unpack(digits[:], row[:], w)
				Unpack(digits[:3], row[:4], w)
				UnpackRows(digits[:], row[:], w, 16, []int{1, 0})
			}
		})
		if n != 0 {
			t.Errorf("%v allocations", n)
		}
	})
}

func FuzzUnpack(f *testing.F) {
	f.Add([]byte("twenty bytes of a row"), uint16(32), uint8(5))
	f.Add([]byte("short"), uint16(8), uint8(5))
	f.Add([]byte("fifteen bits each"), uint16(9), uint8(15))
	f.Add([]byte("\xff\xff\xff\xff\xff\xff\xff\xff\xff"), uint16(4), uint8(16))
	f.Fuzz(func(t *testing.T, src []byte, D uint16, w uint8) {
		w = w%MaxWidth + 1
		D = min(D, uint16(min(len(src)*8/int(w), 1024)))
		for _, level := range levels() {
			setLevel(t, level)
			checkUnpack(t, src, int(D), int(w))
			if D > 0 {
				checkUnpackRows(t, src, int(D), int(w), []int{len(src)/RowBytes(int(D), int(w)) - 1, 0})
			}
		}
	})
}

func BenchmarkUnpack(b *testing.B) {
	for _, c := range []struct{ D, w int }{{8, 4}, {16, 3}, {32, 5}, {32, 8}, {64, 4}, {33, 5}, {32, 10}, {64, 16}} {
		src := make([]byte, 4096)
		dst := make([]uint16, c.D)
		row := RowBytes(c.D, c.w)
		for _, level := range levels() {
			b.Run(fmt.Sprintf("D=%d,w=%d/%s", c.D, c.w, level), func(b *testing.B) {
				setLevel(b, level)
				b.SetBytes(int64(row))
				for b.Loop() {
					Unpack(dst, src[:row], c.w)
				}
			})
		}
	}
}

func BenchmarkUnpackRows(b *testing.B) {
	const N, n = 4096, 32
	rows := make([]int, n)
	for i := range rows {
		rows[i] = i * 997 % N
	}
	for _, c := range []struct{ D, w int }{{16, 3}, {32, 5}, {33, 5}, {32, 10}} {
		src := make([]byte, N*RowBytes(c.D, c.w))
		dst := make([]uint16, n*c.D)
		for _, level := range levels() {
			b.Run(fmt.Sprintf("D=%d,w=%d/%s", c.D, c.w, level), func(b *testing.B) {
				setLevel(b, level)
				b.SetBytes(int64(n * RowBytes(c.D, c.w)))
				for b.Loop() {
					UnpackRows(dst, src, c.w, c.D, rows)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/row")
			})
		}
	}
}

func BenchmarkPack(b *testing.B) {
	for _, c := range []struct{ D, w int }{{32, 5}, {32, 8}, {32, 10}} {
		b.Run(fmt.Sprintf("D=%d,w=%d", c.D, c.w), func(b *testing.B) {
			digits := make([]uint16, c.D)
			dst := make([]byte, RowBytes(c.D, c.w))
			b.SetBytes(int64(len(dst)))
			for b.Loop() {
				Pack(dst, digits, c.w)
			}
		})
	}
}

// atLevels runs a test in portable Go, and in assembly where there is one.
func atLevels(t *testing.T, test func(t *testing.T)) {
	for _, level := range levels() {
		t.Run(level, func(t *testing.T) {
			setLevel(t, level)
			test(t)
		})
	}
}
