package simd

import (
	"fmt"
	"testing"
)

func TestRows(t *testing.T) {
	atLevels(t, func(t *testing.T) {
		r := random(19)
		for _, d := range []int{0, 1, 3, 16, 17, 50, 200} {
			const n = 40
			table := misaligned(r, n*d, d%16)
			var rows32 []int32
			var rows64 []int64
			for range 30 {
				row := r.IntN(n)
				rows32, rows64 = append(rows32, int32(row)), append(rows64, int64(row))
			}
			want := make([]float32, 0, 30*d)
			added := append([]float32(nil), table...)
			for _, row := range rows64 {
				want = append(want, table[int(row)*d:][:d]...)
			}
			got, check := guarded(t, 30*d, 3)
			GatherRows(got, table, d, rows32)
			check()
			equalBits(t, got, want)
			clear(got)
			GatherRows(got, table, d, rows64)
			check()
			equalBits(t, got, want)

			for i, row := range rows64 {
				addPortable(added[int(row)*d:][:d], want[i*d:][:d])
			}
			ScatterAddRows(table, d, rows64, want)
			equalBits(t, table, added)
			clear(want)
			ScatterAddRows(table, d, rows32, want)
			equalBits(t, table, added)
		}
	})
}

func BenchmarkRows(b *testing.B) {
	const n, count = 50_000, 700
	for _, d := range []int{32, 200, 650} {
		table, rows := misaligned(random(1), n*d, 0), make([]int32, count)
		r := random(2)
		for i := range rows {
			rows[i] = int32(r.IntN(n))
		}
		dst := make([]float32, count*d)
		for _, k := range []struct {
			name string
			run  func()
		}{
			{"GatherRows", func() { GatherRows(dst, table, d, rows) }},
			{"ScatterAddRows", func() { ScatterAddRows(table, d, rows, dst) }},
		} {
			for _, l := range levels() {
				b.Run(fmt.Sprintf("%s/d=%d/%v", k.name, d, l), func(b *testing.B) {
					setLevel(b, l)
					b.SetBytes(int64(8 * count * d))
					for b.Loop() {
						k.run()
					}
				})
			}
		}
	}
}
