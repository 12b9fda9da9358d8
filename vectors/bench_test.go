package vectors

import (
	"os"
	"testing"
)

const gloveSample = "../../shared/data/glove/glove.10k.100d.txt"

func BenchmarkReadGloVeSample(b *testing.B) {
	info, err := os.Stat(gloveSample)
	if err != nil {
		b.Skip("needs the GloVe sample: ", err)
	}
	b.SetBytes(info.Size())
	b.ReportAllocs()
	for b.Loop() {
		t, err := ReadAll(gloveSample, Options{})
		if err != nil || t.Len() != 10000 || t.Dim != 100 {
			b.Fatal(err)
		}
	}
}
