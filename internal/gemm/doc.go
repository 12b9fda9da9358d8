// Package gemm multiplies float32 matrices on all processors.
//
//	gemm.Mul(dst, a, b, false) // dst = a·b
//	gemm.Mul(dst, a, b, true)  // dst += a·b
//
// Matrices are views with a stride for rows and one for columns, so that a
// transposed matrix is a view too. A right-hand matrix that is used more than
// once may be packed before: Pack, MulPacked.
//
// # How a product is divided
//
// Letters: dst is m×n, a is m×k, b is k×n. The depth k is cut into blocks, rows
// and columns into larger ones. Of a block, a is packed into tiles of a few rows
// and b into panels of one or two vectors' columns; b is multiplied where it lies
// if its columns are contiguous and rows so few that packing would not pay. A
// kernel multiplies one tile with the panels of a group, whose sums it keeps in
// registers panel by panel: the tile stays in the first-level cache meanwhile, the
// group in the second-level cache until all tiles have met it.
//
// The processors share tiles and groups. An element of dst
// is always summed in the order of k within a block, then block by block, so
// results depend neither on the number of processors, nor on timing, nor on the
// other rows and columns. In assembly multiplications and additions are fused;
// AVX-512 and AVX2 return the same bits. Every element is within
// (k+2)·2⁻²⁴·Σ|terms| of the exact sum.
//
// Shapes that do not fit each other and data too short for its shape are bugs
// of the caller: functions panic. The level of instructions is that of package
// simd, whose environment variable and build tag hold here too.
package gemm

//go:generate go run -C _generate . -kernel multile -out ../multile_amd64.s -stubs ../multile_amd64.go -pkg gemm
//go:generate go run -C _generate . -kernel pack -out ../pack_amd64.s -stubs ../pack_amd64.go -pkg gemm
