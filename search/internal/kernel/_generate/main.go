// Command generate writes the assembly of the fast scan's kernels with avo, one
// kernel a run:
//
//	go run . -kernel sums -out ../sums_amd64.s -stubs ../sums_amd64.go -pkg kernel
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
	"sums":  func() { sumsVBMI(); sumsAVX2(1); sumsAVX2(2); sumsAVX2(4) },
	"above": func() { above512(); above2() },
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
