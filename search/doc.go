// Package search finds nearest neighbours and analogies in a code table.
//
// # Basics
//
//	x, err := search.NewIndex(t)
//	near, err := x.Search(ctx, [][]float32{v}, search.Options{Limit: 10})
//	for _, n := range near[0] { … n.ID, n.Score … }
//
// An Index scores codes without composing their vectors: D tables of K partial
// scores a query, and a scan that adds up what the digits choose. Exact composes
// every vector of the table: no index, no memory in the size of the table, and
// the answer that an Index has to give.
//
// The codes are a hash of the vectors, too: Index.Prefix walks the tree of codes
// digit by digit, Index.Within finds codes that differ in few digits.
package search
