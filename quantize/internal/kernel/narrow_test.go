package kernel

import "testing"

func TestNarrow(t *testing.T) {
	atLevels(t, func(t *testing.T) {
		r := random(1)
		for n := 0; n < 100; n += 16 {
			src := uniform(r, n)
			for i := range src {
				switch r.IntN(4) {
				case 0:
					src[i] *= 1e10
				case 1:
					src[i] = float32(r.IntN(20)) / 2
				}
			}
			got, want := make([]int16, n+32), make([]int16, n)
			got[n] = 77
			Narrow(got[:n], src, 1000)
			narrowPortable(want, src, 1000)
			for i := range want {
				if got[i] != want[i] {
					t.Fatalf("%v·1000 became %d, want %d", src[i], got[i], want[i])
				}
			}
			if got[n] != 77 {
				t.Fatal("Narrow wrote past dst")
			}
		}
	})
}
