//go:build !amd64 || noasm

package bitpack

import "testing"

func levels() []string { return []string{"portable"} }

func setLevel(testing.TB, string) {}
