//go:build amd64 && !noasm

package gemm

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestAssemblyRuns holds that kernels are in assembly at every level but the
// portable one. It cuts an argument short behind the checks of its length: Go
// notices, assembly does not.
func TestAssemblyRuns(t *testing.T) {
	x := make([]float32, 4096)
	for name, run := range map[string]func(){
		"mulTile": func() {
			mulTile(Rows(x[1000:], 4, 32), rows{x, 1, 16}, columns{x[:32:32], 32, 0}, 8, false)
		},
		"packAcross": func() { pack(x[:16:1000], layout{16, 0, 16}, x[2000:2001:3000], 1, 16, 16, 8) },
		"packAlong":  func() { pack(x[:16:1000], layout{16, 0, 16}, x[2000:2001:3000], 16, 1, 1, 8) },
	} {
		t.Run(name, func(t *testing.T) {
			for _, l := range levels() {
				setLevel(t, l)
				if panics := panics(run); panics != (l == portable) {
					t.Errorf("at %v: panics %v", l, panics)
				}
			}
		})
	}
}

func panics(f func()) (panics bool) {
	defer func() { panics = recover() != nil }()
	f()
	return false
}

// TestZeroUpper holds that every function clears the upper parts of registers
// before it returns: SSE code after it would be slow.
func TestZeroUpper(t *testing.T) {
	files, _ := filepath.Glob("*_amd64.s")
	functions := 0
	wide := regexp.MustCompile(`\b[YZ][0-9]+\b`)
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, function := range strings.Split(string(text), "\nTEXT ")[1:] {
			if !wide.MatchString(function) {
				continue
			}
			functions++
			before := ""
			for line := range strings.Lines(function) {
				line = strings.TrimSpace(line)
				if line == "RET" && before != "VZEROUPPER" {
					name, _, _ := strings.Cut(function, "(")
					t.Errorf("%s: %s returns after %q", file, name, before)
				}
				before = line
			}
		}
	}
	if functions < 6 {
		t.Errorf("only %d functions use wide registers", functions)
	}
}
