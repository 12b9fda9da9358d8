package main

import (
	"testing"

	"github.com/kdcode/kdcode/codefile"
)

func TestInfo(t *testing.T) {
	inFolder(t)
	r := kd(t, "", "info", "t.kd")
	r.quiet(t)
	golden(t, "info", r.stdout)
	r = kd(t, "", "info", "t.kd", "--json")
	r.quiet(t)
	golden(t, "info.json", r.stdout)

	var got codesInfo
	r.object(t, &got)
	if got.N != 9 || got.K != 4 || got.D != 3 || got.Dim != 4 || got.Composition != codefile.Sum || !got.HasSymbols {
		t.Errorf("%+v", got)
	}
	if want := (infoBits{Codes: 9 * 8, Parameters: 32 * 48, Symbols: got.Bits.Symbols, Full: 32 * 9 * 4}); got.Bits != want {
		t.Errorf("bits %+v, want %+v", got.Bits, want)
	}
	if got.Paper.Codes != 9*3*2 || got.Paper.Total != 9*3*2+32*48 {
		t.Errorf("paper %+v", got.Paper)
	}
	if len(got.Tensors) != 1 || got.Tensors[0].Bytes != 32 {
		t.Errorf("tensors %+v", got.Tensors)
	}
}

func TestInfoWithoutSymbols(t *testing.T) {
	inFolder(t)
	m := affineModel()
	m.Symbols, m.Metadata, m.Tensors = nil, nil, nil
	m.Embeddings.Shared = true
	m.Embeddings.Values = m.Embeddings.Values[:16]
	m.Embeddings.DType = codefile.Int8
	write(t, "ids.kd", m)
	r := kd(t, "", "info", "ids.kd")
	r.quiet(t)
	golden(t, "info-ids", r.stdout)
}

func TestInfoVectors(t *testing.T) {
	inFolder(t)
	writeText(t, "glove.txt", "a 1 2\nb 3 4\na 5 6\n")
	r := kd(t, "", "info", "glove.txt")
	r.quiet(t)
	golden(t, "info-vectors", r.stdout)
	var got vectorsInfo
	kd(t, "", "info", "glove.txt", "--json").object(t, &got)
	if got.Format != "glove" || got.N != 2 || got.Dim != 2 || got.Duplicates != 1 || got.Bits.Full != 128 {
		t.Errorf("%+v", got)
	}

	kd(t, "", "convert", "glove.txt", "glove.npy").want(t, exitDone)
	got = vectorsInfo{}
	kd(t, "", "info", "glove.npy", "--json").object(t, &got)
	if got.Format != "npy" || got.N != 2 || got.HasSymbols {
		t.Errorf("%+v", got)
	}

	writeText(t, "bad.txt", "a 1 2\nb 3 4\nc 5\n")
	kd(t, "", "info", "bad.txt").want(t, exitData, "bad.txt:3:")
}

// A code file is known by what it holds, whatever its name.
func TestInfoOtherName(t *testing.T) {
	inFolder(t)
	write(t, "table.safetensors", model())
	var got codesInfo
	kd(t, "", "info", "table.safetensors", "--json").object(t, &got)
	if got.Format != "kdcode" {
		t.Errorf("%+v", got)
	}
}
