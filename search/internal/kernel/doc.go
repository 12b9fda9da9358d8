// Package kernel holds the kernels of the fast scan in package search: sums of
// bytes that digits choose from tables, and the comparison of those sums with a
// bound for each symbol.
//
// Every kernel is a portable Go loop, which is its specification, and on amd64
// the same in AVX-512 with VBMI, whose VPERMB looks 64 digits up at a time, and in
// AVX2. The level is that of package simd, whose environment variable and build
// tag hold here too. All levels return the same bits.
package kernel

//go:generate go run -C _generate . -kernel sums -out ../sums_amd64.s -stubs ../sums_amd64.go -pkg kernel
//go:generate go run -C _generate . -kernel above -out ../above_amd64.s -stubs ../above_amd64.go -pkg kernel
