// Package search finds nearest neighbours and analogies in a code table.
//
// # Basics
//
//	near, err := search.Exact(ctx, t, [][]float32{v}, search.Options{Limit: 10})
//	for _, n := range near[0] { … n.ID, n.Score … }
//
// Exact composes every vector of the table, a chunk at a time, and compares it
// with the query: no index, no memory in the size of the table, and the answer
// that faster searches are measured against.
package search
