//go:build amd64 && !noasm

package simd

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
	const n = 64
	x, y := misaligned(random(8), n, 0), misaligned(random(9), n*n, 0)
	dst := make([]float32, n)
	digits := []uint16{0, 0, 0}
	for name, run := range map[string]func(){
		"sumRows":         func() { sumRows(dst, y[:1:1], n, n, 1, digits) },
		"sumCodes":        func() { sumCodes(dst, y[:1:1], n, n, 1, digits, 3) },
		"sumPacked":       func() { sumPacked(dst, y[:1:1], n, n, 1, make([]byte, 8), 1, 3) },
		"add":             func() { add(dst, x[:1:1]) },
		"axpy":            func() { axpy(dst, 2, x[:1:1]) },
		"dot":             func() { dot(x, y[:1:1]) },
		"squaredDistance": func() { squaredDistance(x, y[:1:1]) },
		"matVec":          func() { matVec(dst, y[:1:1], x) },
		"map":             func() { mapFloats(MapNeg, dst, x[:1:1]) },
		"zip":             func() { zip(ZipAdd, bothVectors, dst, x, y[:1:1]) },
		"chain": func() {
			dst, links := make([]float32, 4*n), []Link{{ZipAdd, false, y[:1]}}
			chainStrips(dst, y[:1:1], links, chain(dst, y[:1:1], links))
		},
		"compare":   func() { compare(CompareLess, bothVectors, make([]bool, n), x, y[:1:1]) },
		"select":    func() { selectFloats(bothVectors, dst, make([]bool, n), x, y[:1:1]) },
		"transpose": func() { transpose(make([]float32, n*8), n, y[:(n-8)*8+1], 8, n, 8) },
		"scan":      func() { scan(dst, x[:1:1], 8, make([]uint8, n*8), 8) },
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
	if os.Getenv("KDCODE_SIMD") == "" && Level() != supported().String() {
		t.Errorf("level %s is in use, %v is supported", Level(), supported())
	}
}

// TestZeroUpper holds that every function that uses wide registers clears
// their upper parts before it returns: SSE code after it would be slow.
func TestZeroUpper(t *testing.T) {
	files, _ := filepath.Glob("*_amd64.s")
	more, _ := filepath.Glob("../bitpack/*_amd64.s")
	files = append(files, more...)
	if len(files) < 7 {
		t.Fatalf("only %d files: %v", len(files), files)
	}
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
				continue
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
	if functions < 20 {
		t.Errorf("only %d functions use wide registers", functions)
	}
}
