package additive

// random is SplitMix64: a stream of numbers for any seed.
type random uint64

// randomOf returns the stream of a place in the work, such as (seed, round,
// row), so that no stream depends on who works when.
func randomOf(place ...uint64) random {
	var r random
	for _, p := range place {
		r = random(r.next() ^ p)
	}
	return random(r.next())
}

func (r *random) next() uint64 {
	*r += 0x9e3779b97f4a7c15
	z := uint64(*r)
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// below returns one of 0…n-1.
func (r *random) below(n int) int { return int((r.next() >> 32) * uint64(n) >> 32) }

// unit returns a number from 0 to 1.
func (r *random) unit() float64 { return float64(r.next()>>11) * 0x1p-53 }
