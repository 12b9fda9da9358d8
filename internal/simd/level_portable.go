//go:build !amd64 || noasm

package simd

func current() level { return portable }
