//go:build !amd64 || noasm

package bitpack

import "testing"

func levels() []bool { return []bool{false} }

func setAssembly(testing.TB, bool) {}
