package search

import (
	"cmp"
	"slices"
)

// Neighbour is a symbol near a query.
type Neighbour struct {
	ID    int     `json:"id"`
	Score float32 `json:"score"`
}

// better orders neighbours: higher scores first, equal ones by id, so that an
// answer does not depend on the order of the search.
func better(a, b Neighbour) int {
	return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.ID, b.ID))
}

// best keeps the best of many neighbours in a heap whose root is the worst.
type best struct {
	limit int
	heap  []Neighbour
}

// offer reports whether it kept n.
func (b *best) offer(n Neighbour) bool {
	switch {
	case len(b.heap) < b.limit:
		b.heap = append(b.heap, n)
		b.up(len(b.heap) - 1)
		return true
	case len(b.heap) > 0 && better(n, b.heap[0]) < 0:
		b.heap[0] = n
		b.down(0)
		return true
	}
	return false
}

func (b *best) up(i int) {
	for i > 0 {
		parent := (i - 1) / 2
		if better(b.heap[i], b.heap[parent]) < 0 {
			return
		}
		b.heap[i], b.heap[parent] = b.heap[parent], b.heap[i]
		i = parent
	}
}

func (b *best) down(i int) {
	for {
		worst := i
		for child := 2*i + 1; child <= 2*i+2 && child < len(b.heap); child++ {
			if better(b.heap[child], b.heap[worst]) > 0 {
				worst = child
			}
		}
		if worst == i {
			return
		}
		b.heap[i], b.heap[worst] = b.heap[worst], b.heap[i]
		i = worst
	}
}

// sorted returns what was kept, the best first.
func (b *best) sorted() []Neighbour {
	slices.SortFunc(b.heap, better)
	return b.heap
}
