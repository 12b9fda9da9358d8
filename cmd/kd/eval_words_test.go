package main

import (
	"math"
	"strings"
	"testing"

	"github.com/kdcode/kdcode/codefile"
)

// wordModel returns a table in which the analogy man : king :: woman : queen
// holds, and others do not.
func wordModel() *codefile.Model {
	vectors := map[string][]float32{
		"man": {1, 0, 0, 1}, "woman": {1, 1, 0, 1}, "king": {1, 0, 1, 1}, "queen": {1, 1, 1, 1},
		"boy": {2, 0, 0, 1}, "girl": {2, 1, 0, 1}, "apple": {0, 0, 0, -3}, "pear": {0.1, 0, 0, -3},
	}
	order := []string{"man", "woman", "king", "queen", "boy", "girl", "apple", "pear"}
	m := &codefile.Model{Composition: codefile.Sum, Codes: codefile.NewCodes(len(order), len(order), 1), Embeddings: codefile.Embeddings{Dim: 4}}
	for id, word := range order {
		m.Codes.Set(id, []uint16{uint16(id)})
		m.Symbols = append(m.Symbols, word)
		m.Embeddings.Values = append(m.Embeddings.Values, vectors[word]...)
	}
	return m
}

const (
	somePairs = "word1\tword2\tPOS\tscore\nMan\twoman\tN\t8\nking\tqueen\tN\t8\nman\tapple\tN\t1\napple\tpear\tN\t9.5\nman\tunheard\tN\t3\n"
	someAsks  = ": family\nman king woman queen\nMAN BOY WOMAN GIRL\nman king woman apple\n: fruit\nunheard king woman queen\napple pear apple pear\n"
)

func TestEvalWords(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "w.kd", wordModel())
	kd(t, "", "convert", "w.kd", "w.txt").quiet(t)
	writeText(t, "pairs.txt", somePairs)
	writeText(t, "asks.txt", someAsks)
	r := kd(t, "", "eval", "words", "w.kd", "--original", "w.txt", "--pairs", "pairs.txt", "--analogies", "asks.txt", "--json")
	r.quiet(t)
	var got evalWordsResult
	r.object(t, &got)
	if len(got.Tables) != 2 || got.Tables[0].File != "w.kd" || got.Tables[1].File != "w.txt" {
		t.Fatalf("%+v", got)
	}
	for _, e := range got.Tables {
		p := e.Pairs[0]
		// Cosines: apple-pear, king-queen, man-woman, man-apple; human scores
		// have the middle two alike.
		if want := 4.5 / math.Sqrt(5*4.5); p.Total != 5 || p.Known != 4 || math.Abs(*p.Spearman-want) > 1e-9 {
			t.Errorf("%s: %+v, %v", e.File, p, *p.Spearman)
		}
		a := e.Analogies
		if a.Total != 5 || a.Known != 4 || a.Right != 2 || a.Accuracy != 0.5 || len(a.Sections) != 2 {
			t.Errorf("%s: %+v", e.File, a)
		}
		if s := a.Sections[0]; s.Name != "family" || s.Known != 3 || s.Right != 2 {
			t.Errorf("%+v", s)
		}
		if s := a.Sections[1]; s.Name != "fruit" || s.Total != 2 || s.Known != 1 || s.Right != 0 {
			t.Errorf("%+v", s)
		}
	}
	r = kd(t, "", "eval", "words", "w.kd", "--original", "w.txt", "--pairs", "pairs.txt", "--analogies", "asks.txt")
	r.quiet(t)
	golden(t, "eval-words", r.stdout)
}

func TestEvalWordsErrors(t *testing.T) {
	inFolder(t)
	write(t, "w.kd", wordModel())
	m := model()
	m.Symbols = nil
	write(t, "ids.kd", m)
	writeText(t, "pairs.txt", somePairs)
	writeText(t, "bad.txt", "man woman 3\nman king\n")
	writeText(t, "long.txt", "man woman 3\n"+strings.Repeat("x", 1000)+"\n")
	writeText(t, "empty.txt", "# nothing\n")
	writeText(t, "three.txt", "man king woman\n")
	writeText(t, "one.txt", "man woman 3\n")
	for _, test := range []struct {
		args string
		code int
		want string
	}{
		{"", exitUsage, "FILE.kd is missing"},
		{"w.kd", exitUsage, "--pairs FILE or --analogies FILE is missing"},
		{"w.kd --pairs pairs.txt --symbols x", exitUsage, "for the table of --original"},
		{"w.kd --pairs none.txt", exitFailed, "none.txt: no such file"},
		{"w.kd --pairs bad.txt", exitData, `bad.txt:2: "man king" is not two words and a score`},
		{"w.kd --pairs long.txt", exitData, `xxx…" is not two words and a score`},
		{"w.kd --pairs empty.txt", exitData, "empty.txt: no word pairs"},
		{"w.kd --analogies empty.txt", exitData, "empty.txt: no analogies"},
		{"w.kd --analogies three.txt", exitData, "three.txt:1: 3 words instead of four"},
		{"ids.kd --pairs pairs.txt", exitData, "ids.kd: the table has no symbols"},
		{"gone.kd --pairs pairs.txt", exitFailed, "gone.kd: no such file"},
	} {
		t.Run(test.args, func(t *testing.T) {
			kd(t, "", append([]string{"eval", "words"}, strings.Fields(test.args)...)...).want(t, test.code, test.want)
		})
	}
	// One pair has no rank correlation.
	r := kd(t, "", "eval", "words", "w.kd", "--pairs", "one.txt", "--json")
	r.quiet(t)
	var got evalWordsResult
	if r.object(t, &got); got.Tables[0].Pairs[0].Spearman != nil || got.Tables[0].Pairs[0].Known != 1 {
		t.Errorf("%+v", got)
	}
}

func TestParsePair(t *testing.T) {
	want := pair{"old", "new", 1.58}
	for _, line := range []string{
		"old\tnew\t1.58", "old new 1.58", "old   new   1.58", "old,new,1.58", "old, new, 1.58", `"old","new","1.58"`, "old;new;1.58",
		"old\tnew\tA\t1.58\t2.72", "old,new,1.58,9,8",
	} {
		if got, ok := parsePair(line); !ok || got != want {
			t.Errorf("%q: %v", line, got)
		}
	}
	for _, line := range []string{"old new", "Word 1,Word 2,Human (mean)", "old new old", ",new,1", "old\tnew\tNaN"} {
		if got, ok := parsePair(line); ok {
			t.Errorf("%q: %v", line, got)
		}
	}
	if got, ok := parsePair("new york\tbig apple\t7"); !ok || got != (pair{"new york", "big apple", 7}) {
		t.Error(got)
	}
}

func TestSpearman(t *testing.T) {
	for _, c := range []struct {
		x, y []float64
		want float64
	}{
		{[]float64{1, 2, 3, 4}, []float64{10, 20, 30, 1000}, 1},
		{[]float64{1, 2, 3, 4}, []float64{4, 3, 2, 1}, -1},
		{[]float64{1, 2, 2, 3}, []float64{1, 2, 2, 3}, 1},
		{[]float64{86, 97, 99, 100, 101, 103, 106, 110, 112, 113}, []float64{2, 20, 28, 27, 50, 29, 7, 17, 6, 12}, -29.0 / 165}, // Wikipedia's example
	} {
		if got := spearman(c.x, c.y); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%v, %v: %v instead of %v", c.x, c.y, got, c.want)
		}
	}
	if got := spearman([]float64{1, 1}, []float64{1, 2}); !math.IsNaN(got) {
		t.Error(got)
	}
}
