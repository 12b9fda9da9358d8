package learn

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gomlx/compute/dtypes"
)

// torchReference is what testdata/reference.py has made with PyTorch.
type torchReference struct {
	N, D, Length, Ways, Hidden int
	IDs                        []int32
	Cases                      []torchCase
}

type torchCase struct {
	Composition string
	CodeDim     int `json:"code_dim"`
	Shared      bool
	Temperature float64
	Entropy     float64
	Guidance    string
	Match       float64

	A, B, V    []float64
	Loss, Reg  float64
	Variables  map[string][]float64
	Gradients  map[string][]float64
	Statistics map[string][]float64
}

// TestTorch compares the layer, in float32 and on distinct symbols with padding,
// with PyTorch's plain layer on all occurrences: straight-through forward and
// backward, every composition, entropy and guidance.
func TestTorch(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("testdata", "torch.json"))
	if err != nil {
		t.Fatal(err)
	}
	var reference torchReference
	if err := json.Unmarshal(data, &reference); err != nil {
		t.Fatal(err)
	}
	for _, c := range reference.Cases {
		name := fmt.Sprintf("%s/d'=%d/shared=%t/temperature=%g/guidance=%s", c.Composition, c.CodeDim, c.Shared, c.Temperature, c.Guidance)
		t.Run(name, func(t *testing.T) {
			b := distinct(t, reference.IDs, reference.N, 4)
			r := newRig(t, c.layer(t, reference), dtypes.Float32, b)
			r.linear, r.square = c.A, c.B
			for path, values := range c.Variables {
				r.set("/layer/"+path, values)
			}
			for v := range r.store.IterVariables() {
				if strings.HasSuffix(v.Path(), "/batches") {
					r.set(v.Path(), []float64{0}) // making the variables was a batch, too
				}
			}
			c.compare(t, r.run())
		})
	}
}

// layer returns the Go layer of a case.
func (c torchCase) layer(t *testing.T, r torchReference) *KD {
	t.Helper()
	l := NewKD(r.N, r.D).Ways(r.Ways).CodeLength(r.Length).Hidden(r.Hidden).CodeDim(c.CodeDim).Shared(c.Shared).Entropy(c.Entropy).
		Temperature(Temperature{Initial: c.Temperature})
	for kind := Mean; kind <= PaperLSTM; kind++ {
		if kind.String() == c.Composition {
			l.Compose(kind)
		}
	}
	u := make([]float32, r.N*r.D) // set later, as all variables
	switch c.Guidance {
	case "pdg":
		l.Guide(PretrainedGuidance(u, false))
	case "pdg-auto":
		l.Guide(PretrainedGuidance(u, true))
	case "odg-f":
		l.Guide(OnlineGuidance(1, c.Match))
	case "odg-u":
		l.Guide(OnlineGuidance(0, c.Match))
	}
	return l
}

func (c torchCase) compare(t *testing.T, o outcome) {
	t.Helper()
	sameValues(t, "embeddings", o.v, c.V, 1e-5)
	sameValues(t, "losses", []float64{o.loss, o.reg}, []float64{c.Loss, c.Reg}, 1e-5)
	for path, values := range c.Statistics {
		// PyTorch's statistics of f with an auto-encoder are of both streams, as ours.
		sameValues(t, path, o.statistics["/layer/"+path], values, 1e-5)
	}
	if len(o.gradients) != len(c.Gradients) {
		t.Errorf("%d variables are trained here, %d in PyTorch", len(o.gradients), len(c.Gradients))
	}
	size := 0.0
	for _, values := range c.Gradients {
		size = max(size, largestOf(values))
	}
	for path, want := range c.Gradients {
		// What is rounded to is the largest element; of gradients that are zero
		// but for rounding, a hundredth of the largest of all.
		tolerance := 1e-4 * max(largestOf(want), size/100) / max(1, largestOf(want))
		sameValues(t, "gradient of "+path, o.gradients["/layer/"+path], want, tolerance)
		if rows, ok := o.rows["/layer/"+path]; ok {
			sameValues(t, "gradient by rows of "+path, rows, want, tolerance)
		}
	}
}
