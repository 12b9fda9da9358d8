package simd

import (
	"fmt"
	"testing"
)

func TestTranspose(t *testing.T) {
	atLevels(t, func(t *testing.T) {
		r := random(18)
		for _, rows := range []int{0, 1, 3, 7, 8, 9, 15, 16, 17, 32, 33, 50} {
			for _, columns := range []int{0, 1, 2, 3, 4, 5, 8, 15, 16, 17, 63, 64, 65, 131} {
				for _, more := range []int{0, 3} {
					srcStride, dstStride := columns+more, rows+2*more
					src := misaligned(r, rows*srcStride, rows%16)
					dst, check := guarded(t, max(0, (columns-1)*dstStride+rows), columns%16)
					before := append([]float32(nil), dst...)
					Transpose(dst, dstStride, src, srcStride, rows, columns)
					check()
					for i, got := range dst {
						c, r := i/max(dstStride, 1), i%max(dstStride, 1)
						if r < rows && c < columns {
							before[i] = src[r*srcStride+c]
						}
						equalBits(t, []float32{got}, before[i:i+1])
					}
				}
			}
		}
	})
}

func BenchmarkTranspose(b *testing.B) {
	for _, shape := range [][2]int{{64, 64}, {200, 800}, {2000, 2500}} {
		rows, columns := shape[0], shape[1]
		src, dst := misaligned(random(1), rows*columns, 0), AlignedFloats(rows*columns)
		for _, l := range levels() {
			b.Run(fmt.Sprintf("%d×%d/%v", rows, columns, l), func(b *testing.B) {
				setLevel(b, l)
				b.SetBytes(int64(8 * rows * columns))
				for b.Loop() {
					Transpose(dst, rows, src, columns, rows, columns)
				}
			})
		}
		b.Run(fmt.Sprintf("%d×%d/copy", rows, columns), func(b *testing.B) {
			b.SetBytes(int64(8 * rows * columns))
			for b.Loop() {
				copy(dst, src)
			}
		})
	}
}
