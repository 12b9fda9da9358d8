// Command generate writes the assembly of internal/simd and internal/bitpack
// with avo, one kernel a run:
//
//	go run . -kernel sumrows -out ../sumrows_amd64.s -stubs ../sumrows_amd64.go -pkg simd
//
// The go:generate lines of the two packages hold the full commands. CI checks
// that the committed files are what this program writes:
//
//	go generate ./internal/simd ./internal/bitpack && git diff --exit-code internal
package main

import (
	"flag"
	"fmt"
	"os"
	"sort"
	"strings"

	. "github.com/mmcloughlin/avo/build"
)

var kernels = map[string]func(){
	"sumrows":     sumRows,
	"sumpacked":   sumPacked,
	"elementwise": elementwise,
	"map":         maps,
	"reduce":      reductions,
	"convert":     convert,
	"transpose":   transposes,
	"zip":         zips,
	"chain":       chains,
	"compare":     compares,
	"dot":         dot,
	"matvec":      matVec,
	"prefetch":    prefetchRows,
	"scan":        scan,
	"unpack":      unpack,
}

func main() {
	kernel := flag.String("kernel", "", "the kernel to write: "+strings.Join(names(), ", "))
	flag.Parse()
	write, ok := kernels[*kernel]
	if !ok {
		fmt.Fprintf(os.Stderr, "generate: no kernel %q; there are: %s\n", *kernel, strings.Join(names(), ", "))
		os.Exit(2)
	}
	ConstraintExpr("amd64,!noasm")
	write()
	Generate()
}

func names() []string {
	var list []string
	for name := range kernels {
		list = append(list, name)
	}
	sort.Strings(list)
	return list
}
