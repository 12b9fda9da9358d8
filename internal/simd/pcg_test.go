package simd

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"testing"
)

// TestPCG compares with math/rand/v2, which GoMLX's Go backend takes.
func TestPCG(t *testing.T) {
	for _, seed := range []PCG{{}, {1, 2}, {^uint64(0), 1 << 63}, {0x123456789abcdef0, 42}} {
		for _, n := range []int{0, 1, 7, 8, 9, 63, 64, 65, 1000, 4099} {
			reference := rand.NewPCG(seed.High, seed.Low)
			var want []byte
			for len(want) < n {
				want = binary.LittleEndian.AppendUint64(want, reference.Uint64())
			}
			p, got := seed, make([]byte, n)
			p.Fill(got)
			if !bytes.Equal(got, want[:n]) {
				t.Fatalf("seed %v: %d bytes are not those of math/rand/v2", seed, n)
			}
			state, _ := reference.MarshalBinary()
			if high, low := binary.BigEndian.Uint64(state[4:]), binary.BigEndian.Uint64(state[12:]); p != (PCG{high, low}) {
				t.Fatalf("seed %v: the state after %d bytes is %v, want %v", seed, n, p, PCG{high, low})
			}
			skipped := seed
			if skipped.Skip(uint64(n+7) / 8); skipped != p {
				t.Fatalf("seed %v: skipping %d bytes leads to %v, want %v", seed, n, skipped, p)
			}
		}
	}
}

func BenchmarkPCG(b *testing.B) {
	dst, p := make([]byte, 8192), PCG{1, 2}
	b.SetBytes(int64(len(dst)))
	for b.Loop() {
		p.Fill(dst)
	}
}
