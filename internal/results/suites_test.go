package results

import (
	"math"
	"slices"
	"strings"
	"testing"
)

var all = []*Suite{LM, Text, Graph, Glove}

// Names are unique, what a command needs comes before it, and tables and figures
// speak of experiments that there are.
func TestSuites(t *testing.T) {
	for _, s := range all {
		t.Run(s.Name, func(t *testing.T) {
			known := map[string]bool{}
			for _, e := range s.Experiments {
				if known[e.Name] || !strings.HasPrefix(e.Name, s.Name+"/") || e.Seeds < 1 || e.Data == "" {
					t.Errorf("%+v", e)
				}
				for _, f := range e.needs() {
					if !known[f.name] {
						t.Errorf("%s needs %s, which does not come before it", e.Name, f.name)
					}
				}
				known[e.Name] = true
			}
			of := func(what string, names ...string) {
				for _, name := range names {
					if !known[name] {
						t.Errorf("%s: there is no experiment %s", what, name)
					}
				}
			}
			for _, table := range s.Tables {
				for _, row := range table.Rows {
					of(table.ID, row.Of...)
					if row.Paper != nil && len(row.Paper) != len(table.Columns) {
						t.Errorf("%s, %s: %d numbers for %d columns", table.ID, row.Label, len(row.Paper), len(table.Columns))
					}
				}
			}
			for _, f := range s.Figures {
				for _, c := range f.Curves {
					for _, p := range c.Points {
						of(f.ID, p.Of)
					}
				}
			}
			if s.Sharing != nil {
				for _, m := range s.Sharing.Of {
					of("sharing", m.Of)
				}
			}
		})
	}
}

// The bits that the paper gives follow from its definition and its settings.
func TestPaperSizes(t *testing.T) {
	const n = 10_000
	bits := map[string]float64{}
	for size, d := range map[string]float64{"small": 200, "medium": 650, "large": 1500} {
		bits["lm/"+size+"/full"] = 32 * n * d
		bits["lm/"+size+"/pdg-ae"] = n*32*5 + 32*(32*32*300+300*d+d+2*300+2*d)
		for name, share := range map[string]float64{"lowrank5": 0.2, "lowrank10": 0.1} {
			bits["lm/"+size+"/"+name] = 32 * math.Floor(share*n*d/(n+d)) * (n + d)
		}
	}
	for _, row := range LM.Tables[0].Rows {
		if row.Paper == nil { // of our own
			continue
		}
		if ours := bits[row.Of[0]] / 1e6; math.Abs(ours-row.Paper[2]) > 0.0101 {
			t.Errorf("%s: %.4f Mbit, the paper has %.2f", row.Label, ours, row.Paper[2])
		}
	}
}

// The order of running is that of how much the runs are worth.
func TestOrder(t *testing.T) {
	at := func(name string) int {
		return slices.IndexFunc(LM.Experiments, func(e Experiment) bool { return e.Name == "lm/"+name })
	}
	order := []string{"small/full", "small/pdg-ae", "medium/full", "medium/pdg-ae", "small/dpq", "medium/dpq", "medium/random", "medium/lowrank10",
		"medium/scalar8", "medium/product64", "medium/chars", "medium/soft", "large/full", "large/pdg-ae", "large/dpq", "small/mean-k2-d8-w300", "large/none"}
	for i, name := range order {
		if at(name) < 0 || i > 0 && at(name) < at(order[i-1]) {
			t.Errorf("%s is at %d, after %s", name, at(name), order[max(i-1, 0)])
		}
	}
}

func TestSelect(t *testing.T) {
	for pattern, want := range map[string]int{
		"lm/medium/full": 1, "medium/full": 1, "medium": 43, "lm/large/": 26, "small/*-w25": 2, "*/pdg*": 13, "*": len(LM.Experiments), "lm": len(LM.Experiments),
		"medium/scalar*": 3, "small/mean-k2-*-w300": 4,
	} {
		found, err := LM.Select([]string{pattern})
		if err != nil || len(found) != want {
			t.Errorf("%s: %d experiments, want %d; %v", pattern, len(found), want, err)
		}
	}
	folder, err := LM.Select([]string{"medium"})
	if err != nil || len(folder) < 20 || slices.ContainsFunc(folder, func(e *Experiment) bool { return !strings.HasPrefix(e.Name, "lm/medium/") }) {
		t.Errorf("%d, %v", len(folder), err)
	}
	if found, err := LM.Select([]string{"small/full", "*/full"}); err != nil || len(found) != 3 {
		t.Errorf("%d, %v", len(found), err)
	}
	for _, wrong := range []string{"medium/ful", "medium/fulll", "ium", ""} {
		if _, err := LM.Select([]string{wrong}); err == nil {
			t.Errorf("%q is found", wrong)
		}
	}
}

func TestLine(t *testing.T) {
	e := LM.find("lm/small/pdg-ae")
	want := "kd train lm --data DATA/ptb --size small --guide pdg --guide-from full-seed2.bin --auto-encoder --seed 2 -o pdg-ae-seed2.kd --x"
	if got := e.Line(false, 2, func(name string) string { return "DATA/" + name }, "--x"); got != want {
		t.Error(got)
	}
	if got := e.Line(true, 2, func(name string) string { return name }); !strings.Contains(got, " --auto-encoder "+quickLM+" --seed 2") {
		t.Error(got)
	}
	if !LM.Teaches("lm/large/full") || LM.Teaches("lm/large/none") || e.Verb() != "train" {
		t.Error("who teaches whom")
	}
}
