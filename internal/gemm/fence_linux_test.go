package gemm

import (
	"syscall"
	"testing"
	"unsafe"
)

// fenced returns two slices of n floats, one that begins where an inaccessible
// page ends and one that ends where another begins: reading outside them is a
// fault.
func fenced(tb testing.TB, n int) [2][]float32 {
	tb.Helper()
	page := syscall.Getpagesize()
	size := (n*4 + page) / page * page
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
	inside := unsafe.Slice((*float32)(unsafe.Pointer(&all[page])), size/4)
	return [2][]float32{inside[:n:n], inside[len(inside)-n:]}
}

// TestFences multiplies matrices between inaccessible pages, with scratch memory
// and packed panels that are fenced too.
func TestFences(t *testing.T) {
	atLevels(t, func(t *testing.T) {
		if active == portable {
			t.Skip("Go checks its bounds itself")
		}
		r := random(6)
		for i, s := range edges {
			if m := max(s[0], s[1], s[2]); m > 1000 || min(s[0], s[1], s[2]) == 0 {
				continue
			}
			for layout := range layouts {
				for side := range 2 {
					fence := func(m Matrix) Matrix {
						m.Data = fenced(t, len(m.Data))[side]
						m.fill(r)
						return m
					}
					m, k, n := s[0], s[1], s[2]
					a, b := fence(randomMatrix(r, m, k, layout)), fence(randomMatrix(r, k, n, (layout+i)%layouts))
					dst := fence(randomMatrix(r, m, n, byRows))
					p := newProduct()
					p.left.memory = fenced(t, blocks(m, shape.rows)*shape.step*min(k, maxDepth))[1]
					p.right.memory = fenced(t, min(k, maxDepth)*PackedSize(1, n))[1]
					p.dst, p.a, p.b = dst, a, operand{Matrix: b}
					before := dst.clone()
					p.mul()
					checkProduct(t, "between fences", dst, before, a, b, false)
					MulPacked(dst, a, Pack(fenced(t, PackedSize(k, n))[side], b), false)
					checkProduct(t, "packed between fences", dst, before, a, b, false)
				}
			}
		}
	})
}
