package kernel

import "unsafe"

// Lanes is the number of digits that a vector of scores holds; the digits of a
// code are padded to a multiple of it.
const Lanes = 32

// Highest is the largest score; one that would be larger stays there.
const Highest = 32767

// A Walk is one vector's search for its code: tabu search. Of all codes that
// differ from the present one in one digit, it goes to the best, be it better
// or worse, but leaves a digit it has just changed alone for a few steps. Best
// is the best code it came by.
//
// The scores S say what each other value of each digit would change: from
// value c to k, the squared error of the vector grows by S[k, j] − S[c, j]. All of
// them follow when a digit changes, by the inner products of the two code
// embeddings with all others.
type Walk struct {
	scores *int16 // [K, lanes]
	code   *int16 // [lanes]
	tabu   *int16 // [lanes] the step from which a digit may change again
	best   *int16 // [lanes]
	low    *int16 // [lanes] the smallest score among other values
	rise   *int16 // [lanes] what the best change of a digit costs

	cost, bestCost int32
	random         uint32
	digit, value   int32 // the next change
	digits         int32 // D; the other lanes never change
}

// NewWalks returns n walks for codes of digits with K values, padded to lanes.
func NewWalks(n, K, lanes int) []Walk {
	walks := make([]Walk, n)
	for i := range walks {
		walks[i].allocate(K, lanes)
	}
	return walks
}

// allocate begins the scores on a page, as tables do: a load from a table right
// after a store to scores at the same place of another page would wait for it.
func (w *Walk) allocate(K, lanes int) {
	all := Table((K + 5) * lanes)
	w.scores = &all[0]
	all = all[K*lanes:]
	for _, part := range []**int16{&w.code, &w.tabu, &w.best, &w.low, &w.rise} {
		*part = &all[0]
		all = all[lanes:]
	}
}

// Table returns n zeros that begin on a page.
func Table(n int) []int16 {
	const page = 4096
	all := make([]int16, n+page/2)
	past := int(uintptr(unsafe.Pointer(&all[0])) % page / 2)
	skip := (page/2 - past) % (page / 2)
	return all[skip : skip+n : skip+n]
}

// Scores returns the scores, [K, lanes], for filling in before Start.
func (w *Walk) Scores(K, lanes int) []int16 { return unsafe.Slice(w.scores, K*lanes) }

// Start puts the walk at a code.
func (w *Walk) Start(code []uint16, lanes int, random uint32) {
	at, tabu := unsafe.Slice(w.code, lanes), unsafe.Slice(w.tabu, lanes)
	for l := range at {
		if l < len(code) {
			at[l], tabu[l] = int16(code[l]), 0
		} else {
			at[l], tabu[l] = 0, Highest
		}
	}
	copy(unsafe.Slice(w.best, lanes), at)
	w.cost, w.bestCost = 0, 0
	w.random = random | 1
	w.digit, w.value = 0, int32(at[0])
	w.digits = int32(len(code))
}

// Best writes the best code to dst and returns by how much it is better than
// the first, at least 0, in the unit of the scores.
func (w *Walk) Best(dst []uint16) int {
	for j, c := range unsafe.Slice(w.best, len(dst)) {
		dst[j] = uint16(c)
	}
	return int(-w.bestCost)
}

// Pace says how long walks are.
type Pace struct {
	Steps  int // at most 16,384
	Rest   int // steps for which a changed digit stays as it is, at least
	Spread int // and up to Spread-1 more, at random
}

// Step takes walks some steps. G has a row for each value of each digit, of
// the same layout as the scores: what the scores gain where that digit takes
// that value. G[j, k, k', j] is 0.
//
//	G: [D, K, K, lanes]
//
// K is at most 32,767.
func Step(walks []Walk, G []int16, K, lanes int, p Pace) {
	if len(walks) > 0 {
		step(walks, G, K, lanes, p)
	}
}

// stepPortable specifies Step.
func stepPortable(walks []Walk, G []int16, K, lanes int, p Pace) {
	for i := range walks {
		w := &walks[i]
		for at := 0; at <= p.Steps; at++ {
			w.change(G, K, lanes, at, p)
			w.choose(K, lanes, at)
		}
	}
}

// change makes the chosen change. At step 0 that is none.
func (w *Walk) change(G []int16, K, lanes, at int, p Pace) {
	S := w.Scores(K, lanes)
	code, tabu := unsafe.Slice(w.code, lanes), unsafe.Slice(w.tabu, lanes)
	j, to, from := int(w.digit), int(w.value), int(code[w.digit])
	if at > 0 {
		w.random ^= w.random << 13
		w.random ^= w.random >> 17
		w.random ^= w.random << 5
		tabu[j] = int16(at + p.Rest + int(w.random>>16)*p.Spread>>16)
	}
	w.cost += int32(S[to*lanes+j]) - int32(S[from*lanes+j])
	code[j] = int16(to)
	gains, losses := G[(j*K+to)*K*lanes:][:len(S)], G[(j*K+from)*K*lanes:][:len(S)]
	for at := 0; at < len(S); at += lanes {
		row := S[at:][:w.digits]
		gains, losses := gains[at:][:len(row)], losses[at:][:len(row)]
		for l, s := range row {
			row[l] = saturate(int(s) + int(saturate(int(gains[l])-int(losses[l]))))
		}
	}
	if w.cost < w.bestCost {
		w.bestCost = w.cost
		copy(unsafe.Slice(w.best, lanes), code)
	}
}

// choose finds the change that costs least, of the first of equal digits to the
// first of equal values.
func (w *Walk) choose(K, lanes, at int) {
	S := w.Scores(K, lanes)
	code, tabu := unsafe.Slice(w.code, lanes), unsafe.Slice(w.tabu, lanes)
	low, rise := unsafe.Slice(w.low, w.digits), unsafe.Slice(w.rise, w.digits)
	for l := range low {
		low[l] = Highest
	}
	for k := range K {
		row := S[k*lanes:][:len(low)]
		for l, s := range row {
			if k != int(code[l]) {
				low[l] = min(low[l], s)
			}
		}
	}
	least := 0
	for l := range rise {
		rise[l] = saturate(int(low[l]) - int(S[int(code[l])*lanes+l]))
		if int(tabu[l]) > at {
			rise[l] = Highest
		}
		if rise[l] < rise[least] {
			least = l
		}
	}
	for k := range K {
		if k != int(code[least]) && S[k*lanes+least] == low[least] {
			w.digit, w.value = int32(least), int32(k)
			return
		}
	}
}

func saturate(x int) int16 { return int16(max(-32768, min(32767, x))) }
