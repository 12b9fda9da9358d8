package engine

import (
	"container/heap"
	"slices"
)

// schedule returns the units in an order to run them in: as early as what they
// need allows, those first that the graph was built with first.
func (p *partition) schedule() []*unit {
	waits := map[*unit]int{}
	next := map[*unit][]*unit{}
	ready := &unitHeap{}
	for _, u := range p.units {
		if u.into != nil {
			continue
		}
		needed := map[*unit]bool{}
		for _, n := range u.nodes {
			u.rank = max(u.rank, n.rank)
			for _, x := range p.graph.operands(n) {
				if v := p.unit(x); v != nil && v != u && !needed[v] {
					needed[v] = true
					next[v] = append(next[v], u)
				}
			}
		}
		if waits[u] = len(needed); len(needed) == 0 {
			heap.Push(ready, u)
		}
	}
	var order []*unit
	for ready.Len() > 0 {
		u := heap.Pop(ready).(*unit)
		order = append(order, u)
		for _, v := range next[u] {
			if waits[v]--; waits[v] == 0 {
				heap.Push(ready, v)
			}
		}
	}
	return order
}

// sorted returns the nodes of a unit, operands first.
func (p *partition) sorted(u *unit) []*node {
	nodes := slices.Clone(u.nodes)
	slices.SortFunc(nodes, func(a, b *node) int { return p.graph.position[a] - p.graph.position[b] })
	return nodes
}

type unitHeap []*unit

func (h unitHeap) Len() int { return len(h) }

func (h unitHeap) Less(i, j int) bool {
	return h[i].rank < h[j].rank || h[i].rank == h[j].rank && h[i].id < h[j].id
}

func (h unitHeap) Swap(i, j int) { h[i], h[j] = h[j], h[i] }

func (h *unitHeap) Push(x any) { *h = append(*h, x.(*unit)) }

func (h *unitHeap) Pop() any {
	old := *h
	x := old[len(old)-1]
	*h = old[:len(old)-1]
	return x
}
