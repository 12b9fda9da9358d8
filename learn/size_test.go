package learn

import (
	"strings"
	"testing"

	"github.com/gomlx/compute/dtypes"
)

// TestSizes checks the paper's sizes, which must come out exactly.
func TestSizes(t *testing.T) {
	for _, c := range []struct {
		name             string
		layer            *KD
		parameters, bits int64
	}{
		{"LM small", NewKD(10000, 200).CodeDim(300), 368400, 13388800},
		{"LM medium", NewKD(10000, 650).CodeDim(300), 504750, 17752000},
		{"LM large", NewKD(10000, 1500).CodeDim(300), 762300, 25993600},
		{"text", NewKD(10000, 300), 307800, 10000*160 + 32*307800},
		{"Cora", NewKD(1433, 16).Ways(64).CodeLength(8), 8224, 331952},
		{"fixed codes", NewKD(1433, 16).Codes(RandomCodes(1433, 64, 8, 1)), 8224, 331952},
	} {
		size := c.layer.Size()
		if size.Parameters != c.parameters || size.Bits() != c.bits {
			t.Errorf("%s: %d parameters and %d bits, not %d and %d", c.name, size.Parameters, size.Bits(), c.parameters, c.bits)
		}
	}
	size := NewKD(10000, 650).CodeDim(300).Size()
	if got, want := size.Full(), int64(208000000); got != want {
		t.Errorf("a full table of %d bits, not %d", got, want)
	}
	if got := size.Ratio(); got < 11.716 || got > 11.718 {
		t.Errorf("%g times smaller", got)
	}
}

// TestSizeIsOfVariables checks that the parameters counted are those that the
// layer trains, but for what makes the codes.
func TestSizeIsOfVariables(t *testing.T) {
	for _, f := range forms() {
		for _, norms := range []bool{false, true} {
			r := newRig(t, f.small(StraightThrough).Norms(norms, norms), dtypes.Float32, distinct(t, occurrences, 7, 4))
			want := int64(0)
			for v := range r.store.IterVariables() {
				if v.Trainable && strings.HasPrefix(v.Path(), "/layer/") && !isCode(v) {
					want += int64(v.Shape().Size())
				}
			}
			if got := r.layer.Size().Parameters; got != want {
				t.Errorf("%s, norms %t: %d parameters are counted, %d trained", f, norms, got, want)
			}
		}
	}
}
