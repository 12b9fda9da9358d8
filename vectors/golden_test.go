package vectors

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// golden is the table of testdata/golden.py.
func golden() *Table {
	return &Table{
		Symbols: []string{"the", "naïve", "</s>"}, Dim: 4,
		Data: []float32{1, -0.5, 0.25, 0, 3, 1.5, -2, 0.125, -1, 96, 0.0078125, -0.75},
	}
}

func TestGolden(t *testing.T) {
	for file, format := range map[string]Format{
		"golden.glove.txt": GloVe, "golden.glove.txt.gz": GloVe, "golden.word2vec.txt": Word2VecText, "golden.fasttext.vec": Word2VecText,
		"golden.word2vec.bin": Word2VecBinary, "golden.gensim.bin": Word2VecBinary,
		"golden.f4.npy": Npy, "golden.f8.v2.npy": Npy, "golden.f2.v3.npy": Npy, "golden.big.npy": Npy,
		"golden.f64.safetensors": Safetensors, "golden.f32.safetensors": Safetensors, "golden.f16.safetensors": Safetensors,
		"golden.bf16.safetensors": Safetensors, "golden.index.json": Safetensors,
	} {
		for _, symbols := range []string{"", "golden.symbols.txt", "golden.bpe.tokenizer.json", "golden.unigram.tokenizer.json"} {
			if symbols != "" && format.HasSymbols() {
				continue
			}
			t.Run(file+"/"+symbols, func(t *testing.T) {
				var opts Options
				if symbols != "" {
					opts.Symbols = filepath.Join("testdata", symbols)
				}
				r, err := Open(filepath.Join("testdata", file), opts)
				if err != nil {
					t.Fatal(err)
				}
				defer r.Close()
				if r.Format() != format {
					t.Errorf("format %v, want %v", r.Format(), format)
				}
				if r.RandomAccess() {
					dst := make([]float32, 8)
					if err := r.ReadRows(dst, 1); err != nil || dst[0] != 3 || dst[7] != -0.75 {
						t.Errorf("ReadRows: %v, %v", dst, err)
					}
				}
				got, err := r.ReadAll()
				if err != nil {
					t.Fatal(err)
				}
				checkTable(t, got, golden(), format.HasSymbols() || symbols != "")
			})
		}
	}
}

// The writers make the same bytes as the independent script.
func TestGoldenWritten(t *testing.T) {
	for file, k := range map[string]kind{
		"golden.glove.txt": {format: GloVe}, "golden.word2vec.txt": {format: Word2VecText}, "golden.word2vec.bin": {format: Word2VecBinary},
		"golden.f4.npy": {format: Npy},
	} {
		want, err := os.ReadFile(filepath.Join("testdata", file))
		if err != nil {
			t.Fatal(err)
		}
		if got := k.encode(t, golden()); !bytes.Equal(got, want) {
			t.Errorf("%s: wrote %q, want %q", file, got, want)
		}
	}
}
