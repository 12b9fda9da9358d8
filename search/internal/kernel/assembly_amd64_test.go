//go:build amd64 && !noasm

package kernel

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/sys/cpu"
)

// TestAssemblyRuns holds that kernels are in assembly at every level but the
// portable one. It cuts an argument short behind the checks of its length: Go
// notices, assembly does not.
func TestAssemblyRuns(t *testing.T) {
	dst, codes, x := make([]uint16, 64), make([]uint8, 64), make([]float32, 64)
	for name, run := range map[string]func(){
		"sums16": func() { sums(dst, make([]uint8, 64)[:1:1], 16, codes, 1) },
		"sums32": func() { sums(dst, make([]uint8, 64)[:1:1], 32, codes, 1) },
		"sums64": func() { sums(dst, make([]uint8, 64)[:1:1], 64, codes, 1) },
		"above":  func() { above(make([]uint64, 1), dst, x[:1:1], 1, 1) },
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
	if os.Getenv("KDCODE_SIMD") == "" && cpu.X86.HasAVX512VBMI && cpu.X86.HasAVX512VL && active != vbmi {
		t.Errorf("level %v is in use", active)
	}
}

// TestZeroUpper holds that every function clears the upper parts of wide
// registers before it returns: SSE code after it would be slow.
func TestZeroUpper(t *testing.T) {
	files, _ := filepath.Glob("*_amd64.s")
	wide := regexp.MustCompile(`\b[YZ][0-9]+\b`)
	functions := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, function := range strings.Split(string(text), "\nTEXT ")[1:] {
			name, _, _ := strings.Cut(function, "(")
			if !wide.MatchString(function) {
				t.Errorf("%s: %s uses no wide register", file, name)
			}
			functions++
			before := ""
			for line := range strings.Lines(function) {
				line = strings.TrimSpace(line)
				if line == "RET" && before != "VZEROUPPER" {
					t.Errorf("%s: %s returns after %q", file, name, before)
				}
				before = line
			}
		}
	}
	if functions != 6 {
		t.Errorf("%d functions", functions)
	}
}
