package engine

import (
	"fmt"
	"hash/fnv"
	"os"
	"os/exec"
	"testing"

	"github.com/gomlx/compute"
)

// TestProcessors holds that results are the same bits on any number of
// processors. The pool takes as many as there are when the program starts, so
// this program is started again for each.
func TestProcessors(t *testing.T) {
	const child = "KDCODE_TEST_PROCESSORS"
	if os.Getenv(child) != "" {
		fmt.Printf("bits %x\n", resultBits(t))
		return
	}
	if testing.Short() {
		t.Skip("starts processes")
	}
	var first string
	for _, processors := range []string{"1", "2", "3", "16"} {
		c := exec.Command(os.Args[0], "-test.run=^TestProcessors$", "-test.count=1")
		c.Env = append(os.Environ(), child+"=1", "GOMAXPROCS="+processors)
		out, err := c.CombinedOutput()
		if err != nil {
			t.Fatalf("%s processors: %v\n%s", processors, err, out)
		}
		var bits string
		if _, err := fmt.Sscanf(string(out), "bits %s\n", &bits); err != nil {
			t.Fatalf("%s processors: %v\n%s", processors, err, out)
		}
		if first == "" {
			first = bits
		}
		if bits != first {
			t.Errorf("%s processors give other results than 1", processors)
		}
	}
}

// resultBits returns a hash of what random graphs return, and a product with
// sums of it that is divided in other ways on more processors.
func resultBits(t *testing.T) uint64 {
	b, h := newBackend(t), fnv.New64a()
	for seed := range uint64(40) {
		r, err := growAndRun(b, (*grower).grow, seed, 20, []int{2, 30, 64, 130})
		if err != nil {
			t.Fatal(err)
		}
		for _, out := range r.outputs {
			h.Write(bytes(out))
		}
	}
	const m, k, n = 60, 300, 5000
	e := compileWith(t, b, func(f compute.Function) []value {
		z := matMul(f, must(f.Parameter("x", floats(m, k), nil)), must(f.Parameter("y", floats(k, n), nil)))
		soft := must(f.FusedSoftmax(z, 1))
		return []value{z, must(f.ReduceSum(z)), must(f.ReduceSum(soft, 0)), must(f.Transpose(soft, 1, 0))}
	})
	for _, out := range must(e.Execute([]compute.Buffer{buffer(t, b, random(m*k, 1), m, k), buffer(t, b, random(k*n, 2), k, n)}, nil, 0)) {
		h.Write(bytes(must(out.Data())))
	}
	return h.Sum64()
}
