module github.com/kdcode/kdcode/internal/simd/_generate

go 1.26.0

require github.com/mmcloughlin/avo v0.6.0 // indirect
