// Command generate writes the assembly of the learner's kernels with avo, one
// kernel a run:
//
//	go run . -kernel walk -out ../walk_amd64.s -stubs ../walk_amd64.go -pkg kernel
//
// The go:generate lines of the package hold the full commands.
package main

import (
	"flag"
	"fmt"
	"os"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/reg"
)

var kernels = map[string]func(){
	"matmul": func() { matMul512(); matMul2() },
	"argmin": func() { n := counting("argminCounting"); argmin512(n); argmin2(n) },
	"narrow": func() { narrow512(); narrow2() },
	"walk":   func() { walk512(); walk2() },
}

func main() {
	kernel := flag.String("kernel", "", "the kernel to write")
	flag.Parse()
	write, ok := kernels[*kernel]
	if !ok {
		fmt.Fprintf(os.Stderr, "generate: no kernel %q\n", *kernel)
		os.Exit(2)
	}
	ConstraintExpr("amd64,!noasm")
	write()
	Generate()
}

// load returns a parameter in a new register.
func load(name string) GPVirtual {
	r := GP64()
	Load(Param(name), r)
	return r
}

func z(i int) VecPhysical { return zs[i] }
func y(i int) VecPhysical { return ys[i] }

var (
	zs = []VecPhysical{
		Z0, Z1, Z2, Z3, Z4, Z5, Z6, Z7, Z8, Z9, Z10, Z11, Z12, Z13, Z14, Z15,
		Z16, Z17, Z18, Z19, Z20, Z21, Z22, Z23, Z24, Z25, Z26, Z27, Z28, Z29, Z30, Z31,
	}
	ys = []VecPhysical{Y0, Y1, Y2, Y3, Y4, Y5, Y6, Y7, Y8, Y9, Y10, Y11, Y12, Y13, Y14, Y15}
)
