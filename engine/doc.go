// Package engine is a backend of GoMLX for CPUs in pure Go, named "simd": graphs
// run on the kernels of internal/simd and internal/gemm.
//
//	import _ "github.com/kdcode/kdcode/engine"
//
//	backend, err := compute.NewWithConfig("simd")
//
// or GOMLX_BACKEND=simd. It computes what GoMLX's own Go backend ("go") computes,
// within the rounding of float32.
//
// # Basics
//
// A graph is recorded, then planned when it is compiled: made simpler
// (simplify.go, rules*.go, fold.go), its operations divided into units
// (partition.go, fuse.go), every unit turned into a step (lower.go for fused
// loops, product.go, rows.go, random.go, delegate.go), and every value given its
// place in memory (plan.go, arena.go, inplace.go). Execute runs the steps
// (executable.go, execution.go, loop.go).
// docs/engine.md tells it from the beginning.
//
// # Caveats
//
// What has no kernel here is run by GoMLX's Go backend, in subgraphs as large as
// possible; so is a graph with shapes that are known only when it runs, as a
// whole.
//
// An Executable keeps the memory of its values from one call to the next, as
// much as it needs at most at a time, and once more for every call that runs at
// the same time. Finalize gives it back.
//
// Results do not depend on the number of processors or on timing. A panic in a
// kernel is an error of Execute.
package engine
