package classify

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kdcode/kdcode/codefile"
	"github.com/kdcode/kdcode/internal/tabletest"
)

// newsLike returns a model of the size of one trained on AG News, and texts
// in which words have the frequencies of a natural text; one in 20 is unknown.
func newsLike(tb testing.TB, C int) (*Model, []string) {
	const N = 20_000
	model, _ := madeUp(tb, tabletest.Shape{N: N, K: 32, D: 32, Dim: 300, CodeDim: 300, Composition: codefile.Sum}, C)
	r := rand.New(rand.NewPCG(5, 6))
	for i := range model.Symbols {
		model.Symbols[i] = randomWord(r, i)
	}
	m := openBytes(tb, encode(tb, model))
	zipf := rand.NewZipf(r, 1.05, 2, N-1)
	var texts []string
	for range 2000 {
		var b strings.Builder
		for range 40 {
			switch {
			case r.IntN(20) == 0:
				b.WriteString(randomWord(r, N+r.IntN(N)))
			case r.IntN(8) == 0:
				b.WriteString(strings.ToUpper(model.Symbols[zipf.Uint64()]))
			default:
				b.WriteString(model.Symbols[zipf.Uint64()])
			}
			b.WriteByte(' ')
		}
		texts = append(texts, b.String())
	}
	return m, texts
}

// randomWord returns a word of 2 to 12 letters that is the number's own.
func randomWord(r *rand.Rand, number int) string {
	var b []byte
	for range 1 + r.IntN(8) {
		b = append(b, 'a'+byte(r.IntN(26)))
	}
	for ; number > 0; number /= 26 {
		b = append(b, 'a'+byte(number%26))
	}
	return string(b)
}

// benchmarkScores takes one text after the other: splitting, words, scores.
func benchmarkScores(b *testing.B, m *Model, texts []string) {
	p := m.Predictor()
	scores := make([]float32, len(m.Labels()))
	raw, counts := make([][]byte, len(texts)), make([]int, len(texts))
	for i, text := range texts {
		raw[i], counts[i] = []byte(text), len(tokens(text))
	}
	words, i := 0, 0
	b.ReportAllocs()
	for b.Loop() {
		if _, err := p.Scores(scores, raw[i]); err != nil {
			b.Fatal(err)
		}
		words += counts[i]
		if i++; i == len(raw) {
			i = 0
		}
	}
	b.ReportMetric(float64(words)/b.Elapsed().Seconds(), "words/s")
}

// BenchmarkScores takes texts of 40 words.
func BenchmarkScores(b *testing.B) {
	for _, C := range []int{4, 100} {
		m, texts := newsLike(b, C)
		b.Run(fmt.Sprintf("C=%d", C), func(b *testing.B) { benchmarkScores(b, m, texts) })
	}
}

// BenchmarkAGNews takes the texts of the AG News test set, where it is there,
// with the words of the training set and made-up codes.
func BenchmarkAGNews(b *testing.B) {
	var counts Counts
	for _, text := range sharedTexts(b, "agnews/train.tsv") {
		counts.Add(text)
	}
	v, err := counts.Vocabulary(1, 0)
	if err != nil {
		b.Fatal(err)
	}
	model, _ := madeUp(b, tabletest.Shape{N: v.Len(), K: 32, D: 32, Dim: 300, CodeDim: 300, Composition: codefile.Sum}, 4)
	model.Symbols = v.Words()
	benchmarkScores(b, openBytes(b, encode(b, model)), sharedTexts(b, "agnews/test.tsv"))
}

func sharedTexts(tb testing.TB, name string) []string {
	r, err := OpenExamples(filepath.Join("../../shared/data", name), Detect)
	if errors.Is(err, os.ErrNotExist) {
		tb.Skip("needs the data sets: ", err)
	}
	if err != nil {
		tb.Fatal(err)
	}
	defer r.Close()
	var texts []string
	for e, err := range r.All() {
		if err != nil {
			tb.Fatal(err)
		}
		texts = append(texts, e.Text)
	}
	return texts
}
