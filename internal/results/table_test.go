package results

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the golden files instead of comparing with them")

// golden compares text with the golden file of that name.
func golden(t *testing.T, name, text string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if text != string(want) {
		t.Errorf("%s differs; run with -update if it should.\ngot:\n%s", path, text)
	}
}

// kept are the records of made-up runs in testdata.
var kept = Store{Dir: filepath.Join("testdata", "results")}

// shown is a table of all that a table can show.
var shown = &Suite{Title: "All of it", Name: "shown", Experiments: []Experiment{
	{Name: "shown/seeds", Command: "train seeds"}, {Name: "shown/one", Command: "train one"},
	{Name: "shown/low", Command: "train low"}, {Name: "shown/high", Command: "train high"}, {Name: "shown/none", Command: "train none"},
}, Tables: []Table{{
	ID: "shown", Title: "Table 9: all of it", Note: "What a table can show.",
	Columns: []Column{{"perplexity", Tested, 2}, {"bits, M", Megabits, 2}},
	Rows: []Row{
		{"several seeds", []float64{10, 1.5}, []string{"shown/seeds"}},
		{"one run", []float64{8.004, None}, []string{"shown/one"}},
		{"the best on validation", []float64{9, 1}, []string{"shown/low", "shown/high", "shown/none"}},
		{"nothing in the paper", nil, []string{"shown/one"}},
		{"not run", []float64{7, 2}, []string{"shown/none"}},
		{"no data", []float64{6, 3}, []string{"shown/away"}},
	},
}}}

func TestTable(t *testing.T) {
	f, err := shown.Tables[0].Fill(kept, func(name string) bool { return name == "shown/away" })
	if err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	f.Print(&text)
	text.WriteString("\n")
	f.Markdown(&text)
	if err := shown.RunsMarkdown(&text, kept); err != nil {
		t.Fatal(err)
	}
	golden(t, "table.golden", text.String())
	if f.Lines[2].Experiment != "shown/high" {
		t.Errorf("the best on validation is %s", f.Lines[2].Experiment)
	}
}

// Words that share codes, of two methods of which one was run.
func TestSharing(t *testing.T) {
	s := &Sharing{
		Title: "Table 8: words", Note: "Words.",
		Paper: []Group{{"1-2", []string{"monday", "friday"}}, {"1-3", []string{"week", "year"}}},
		Of:    []Method{{"run", "shown/words"}, {"not", "shown/none"}},
	}
	var text bytes.Buffer
	if err := s.Print(&text, kept); err != nil {
		t.Fatal(err)
	}
	text.WriteString("\n")
	if err := s.Markdown(&text, kept); err != nil {
		t.Fatal(err)
	}
	golden(t, "sharing.golden", text.String())
	s.Of[1].Of = "shown/one"
	if err := s.Print(&text, kept); err == nil {
		t.Error("a run without words is shown")
	}
}

// Words of a table of vectors may be what Markdown takes for its own.
func TestSharingMarks(t *testing.T) {
	store := Store{Dir: t.TempDir()}
	odd := Group{"1-2", []string{"|", "<unk>", "*", "a_b_c", "`"}}
	write(t, store, &Record{Name: "a/b", Seed: 1, Words: &Words{Alike: []Group{odd}, Paper: []Group{odd}}})
	s := &Sharing{Paper: []Group{{"1-2", []string{"week"}}}, Of: []Method{{"run", "a/b"}}}
	var text bytes.Buffer
	if err := s.Markdown(&text, store); err != nil {
		t.Fatal(err)
	}
	if want := "| run | 1-2  \\| &lt;unk> \\* a\\_b\\_c \\` |\n"; !strings.Contains(text.String(), want) {
		t.Errorf("%s\nlacks %s", text.String(), want)
	}
	if want := "| run | 0 of 1 | 1-2  \\| &lt;unk>"; !strings.Contains(text.String(), want) {
		t.Errorf("%s\nlacks %s", text.String(), want)
	}
}

func TestFigure(t *testing.T) {
	f := Figure{Curves: []Curve{{"a", []Point{{1, "shown/seeds"}, {2, "shown/none"}, {4, "shown/one"}}}, {"b", []Point{{1, "shown/none"}}}}}
	curves, err := f.Fill(kept)
	if err != nil || len(curves) != 2 || len(curves[0]) != 2 || curves[0][0] != [2]float64{1, 11} || curves[0][1][0] != 4 || curves[1] != nil {
		t.Errorf("%v, %v", curves, err)
	}
}

// Equal values have no spread, even where their sum rounds.
func TestMeanAndSpread(t *testing.T) {
	for _, c := range []struct {
		values       []float64
		mean, spread float64
	}{{[]float64{5}, 5, 0}, {[]float64{0.1, 0.1, 0.1}, 0.1, 0}, {[]float64{1, 2, 3}, 2, 1}} {
		if mean, spread := MeanAndSpread(c.values); mean != c.mean || spread != c.spread {
			t.Errorf("%v: %g ± %g", c.values, mean, spread)
		}
	}
}

// A suite without any runs has its tables, and a damaged file is told of.
func TestTablesWithoutRuns(t *testing.T) {
	for _, s := range all {
		for i := range s.Tables {
			f, err := s.Tables[i].Fill(Store{Dir: t.TempDir()}, nil)
			if err != nil {
				t.Fatal(err)
			}
			for _, line := range f.Lines {
				for _, c := range line.Cells {
					if c.Ours != nil {
						t.Errorf("%s has a result out of nothing", line.Label)
					}
				}
			}
		}
	}
}

// A column that the paper has nothing of is ours alone.
func TestTableOfOurs(t *testing.T) {
	one := 1.5
	f := Filled{
		Table: &Table{Columns: []Column{{"accuracy", Tested, 1}, {"bits", Megabits, 2}}},
		Lines: []Line{{Label: "a", Runs: 1, Cells: []Cell{{Ours: &one}, {Paper: &one, Ours: &one}}}},
	}
	got := f.grid()
	if want := [][]string{{"", "accuracy", "bits: paper", "ours", "difference"}, {"a", "1.5", "1.50", "1.50", "0.00"}}; !slices.EqualFunc(got, want, slices.Equal) {
		t.Errorf("%q", got)
	}
}
