package simd

import (
	"slices"
	"testing"
)

func panics(f func()) (panics bool) {
	defer func() { panics = recover() != nil }()
	f()
	return false
}

// TestPanics holds that kernels panic where lengths do not match.
func TestPanics(t *testing.T) {
	floats := func(n int) []float32 { return make([]float32, n) }
	bytes := func(n int) []uint8 { return make([]uint8, n) }
	digits := []uint16{0, 1}
	for name, call := range map[string]func(){
		"SumRows: dst too long":      func() { SumRows(floats(17), floats(64), 16, 2, digits) },
		"SumRows: W too short":       func() { SumRows(floats(16), floats(63), 16, 2, digits) },
		"SumRows: no ways":           func() { SumRows(floats(16), nil, 16, 0, digits) },
		"SumCodes: dst too long":     func() { SumCodes(floats(34), floats(64), 16, 2, []uint16{0, 1, 1, 0}, 2) },
		"SumCodes: dst too short":    func() { SumCodes(floats(31), floats(64), 16, 2, []uint16{0, 1, 1, 0}, 2) },
		"SumCodes: dst of no code":   func() { SumCodes(floats(16), floats(64), 16, 2, nil, 2) },
		"SumCodes: W too short":      func() { SumCodes(floats(32), floats(63), 16, 2, []uint16{0, 1, 1, 0}, 2) },
		"SumCodes: half a code":      func() { SumCodes(floats(16), floats(64), 16, 2, []uint16{0, 1, 1}, 2) },
		"SumCodes: no length":        func() { SumCodes(floats(16), floats(64), 16, 2, digits, 0) },
		"SumCodes: no ways":          func() { SumCodes(floats(16), nil, 16, 0, digits, 2) },
		"SumCodesShared: W short":    func() { SumCodesShared(floats(16), floats(31), 16, 2, digits, 2) },
		"SumPacked: dst too long":    func() { SumPacked(floats(17), floats(64), 16, 2, bytes(2), 5, 2) },
		"SumPacked: W too short":     func() { SumPacked(floats(16), floats(63), 16, 2, bytes(2), 5, 2) },
		"SumPacked: code too short":  func() { SumPacked(floats(16), floats(64), 16, 2, bytes(1), 5, 2) },
		"SumPacked: no such width":   func() { SumPacked(floats(16), floats(64), 16, 2, bytes(8), 17, 2) },
		"SumPacked: no width":        func() { SumPacked(floats(16), floats(64), 16, 2, bytes(8), 0, 2) },
		"SumPacked: no such length":  func() { SumPacked(floats(16), floats(64), 16, 2, bytes(8), 5, -2) },
		"SumPackedShared: W short":   func() { SumPackedShared(floats(16), floats(31), 16, 2, bytes(2), 5, 2) },
		"Add":                        func() { Add(floats(3), floats(4)) },
		"Axpy":                       func() { Axpy(floats(3), 1, floats(4)) },
		"Dot":                        func() { Dot(floats(3), floats(4)) },
		"SquaredDistance":            func() { SquaredDistance(floats(4), floats(3)) },
		"Map":                        func() { Map(MapExp, floats(3), floats(4)) },
		"Map: no such op":            func() { Map(mapOps, floats(3), floats(3)) },
		"Zip":                        func() { Zip(ZipAdd, floats(4), floats(4), floats(3)) },
		"Zip: two single floats":     func() { Zip(ZipAdd, floats(4), floats(1), floats(1)) },
		"Zip: no such op":            func() { Zip(zipOps, floats(3), floats(3), floats(3)) },
		"Chain":                      func() { Chain(floats(3), floats(4), []Link{{Y: floats(3)}}) },
		"Chain: no links":            func() { Chain(floats(3), floats(3), nil) },
		"Chain: too many links":      func() { Chain(floats(1), floats(1), slices.Repeat([]Link{{Y: floats(1)}}, MaxLinks+1)) },
		"Chain: a link too short":    func() { Chain(floats(3), floats(3), []Link{{Y: floats(3)}, {Y: floats(2)}}) },
		"Chain: no such op":          func() { Chain(floats(3), floats(3), []Link{{Op: zipOps, Y: floats(3)}}) },
		"Compare":                    func() { Compare(CompareEqual, make([]bool, 4), floats(3), floats(4)) },
		"Compare: no such op":        func() { Compare(compareOps, make([]bool, 4), floats(4), floats(4)) },
		"Select: mask too short":     func() { Select(floats(4), make([]bool, 3), floats(4), floats(4)) },
		"Select: x too short":        func() { Select(floats(4), make([]bool, 4), floats(3), floats(4)) },
		"FromInt32":                  func() { FromInt32(floats(4), make([]int32, 3)) },
		"FromUint32":                 func() { FromUint32(floats(4), make([]uint32, 3)) },
		"FromInt64":                  func() { FromInt64(floats(4), make([]int64, 3)) },
		"FromBool":                   func() { FromBool(floats(4), make([]bool, 3)) },
		"Transpose: src too short":   func() { Transpose(floats(12), 3, floats(11), 4, 3, 4) },
		"Transpose: dst too short":   func() { Transpose(floats(11), 3, floats(12), 4, 3, 4) },
		"Transpose: stride too low":  func() { Transpose(floats(12), 2, floats(12), 4, 3, 4) },
		"MatVec":                     func() { MatVec(floats(3), floats(11), floats(4)) },
		"MatVecs: H too short":       func() { MatVecs(floats(6), floats(11), floats(8), 2) },
		"MatVecs: not whole vectors": func() { MatVecs(floats(7), floats(12), floats(8), 2) },
		"MatVecs: no vectors":        func() { MatVecs(floats(3), floats(12), floats(4), 0) },
		"Scan: tables too short":     func() { Scan(floats(2), floats(63), 32, bytes(4), 2) },
		"Scan: codes too short":      func() { Scan(floats(2), floats(64), 32, bytes(3), 2) },
		"Scan: too many ways":        func() { Scan(floats(2), floats(514), 257, bytes(4), 2) },
		"Scan: no ways":              func() { Scan(floats(2), nil, 0, bytes(4), 2) },
		"Scan: no such length":       func() { Scan(nil, nil, 1, nil, -1) },
	} {
		if !panics(call) {
			t.Errorf("%s: no panic", name)
		}
	}
}
