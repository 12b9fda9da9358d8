package gemm

import "github.com/kdcode/kdcode/internal/simd"

// A level is an instruction set that kernels are written for.
type level string

const (
	portable level = "portable"
	avx2     level = "avx2"
	avx512   level = "avx512"
)

// active is the level in use. Only tests change it, and shape with it.
var active = level(simd.Level())

// A geometry says how the kernels of a level take matrices: at most so many rows
// at a time, packed with step floats from one depth to the next, and columns in
// panels. step is a whole vector, though some of its lanes may be of no use.
type geometry struct{ rows, step, panel int }

var geometries = map[level]geometry{
	portable: {rows: 4, step: 4, panel: 16},
	avx2:     {rows: 6, step: 8, panel: 16},
	avx512:   {rows: 14, step: 16, panel: 32},
}

// shape is the geometry of the active level.
var shape = geometries[active]
