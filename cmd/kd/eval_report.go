package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"unicode/utf8"

	"github.com/kdcode/kdcode/classify"
)

// evalResult is what --json prints of a classifier.
type evalResult struct {
	File string `json:"file"`
	Task string `json:"task"`
	Test string `json:"test"`
	*classify.Report
	MacroF1 float64 `json:"macro_f1"`
	tableSize

	noun string // what is classified
}

func newEvalResult(file, task, test, noun string, r *classify.Report, size tableSize) *evalResult {
	return &evalResult{file, task, test, r, r.MacroF1(), size, noun}
}

// tableSize is what the embedding of a model takes.
type tableSize struct {
	StoredBits int64   `json:"stored_bits"` // as in kd info
	FullBits   int64   `json:"full_bits"`
	Ratio      float64 `json:"ratio"`
}

// sizeOf returns what the table at path takes.
func sizeOf(path string) (tableSize, error) {
	t, err := openTable(path)
	if err != nil {
		return tableSize{}, err
	}
	size := t.Size()
	return tableSize{size.Total(), size.Full, size.Ratio()}, t.Close()
}

func (s tableSize) print(w io.Writer) {
	fmt.Fprintf(w, "its embedding takes %s; as float32 vectors it would take %s\n", units(s.StoredBits/8), units(s.FullBits/8))
}

// print writes the report for humans.
func (r *evalResult) print(w io.Writer) {
	fmt.Fprintf(w, "%s on %s: accuracy %.4f, macro F1 %.4f, %s\n", r.File, r.Test, r.Accuracy, r.MacroF1, plural(r.Examples, r.noun))
	r.tableSize.print(w)
	fmt.Fprintln(w)
	width := utf8.RuneCountInString("label")
	for _, c := range r.Classes {
		width = max(width, utf8.RuneCountInString(quoted(c.Label)))
	}
	fmt.Fprintf(w, "%-*s %9s %9s %9s %9s\n", width, "label", r.noun+"s", "precision", "recall", "F1")
	for _, c := range r.Classes {
		fmt.Fprintf(w, "%-*s %9s %9.4f %9.4f %9.4f\n", width, quoted(c.Label), grouped(int64(c.Examples)), c.Precision, c.Recall, c.F1)
	}
	fmt.Fprintln(w)
	if len(r.Classes) > matrixLabels {
		r.printMistakes(w, width)
		return
	}
	r.printMatrix(w, width)
}

// matrixLabels is how many labels a line of the matrix has room for.
const matrixLabels = 12

// printMatrix writes how often each label was taken for each.
func (r *evalResult) printMatrix(w io.Writer, width int) {
	fmt.Fprintf(w, "Taken for: %ss of a line's label that were given a column's\n", r.noun)
	fmt.Fprintf(w, "%-*s", width, "")
	columns := make([]int, len(r.Classes))
	for j, c := range r.Classes {
		columns[j] = max(utf8.RuneCountInString(quoted(c.Label)), 6)
		fmt.Fprintf(w, "  %*s", columns[j], quoted(c.Label))
	}
	fmt.Fprintln(w)
	for i, c := range r.Classes {
		fmt.Fprintf(w, "%-*s", width, quoted(c.Label))
		for j, n := range r.Confusion[i] {
			fmt.Fprintf(w, "  %*s", columns[j], grouped(int64(n)))
		}
		fmt.Fprintln(w)
	}
}

// printMistakes writes which labels were taken for which most often.
func (r *evalResult) printMistakes(w io.Writer, width int) {
	type mistake struct{ label, taken, n int }
	var all []mistake
	for i, row := range r.Confusion {
		for j, n := range row {
			if i != j && n > 0 {
				all = append(all, mistake{i, j, n})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b mistake) int { return cmp.Compare(b.n, a.n) })
	const most = 20
	fmt.Fprintf(w, "%-*s %-*s %9s\n", width, "label", width, "taken for", r.noun+"s")
	for _, m := range all[:min(most, len(all))] {
		fmt.Fprintf(w, "%-*s %-*s %9s\n", width, quoted(r.Classes[m.label].Label), width, quoted(r.Classes[m.taken].Label), grouped(int64(m.n)))
	}
	if len(all) > most {
		fmt.Fprintf(w, "… and %s more; --json has all\n", plural(len(all)-most, "pair"))
	}
}
