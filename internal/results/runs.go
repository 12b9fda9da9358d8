package results

import (
	"fmt"
	"io"
	"strings"
)

// RunsMarkdown writes what was run of a suite, an experiment a line.
func (s *Suite) RunsMarkdown(w io.Writer, store Store) error {
	var lines []string
	for i := range s.Experiments {
		e := &s.Experiments[i]
		records, err := store.All(e.Name)
		if err != nil {
			return err
		}
		if len(records) > 0 {
			lines = append(lines, runsLine(e, records))
		}
	}
	fmt.Fprintf(w, "### %s\n%d of %d experiments.\n\n", s.Title, len(lines), len(s.Experiments))
	if len(lines) == 0 {
		return nil
	}
	fmt.Fprint(w, "| experiment | seeds | epochs | validation | test | seconds an epoch | side by side | backend | command |\n| --- | ---: | ---: | ---: | ---: | ---: | ---: | --- | --- |\n")
	fmt.Fprint(w, strings.Join(lines, ""), "\n")
	return nil
}

// runsLine is the line of an experiment's runs.
func runsLine(e *Experiment, records []*Record) string {
	first := records[0]
	var tests, valids []float64
	for _, r := range records {
		tests = append(tests, r.Test)
		if r.Valid != nil {
			valids = append(valids, *r.Valid)
		}
	}
	digits := 2
	if first.Metric != Perplexity {
		digits = 4
	}
	epochs, seconds := notRun, notRun
	if len(first.Epochs) > 0 {
		epochs, seconds = fmt.Sprint(len(first.Epochs)), fmt.Sprintf("%.1f", first.SecondsPerEpoch)
	}
	return fmt.Sprintf("| %s | %d | %s | %s | %s | %s | %d | %s | `%s` |\n", e.Name, len(records), epochs,
		summary(valids, digits), summary(tests, digits), seconds, first.Jobs, first.Backend, first.Command)
}

// summary returns the mean of values, with their spread where they differ.
func summary(values []float64, digits int) string {
	if len(values) == 0 {
		return notRun
	}
	mean, spread := MeanAndSpread(values)
	if spread == 0 {
		return fmt.Sprintf("%.*f", digits, mean)
	}
	return fmt.Sprintf("%.*f ± %.*f", digits, mean, digits, spread)
}
