// Command generate writes the assembly of package gemm with avo, one kernel a
// run:
//
//	go run . -kernel multile -out ../multile_amd64.s -stubs ../multile_amd64.go -pkg gemm
//
// The go:generate lines of the package hold the full commands.
package main

import (
	"flag"
	"fmt"
	"os"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

var kernels = map[string]func(isa){
	"multile": mulTile,
	"pack":    func(s isa) { packAlong(s); packAcross(s) },
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
	for _, s := range []isa{isa512, isa2} {
		write(s)
	}
	Generate()
}

// load returns a parameter in a new register.
func load(name string) GPVirtual {
	r := GP64()
	Load(Param(name), r)
	return r
}

// loadBytes returns a parameter that counts floats as bytes.
func loadBytes(name string) GPVirtual {
	r := load(name)
	SHLQ(U8(2), r)
	return r
}
