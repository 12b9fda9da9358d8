package main

import (
	"compress/gzip"
	"slices"
	"strings"
	"testing"

	"github.com/kdcode/kdcode"
	"github.com/kdcode/kdcode/codefile"
)

// A language model whose table is compressed is a language model.
func TestCompressLM(t *testing.T) {
	inCount(t, 240)
	trained := trainedLM(t, "--emb full --epochs 5 -o m.kd")
	r := kd(t, "", strings.Fields("compress m.kd -o c.kd -K 4 -D 6 --dtype float32")...)
	r.quiet(t)
	kd(t, "", "check", "c.kd").quiet(t)
	var got evalLMResult
	kd(t, "", strings.Fields("eval c.kd --data count --backend go --json")...).object(t, &got)
	if got.Perplexity < *trained.Perplexity || got.Perplexity > 1.2**trained.Perplexity || got.StoredBits != storedBits(t, "c.kd") {
		t.Errorf("%+v, trained %g", got, *trained.Perplexity)
	}
	if r := kd(t, "w5 w6\n", strings.Fields("predict c.kd --backend go --temperature 0")...); r.stdout != "w5 w6 w7 w8 w9 w0\n" {
		t.Errorf("%q", r.stdout)
	}
	model, table := openCodes(t, "m.kd"), openCodes(t, "c.kd")
	sameTensors(t, model, table)
	for key, want := range map[string]string{"task": "lm", "steps": "5", "made_by": "kd compress", "source": "m.kd", "method": "kd sum", "layer": ""} {
		if got := table.Info().Metadata[key]; got != want {
			t.Errorf("metadata %s is %q instead of %q", key, got, want)
		}
	}
	t.Run("twice", func(t *testing.T) {
		kd(t, "", strings.Fields("compress c.kd -o e.kd -K 4 -D 2")...).want(t, exitDone, "composed of codes already")
		sameTensors(t, model, openCodes(t, "e.kd"))
	})
	t.Run("a size asked for", func(t *testing.T) {
		kd(t, "", strings.Fields("compress m.kd -o f.kd --target-size 2kB")...).want(t, exitData, "beside its table")
		kd(t, "", strings.Fields("compress m.kd -o f.kd --target-size 8kB")...).want(t, exitFailed, "of the 8,000 bytes of --target-size")
		got := compressed(t, strings.Fields("m.kd -o g.kd --target-size 12kB")...)
		if got.FileBytes > 12_000 {
			t.Errorf("%+v", got)
		}
		sameTensors(t, model, openCodes(t, "g.kd"))
	})
	t.Run("flags", func(t *testing.T) {
		kd(t, "", strings.Fields("compress m.kd -o f.kd --symbols m.kd")...).want(t, exitUsage, "m.kd is a code file")
	})
}

// So is a classifier of texts.
func TestCompressClassifier(t *testing.T) {
	inTexts(t)
	trainedText(t, strings.Fields("--emb full --epochs 6 -o m.kd")...)
	kd(t, "", strings.Fields("compress m.kd -o c.kd -K 4 -D 4")...).quiet(t)
	r := kd(t, "", strings.Fields("eval c.kd --test test.tsv")...)
	r.quiet(t)
	if !strings.Contains(r.stdout, "accuracy") || !strings.Contains(r.stdout, "1.0000") {
		t.Errorf("%s", r.stdout)
	}
	sameTensors(t, openCodes(t, "m.kd"), openCodes(t, "c.kd"))
}

// What a model's file says of itself, and how its tensors are called, takes room,
// too.
func TestCompressToSize(t *testing.T) {
	inBlobs(t)
	compressed(t, strings.Fields("in.txt -o c.kd -K 64 -D 1")...)
	m, err := readModel(t.Context(), "c.kd")
	if err != nil {
		t.Fatal(err)
	}
	m.Metadata["story"] = strings.Repeat("\"", 9_000)
	m.Tensors = map[string]codefile.Tensor{}
	for i := range 40 {
		m.Tensors[strings.Repeat("n", 80)+string(rune('a'+i%26))+string(rune('a'+i/26))] = codefile.BytesTensor([]byte{1})
	}
	write(t, "m.kd", m)
	r := kd(t, "", strings.Fields("compress m.kd -o o.kd --target-size 50kB --json")...)
	r.want(t, exitDone, "composed of codes already")
	sameTensors(t, openCodes(t, "m.kd"), openCodes(t, "o.kd"))
}

func storedBits(t *testing.T, path string) int64 {
	t.Helper()
	return openCodes(t, path).Size().Total()
}

// sameTensors fails unless both have the same further tensors.
func sameTensors(t *testing.T, a, b *kdcode.Table) {
	t.Helper()
	names := a.Info().Tensors
	if len(names) == 0 || !slices.Equal(names, b.Info().Tensors) {
		t.Fatalf("tensors %q and %q", names, b.Info().Tensors)
	}
	for _, name := range names {
		x, err := a.Tensor(name)
		if err != nil {
			t.Fatal(err)
		}
		y, err := b.Tensor(name)
		if err != nil {
			t.Fatal(err)
		}
		if !equalTensors(x, y) {
			t.Errorf("tensor %s differs", name)
		}
	}
}

func equalTensors(a, b codefile.Tensor) bool {
	return a.DType == b.DType && slices.Equal(a.Shape, b.Shape) && slices.Equal(a.Data, b.Data)
}

// gzipped packs text.
func gzipped(t *testing.T, text string) string {
	t.Helper()
	var packed strings.Builder
	z := gzip.NewWriter(&packed)
	if _, err := z.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return packed.String()
}
