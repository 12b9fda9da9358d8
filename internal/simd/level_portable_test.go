//go:build !amd64 || noasm

package simd

import "testing"

func highest() level { return portable }

func setLevel(testing.TB, level) {}
