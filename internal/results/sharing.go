package results

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// Words is how good the codes of words are, and which words share one.
type Words struct {
	MeanCosine       float64 `json:"mean_cosine"`
	NeighbourOverlap float64 `json:"neighbour_overlap_10"` // share of the ten nearest that stay so

	DistinctCodes int     `json:"distinct_codes,omitempty"`
	Alike         []Group `json:"alike,omitempty"` // words that are most like each other
	Paper         []Group `json:"paper,omitempty"` // for each group of the paper's, the one with most of its words
}

// Group is words with the same code.
type Group struct {
	Code  string   `json:"code"`
	Words []string `json:"words"`
}

// Sharing is the paper's table of words that share codes, beside those that
// share ours.
type Sharing struct {
	Title string
	Note  string
	Paper []Group
	Of    []Method
}

// Method is a way to give words codes.
type Method struct {
	Label string
	Of    string // the experiment
}

// shared is a method with its record, nil where it was not run.
type shared struct {
	Method
	record *Record
}

// fill returns the methods with what there is of them.
func (s *Sharing) fill(store Store) ([]shared, error) {
	var all []shared
	for _, m := range s.Of {
		record, err := store.Read(m.Of, 1)
		if err != nil {
			return nil, err
		}
		if record != nil && (record.Words == nil || len(record.Words.Paper) != len(s.Paper)) {
			return nil, fmt.Errorf("%s: it lacks the words that share codes; remove it to run that again", store.Path(m.Of, 1))
		}
		all = append(all, shared{m, record})
	}
	return all, nil
}

// mostWords is how many words of a group are shown.
const mostWords = 16

// String shows a group.
func (g Group) String() string {
	text := strings.Join(g.Words[:min(len(g.Words), mostWords)], " ")
	if len(g.Words) > mostWords {
		text += fmt.Sprintf(" … (%d)", len(g.Words))
	}
	return g.Code + "  " + text
}

// marks are what Markdown would not show as it stands in a word.
var marks = strings.NewReplacer(`\`, `\\`, "|", `\|`, "<", "&lt;", "*", `\*`, "_", `\_`, "`", "\\`")

// markdown shows a group in a cell of a page's table.
func (g Group) markdown() string { return marks.Replace(g.String()) }

// of returns how many of a group's words another has.
func (g Group) of(other Group) int {
	n := 0
	for _, w := range other.Words {
		if slices.Contains(g.Words, w) {
			n++
		}
	}
	return n
}

// measures returns what is measured of a method, by name.
func (s shared) measures() [][2]string {
	names := []string{"relative error", "mean cosine", "neighbours kept of 10", "codes in use"}
	all := make([][2]string, len(names))
	for i, name := range names {
		all[i] = [2]string{name, notRun}
	}
	if r := s.record; r != nil {
		all[0][1] = fmt.Sprintf("%.4f", r.Test)
		all[1][1] = fmt.Sprintf("%.4f", r.Words.MeanCosine)
		all[2][1] = fmt.Sprintf("%.3f", r.Words.NeighbourOverlap)
		all[3][1] = fmt.Sprint(r.Words.DistinctCodes)
	}
	return all
}

// Print writes the table for a terminal.
func (s *Sharing) Print(w io.Writer, store Store) error {
	methods, err := s.fill(store)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "%s\n\n", s.Title)
	for i, m := range methods {
		if i == 0 {
			fmt.Fprintf(w, "  %-12s", "")
			for _, x := range m.measures() {
				fmt.Fprintf(w, "  %s", x[0])
			}
			fmt.Fprintln(w)
		}
		fmt.Fprintf(w, "  %-12s", m.Label)
		for _, x := range m.measures() {
			fmt.Fprintf(w, "  %*s", len(x[0]), x[1])
		}
		fmt.Fprintln(w)
	}
	for i, paper := range s.Paper {
		fmt.Fprintf(w, "\n  %-12s          %s\n", "paper", paper)
		for _, m := range methods {
			if m.record == nil {
				fmt.Fprintf(w, "  %-12s          %s\n", m.Label, notRun)
				continue
			}
			ours := m.record.Words.Paper[i]
			fmt.Fprintf(w, "  %-12s %2d of %2d  %s\n", m.Label, ours.of(paper), len(paper.Words), ours)
		}
	}
	for _, m := range methods {
		if m.record != nil {
			fmt.Fprintf(w, "\n  %s: words that share a code and are most alike\n", m.Label)
			for _, g := range m.record.Words.Alike {
				fmt.Fprintf(w, "  %s\n", g)
			}
		}
	}
	return nil
}

// Markdown writes the table for a page.
func (s *Sharing) Markdown(w io.Writer, store Store) error {
	methods, err := s.fill(store)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "### %s\n%s\n\n", s.Title, s.Note)
	for i, m := range methods {
		if i == 0 {
			fmt.Fprint(w, "| |")
			for _, x := range m.measures() {
				fmt.Fprintf(w, " %s |", x[0])
			}
			fmt.Fprintf(w, "\n| --- |%s\n", strings.Repeat(" ---: |", len(m.measures())))
		}
		fmt.Fprintf(w, "| %s |", m.Label)
		for _, x := range m.measures() {
			fmt.Fprintf(w, " %s |", x[1])
		}
		fmt.Fprintln(w)
	}
	fmt.Fprint(w, "\n| | the paper's words | words of the code |\n| --- | ---: | --- |\n")
	for i, paper := range s.Paper {
		fmt.Fprintf(w, "| **paper** | | **%s** |\n", paper.markdown())
		for _, m := range methods {
			if m.record == nil {
				fmt.Fprintf(w, "| %s | %s | %s |\n", m.Label, notRun, notRun)
				continue
			}
			ours := m.record.Words.Paper[i]
			fmt.Fprintf(w, "| %s | %d of %d | %s |\n", m.Label, ours.of(paper), len(paper.Words), ours.markdown())
		}
	}
	fmt.Fprint(w, "\nWords that share a code and are most like each other:\n\n| | words of the code |\n| --- | --- |\n")
	for _, m := range methods {
		if m.record != nil {
			for _, g := range m.record.Words.Alike {
				fmt.Fprintf(w, "| %s | %s |\n", m.Label, g.markdown())
			}
		}
	}
	fmt.Fprintln(w)
	return nil
}
