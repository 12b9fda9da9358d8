package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
)

// evalWordsOptions are what kd eval words is told.
type evalWordsOptions struct {
	file      string
	original  string
	input     vectorsInput // of the original
	pairs     []string
	analogies string
	json      bool
}

func newEvalWords(s *streams) *cobra.Command {
	var o evalWordsOptions
	cmd := &cobra.Command{
		Use:   "words FILE.kd",
		Short: "Measure what a table of words knows",
		Long: `Measure a table of words by what people said of them: with --pairs, how well the cosines
of word pairs agree with human scores (Spearman's rank correlation); with --analogies,
how many questions "a is to b as c is to …" it answers with the right word. With
--original, the table that the file was made of is measured beside it.

A line of --pairs is two words and a score, with tabs, commas or spaces between; a
first line without a score is a heading. --analogies has Google's format: four words a
line, and ": name" lines that begin sections. Words are sought as they are, then in
small letters; what the table does not have is left out, and counted.`,
		Example: `  kd eval words glove.kd --pairs wordsim353.csv --analogies questions-words.txt
  kd eval words glove.kd --original glove.6B.100d.txt --pairs simlex.txt --json`,
		Args:              wantArgs(false, "FILE.kd"),
		ValidArgsFunction: completeCodeFiles,
		RunE: func(cmd *cobra.Command, args []string) error {
			o.file = args[0]
			switch {
			case len(o.pairs) == 0 && o.analogies == "":
				return usagef("--pairs FILE or --analogies FILE is missing")
			case o.original == "" && o.input.given():
				return usagef("--symbols, --tensor and --dim are for the table of --original, which is missing")
			}
			return evalWords(cmd.Context(), s, o)
		},
	}
	f := cmd.Flags()
	f.StringArrayVar(&o.pairs, "pairs", nil, "`FILE` of word pairs with scores; may be given several times")
	f.StringVar(&o.analogies, "analogies", "", "`FILE` of analogies in Google's format")
	f.StringVar(&o.original, "original", "", "`TABLE` of vectors that the file was made of")
	o.input.flags(cmd)
	jsonFlag(cmd, &o.json)
	return cmd
}

// evalWordsResult is what --json prints.
type evalWordsResult struct {
	File     string     `json:"file"`
	Original string     `json:"original,omitempty"`
	Tables   []wordEval `json:"tables"` // the file's, then the original's
}

// wordEval is what a table of words knows.
type wordEval struct {
	File      string           `json:"file"`
	Pairs     []pairsResult    `json:"pairs,omitempty"`
	Analogies *analogiesResult `json:"analogies,omitempty"`
}

func evalWords(ctx context.Context, s *streams, o evalWordsOptions) error {
	var pairs []pairList
	for _, path := range o.pairs {
		list, err := readPairs(path)
		if err != nil {
			return err
		}
		pairs = append(pairs, pairList{path, list})
	}
	var questions []question
	if o.analogies != "" {
		var err error
		if questions, err = readAnalogies(o.analogies); err != nil {
			return err
		}
	}
	r := evalWordsResult{File: o.file, Original: o.original}
	paths, inputs := []string{o.file}, []vectorsInput{{}}
	if o.original != "" {
		paths, inputs = append(paths, o.original), append(inputs, o.input)
	}
	for i, path := range paths {
		e, err := evalSpace(ctx, s, path, inputs[i], pairs, questions)
		if err != nil {
			return err
		}
		r.Tables = append(r.Tables, e)
	}
	s.progress.clear()
	if o.json {
		return s.writeJSON(r)
	}
	r.print(s.out)
	return nil
}

// evalSpace measures the table at path.
func evalSpace(ctx context.Context, s *streams, path string, input vectorsInput, pairs []pairList, questions []question) (wordEval, error) {
	e := wordEval{File: path}
	t, err := openSpace(ctx, s, path, input)
	if err != nil {
		return e, err
	}
	defer t.Close()
	if !t.HasSymbols() {
		return e, dataf("%s: the table has no symbols, so no words to measure; make it with kd compress --symbols FILE", path)
	}
	for _, p := range pairs {
		result, err := evalPairs(t, p)
		if err != nil {
			return e, fmt.Errorf("%s: %w", path, err)
		}
		e.Pairs = append(e.Pairs, result)
	}
	if questions != nil {
		if e.Analogies, err = evalAnalogies(ctx, s, t, questions); err != nil {
			return e, fmt.Errorf("%s: %w", path, err)
		}
	}
	return e, nil
}

// print writes the tables side by side.
func (r *evalWordsResult) print(w io.Writer) {
	const numbers = 22
	line := func(what string, cell func(e wordEval) string) {
		text := fmt.Sprintf("%-34s", what)
		for _, e := range r.Tables {
			text += fmt.Sprintf("  %-*s", numbers, cell(e))
		}
		fmt.Fprintln(w, strings.TrimRight(text, " "))
	}
	line("", func(e wordEval) string { return e.File })
	for i := range r.Tables[0].Pairs {
		line(r.Tables[0].Pairs[i].File, func(e wordEval) string {
			p := e.Pairs[i]
			if p.Spearman == nil {
				return fmt.Sprintf("     - of %d/%d pairs", p.Known, p.Total)
			}
			return fmt.Sprintf("%6.4f of %d/%d pairs", *p.Spearman, p.Known, p.Total)
		})
	}
	if r.Tables[0].Analogies == nil {
		return
	}
	right := func(a accuracy) string { return fmt.Sprintf("%6.2f %% of %d/%d", 100*a.Accuracy, a.Known, a.Total) }
	for i := range r.Tables[0].Analogies.Sections {
		line(r.Tables[0].Analogies.Sections[i].Name, func(e wordEval) string { return right(e.Analogies.Sections[i].accuracy) })
	}
	line("all analogies", func(e wordEval) string { return right(e.Analogies.accuracy) })
}
