package kernel

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"
)

// problem makes up codes of D digits of K values: g as Step wants it, and
// scores and a code for each walk. Large entries make scores saturate.
type problem struct {
	K, D, lanes int
	g           []int16
	scores      [][]int16
	codes       [][]uint16
}

func newProblem(r *rand.Rand, K, D, walks int, size float64) problem {
	p := problem{K: K, D: D, lanes: (D + Lanes - 1) / Lanes * Lanes}
	p.g = Table(D * K * K * p.lanes)
	for j := range D {
		for k := range K {
			for to := range K {
				row := p.g[((j*K+k)*K+to)*p.lanes:]
				for j2 := range D {
					if j2 != j {
						row[j2] = int16(r.NormFloat64() * size)
					}
				}
			}
		}
	}
	for range walks {
		s, c := make([]int16, K*p.lanes), make([]uint16, D)
		for i := range s {
			s[i] = int16(r.NormFloat64() * size)
		}
		for j := range c {
			c[j] = uint16(r.IntN(K))
		}
		p.scores, p.codes = append(p.scores, s), append(p.codes, c)
	}
	return p
}

func (p problem) start() []Walk {
	walks := NewWalks(len(p.codes), p.K, p.lanes)
	for i := range walks {
		copy(walks[i].Scores(p.K, p.lanes), p.scores[i])
		walks[i].Start(p.codes[i], p.lanes, uint32(i*77+1))
	}
	return walks
}

// TestStep compares walks with the portable ones, to the bit.
func TestStep(t *testing.T) {
	atLevels(t, func(t *testing.T) {
		r := random(1)
		for _, shape := range [][2]int{{2, 1}, {2, 2}, {3, 4}, {32, 32}, {16, 33}, {5, 100}, {33, 7}, {100, 3}, {64, 8}, {31, 31}} {
			for _, size := range []float64{1, 100, 5000} {
				p := newProblem(r, shape[0], shape[1], 3, size)
				pace := Pace{Steps: 60, Rest: 2, Spread: 3}
				got, want := p.start(), p.start()
				Step(got, p.g, p.K, p.lanes, pace)
				stepPortable(want, p.g, p.K, p.lanes, pace)
				for i := range got {
					sameWalk(t, fmt.Sprintf("K %d, D %d, size %v, walk %d", p.K, p.D, size, i), &got[i], &want[i], p)
				}
			}
		}
	})
}

func sameWalk(t *testing.T, name string, got, want *Walk, p problem) {
	t.Helper()
	a, b := make([]uint16, p.D), make([]uint16, p.D)
	gain, wantGain := got.Best(a), want.Best(b)
	if !slices.Equal(a, b) || gain != wantGain {
		t.Fatalf("%s: best %v with gain %d, want %v with %d", name, a, gain, b, wantGain)
	}
	if got.digit != want.digit || got.value != want.value || got.cost != want.cost || got.random != want.random {
		t.Fatalf("%s: %+v, want %+v", name, got, want)
	}
	if !slices.Equal(got.Scores(p.K, p.lanes), want.Scores(p.K, p.lanes)) {
		t.Fatalf("%s: the scores differ", name)
	}
}

// TestWalkCosts compares the cost that a walk adds up with the energy of its
// code: Σ_j s[c_j, j] + Σ_{i<j} g[i, c_i, c_j, j], for a symmetric g.
func TestWalkCosts(t *testing.T) {
	const K, D, lanes = 4, 6, Lanes
	r := random(2)
	unary, g := make([]int16, K*lanes), make([]int16, D*K*K*lanes)
	at := func(i, k, j, l int) int { return ((i*K+k)*K+l)*lanes + j }
	for e := range unary {
		unary[e] = int16(r.IntN(200))
	}
	for i := range D {
		for j := range i {
			for k := range K {
				for l := range K {
					x := int16(r.IntN(200) - 100)
					g[at(i, k, j, l)], g[at(j, l, i, k)] = x, x
				}
			}
		}
	}
	energy := func(code []uint16) int {
		e := 0
		for j, c := range code {
			e += int(unary[int(c)*lanes+j])
			for i := range j {
				e += int(g[at(i, int(code[i]), j, int(c))])
			}
		}
		return e
	}
	best := 1 << 30
	var code [D]uint16
	for n := range 1 << (2 * D) {
		for j := range code {
			code[j] = uint16(n >> (2 * j) & 3)
		}
		best = min(best, energy(code[:]))
	}
	first := []uint16{0, 1, 2, 3, 0, 1}
	w := NewWalks(1, K, lanes)
	s := w[0].Scores(K, lanes)
	copy(s, unary)
	for j, c := range first {
		for e := range s {
			s[e] += g[at(j, int(c), 0, 0)+e]
		}
	}
	w[0].Start(first, lanes, 9)
	Step(w, g, K, lanes, Pace{Steps: 2000, Rest: 1, Spread: 2})
	gain := w[0].Best(code[:])
	if energy(first)-energy(code[:]) != gain {
		t.Errorf("the walk says it gained %d; it went from %d to %d", gain, energy(first), energy(code[:]))
	}
	if energy(code[:]) != best {
		t.Errorf("the walk found %d in 2,000 steps, the best of 4,096 codes is %d", energy(code[:]), best)
	}
}

// TestWalkLayout asserts the offsets that the assembly uses.
func TestWalkLayout(t *testing.T) {
	var w Walk
	got := []uintptr{
		unsafe.Offsetof(w.scores), unsafe.Offsetof(w.code), unsafe.Offsetof(w.tabu), unsafe.Offsetof(w.best),
		unsafe.Offsetof(w.low), unsafe.Offsetof(w.rise), unsafe.Offsetof(w.cost), unsafe.Offsetof(w.bestCost),
		unsafe.Offsetof(w.random), unsafe.Offsetof(w.digit), unsafe.Offsetof(w.value), unsafe.Sizeof(w),
	}
	if unsafe.Sizeof(uintptr(0)) == 8 && !slices.Equal(got, []uintptr{0, 8, 16, 24, 32, 40, 48, 52, 56, 60, 64, 72}) {
		t.Errorf("offsets are %v", got)
	}
}

func BenchmarkStep(b *testing.B) {
	for _, l := range levels() {
		for _, shape := range [][2]int{{32, 32}, {16, 32}, {256, 8}} {
			for _, walks := range []int{1, 2, 4} {
				b.Run(fmt.Sprintf("level=%s/K=%d/D=%d/walks=%d", l, shape[0], shape[1], walks), func(b *testing.B) {
					setLevel(b, l)
					p := newProblem(random(4), shape[0], shape[1], walks, 100)
					w := p.start()
					pace := Pace{Steps: 199, Rest: 3, Spread: 3}
					for b.Loop() {
						for i := range w {
							copy(w[i].Scores(p.K, p.lanes), p.scores[i])
							w[i].Start(p.codes[i], p.lanes, uint32(i+1))
						}
						Step(w, p.g, p.K, p.lanes, pace)
					}
					b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*walks*200), "ns/step")
				})
			}
		}
	}
}
