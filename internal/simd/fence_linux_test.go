package simd

import (
	"syscall"
	"testing"
	"unsafe"
)

// fenced returns two slices of n elements, one that begins where an
// inaccessible page ends and one that ends where another begins: reading outside
// them is a fault. They are valid until the test ends.
func fenced[T any](tb testing.TB, n int) [2][]T {
	tb.Helper()
	page := syscall.Getpagesize()
	size := (n*int(unsafe.Sizeof(*new(T))) + page) / page * page
	all, err := syscall.Mmap(-1, 0, size+2*page, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { syscall.Munmap(all) })
	for _, fence := range [][]byte{all[:page], all[page+size:]} {
		if err := syscall.Mprotect(fence, syscall.PROT_NONE); err != nil {
			tb.Fatal(err)
		}
	}
	inside := unsafe.Slice((*T)(unsafe.Pointer(&all[page])), size/int(unsafe.Sizeof(*new(T))))
	return [2][]T{inside[:n:n], inside[len(inside)-n:]}
}

// TestFences runs the kernels on arguments between inaccessible pages.
func TestFences(t *testing.T) {
	atLevels(t, func(t *testing.T) {
		for _, d := range []int{1, 2, 7, 8, 9, 15, 16, 17, 31, 33, 100, 112, 383, 500} {
			const D, K = 5, 3
			digits := fenced[uint16](t, D)
			for side, W := range fenced[float32](t, D*K*d) {
				digits := digits[side]
				dst := fenced[float32](t, d)[side]
				digits[D-1], digits[0] = K-1, 0
				if SumRows(dst, W, d, K, digits) != -1 {
					t.Fatal("a digit is bad")
				}
				for j, bad := range []uint16{K, 255, 65535} {
					digits[j] = bad
					if got := SumRows(dst, W, d, K, digits); got != j {
						t.Fatalf("returns %d, want %d", got, j)
					}
					digits[j] = 0
				}
				for _, n := range []int{1, 2, 5} {
					digits, dst := fenced[uint16](t, n*D)[side], fenced[float32](t, n*d)[side]
					digits[n*D-1] = K - 1
					if SumCodes(dst, W, d, K, digits, D) != -1 || SumCodesShared(dst, W[:K*d], d, K, digits, D) != -1 {
						t.Fatal("a digit is bad")
					}
					digits[n*D-1] = 65535
					if got := SumCodes(dst, W, d, K, digits, D); got != n*D-1 {
						t.Fatalf("returns %d, want %d", got, n*D-1)
					}
				}
				for _, w := range []int{2, 8, 9, 16} {
					for _, code := range fenced[byte](t, (D*w+7)/8) {
						if SumPacked(dst, W, d, K, code, w, D) != -1 || SumPackedShared(dst, W[:K*d], d, K, code, w, D) != -1 {
							t.Fatal("a digit is bad")
						}
						code[len(code)-1] = 0xff
						if got := SumPacked(dst, W, d, K, code, w, D); got < 0 {
							t.Fatal("no digit is bad")
						}
					}
				}
				x := W[:d]
				if side == 1 {
					x = W[len(W)-d:]
				}
				Add(dst, x)
				Axpy(dst, 2, x)
				Dot(dst, x)
				SquaredDistance(x, dst)
				MatVec(fenced[float32](t, D*K)[side], W, dst)
				MatVecs(fenced[float32](t, 3*D*K)[side], W, fenced[float32](t, 3*d)[side], 3)
			}
		}
		for _, rows := range []int{1, 16, 17, 32, 50} {
			for _, D := range []int{1, 3, 4, 5, 7, 15, 16, 17, 31, 32, 35} {
				for _, K := range []int{1, 7, 16, 20, 32, 40, 64, 100, 256} {
					tables, codes := fenced[float32](t, D*K), fenced[uint8](t, rows*D)
					for side := range tables {
						dst := fenced[float32](t, rows)[side]
						for i := range codes[side] {
							codes[side][i] = uint8(i % K)
						}
						if bad := Scan(dst, tables[side], K, codes[side], D); bad != -1 {
							t.Fatalf("rows=%d D=%d K=%d: returns %d", rows, D, K, bad)
						}
						if K == 256 {
							continue
						}
						codes[side][len(codes[side])-1] = 255
						if bad := Scan(dst, tables[side], K, codes[side], D); bad != rows-1 {
							t.Fatalf("rows=%d D=%d K=%d: returns %d, want %d", rows, D, K, bad, rows-1)
						}
					}
				}
			}
		}
	})
}

// TestElementFences is TestFences for the kernels that go through their
// arguments element by element.
func TestElementFences(t *testing.T) {
	atLevels(t, func(t *testing.T) {
		for _, n := range []int{1, 2, 7, 8, 9, 15, 16, 17, 31, 33, 63, 64, 65, 100, 383} {
			dsts, xs, ys := fenced[float32](t, n), fenced[float32](t, n), fenced[float32](t, n)
			masks, ints := fenced[bool](t, n), fenced[int32](t, n)
			words, longs := fenced[uint32](t, n), fenced[int64](t, n)
			ones := fenced[float32](t, 1)
			for side, dst := range dsts {
				x, y, mask, one := xs[side], ys[side], masks[side], ones[side]
				for op := range mapOps {
					Map(op, dst, x)
				}
				for op := range zipOps {
					Zip(op, dst, x, y)
					Zip(op, dst, one, y)
					Zip(op, dst, x, one)
				}
				Chain(dst, x, []Link{{ZipSub, true, y}, {ZipMax, false, one}, {ZipMul, false, x}})
				for op := range compareOps {
					Compare(op, mask, x, y)
					Compare(op, mask, one, y)
					Compare(op, mask, x, one)
				}
				Select(dst, mask, x, y)
				Select(dst, mask, one, y)
				Select(dst, mask, x, one)
				Select(dst, mask, one, one)
				FromInt32(dst, ints[side])
				FromUint32(dst, words[side])
				FromInt64(dst, longs[side])
				FromBool(dst, mask)
				if got := Sum(x) + Max(x) + Min(x); got != 0 {
					t.Fatalf("of zeros: %v", got)
				}
				x[n-1] = 1
				if got := ArgMax(x); got != n-1 {
					t.Fatalf("ArgMax = %d, want %d", got, n-1)
				}
			}
			for _, columns := range []int{1, 4, 7, 70} {
				src, dst := fenced[float32](t, n*columns), fenced[float32](t, n*columns)
				for side := range src {
					Transpose(dst[side], n, src[side], columns, n, columns)
				}
			}
		}
	})
}
