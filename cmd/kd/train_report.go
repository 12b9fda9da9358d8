package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"

	"github.com/kdcode/kdcode"
	"github.com/kdcode/kdcode/learn"
	"github.com/kdcode/kdcode/quantize"
)

// trainResult is what --json prints of a training.
type trainResult struct {
	Task        string `json:"task"`
	File        string `json:"file"` // empty if it could not be written
	FileBytes   int64  `json:"file_bytes"`
	Embedding   string `json:"embedding"`
	N           int    `json:"n"`
	Dim         int    `json:"dim"`
	Ways        int    `json:"ways"` // as stored; so the following
	CodeLength  int    `json:"code_length"`
	CodeDim     int    `json:"code_dim"`
	Composition string `json:"composition"`
	DType       string `json:"dtype"`

	Accuracy      *float64     `json:"accuracy"`        // on the test set, from the file where that can be; null without one
	GraphAccuracy *float64     `json:"graph_accuracy"`  // the same, by the graph that was trained
	ValidAccuracy *float64     `json:"valid_accuracy"`  // of the epoch that was kept
	Seeds         *seedsResult `json:"seeds,omitempty"` // where several were trained
	Labels        int          `json:"labels,omitempty"`
	TrainExamples int          `json:"train_examples"` // words of a language model; so the following
	ValidExamples int          `json:"valid_examples"`
	TestExamples  int          `json:"test_examples"`

	// Of a language model, as the accuracies of a classifier:
	Perplexity      *float64 `json:"perplexity,omitempty"`
	GraphPerplexity *float64 `json:"graph_perplexity,omitempty"`
	ValidPerplexity *float64 `json:"valid_perplexity,omitempty"` // of the epoch that was kept

	*quantize.Fidelity // of codes of vectors; nil for others

	Parameters int64     `json:"parameters"` // of the embedding layer, by the paper's count; so bits
	Bits       int64     `json:"bits"`
	FullBits   int64     `json:"full_bits"`
	Ratio      float64   `json:"ratio"`
	StoredBits *infoBits `json:"stored_bits"` // in the file

	Backend      string        `json:"backend"`
	Seed         uint64        `json:"seed"`
	Seconds      float64       `json:"seconds"`       // of training, resumed runs added up
	TotalSeconds float64       `json:"total_seconds"` // of this run, with reading, writing and measuring
	Epochs       []learn.Epoch `json:"epochs"`
	Notes        []string      `json:"notes"`

	Settings json.RawMessage `json:"settings"` // all that determines the result, files by their content

	fromFile bool // the accuracy, or the perplexity, is
	resumed  bool // from a checkpoint
}

func newTrainResult(task, kind string, size learn.Size, history []learn.Epoch) *trainResult {
	r := &trainResult{
		Task: task, Embedding: kind, N: size.Symbols, Dim: size.Dim,
		Parameters: size.Parameters, Bits: size.Bits(), FullBits: size.Full(), Ratio: size.Ratio(),
		Epochs: history, Notes: []string{},
	}
	if len(history) > 0 {
		r.Seconds = history[len(history)-1].Seconds
	}
	return r
}

// tested fills in how good the model is on the test set; nil is without one.
func (r *trainResult) tested(e *learn.Evaluation) {
	switch {
	case e == nil:
	case e.Perplexity > 0:
		r.Perplexity = &e.Perplexity
	default:
		r.Accuracy = &e.Score
	}
}

// bestScore returns the highest score of the epochs, nil if none has one.
func bestScore(epochs []learn.Epoch) *float64 {
	var best *float64
	for _, e := range epochs {
		if e.Score != nil && (best == nil || *e.Score > *best) {
			best = e.Score
		}
	}
	return best
}

// shape fills in what the written file holds.
func (r *trainResult) shape(t *kdcode.Table) {
	info, size := t.Info(), t.Size()
	r.Ways, r.CodeLength, r.CodeDim = info.K, info.D, info.CodeDim
	r.Composition, r.DType = string(info.Composition), string(info.DType)
	r.StoredBits = &infoBits{size.Codes, size.Parameters, size.Symbols, size.Full}
}

// title is what a picture of the training is called.
func (r *trainResult) title() string {
	title := r.Embedding
	if r.File != "" {
		title = filepath.Base(r.File) + ": " + title
	}
	if r.CodeLength > 1 { // else the id is the code
		title += fmt.Sprintf(", K = %d, D = %d", r.Ways, r.CodeLength)
	}
	title += fmt.Sprintf(", d = %d", r.Dim)
	if r.Accuracy != nil {
		title += fmt.Sprintf("; accuracy %.4f on the test set", *r.Accuracy)
	}
	if r.Perplexity != nil {
		title += fmt.Sprintf("; perplexity %.2f on the test set", *r.Perplexity)
	}
	return title
}

func (r *trainResult) write(s *streams, asJSON bool) error {
	if asJSON {
		return s.writeJSON(r)
	}
	r.print(s.out)
	return nil
}

// reportLine writes a line of the report: a name, its value, and what it is.
type reportLine func(name, value, format string, args ...any)

// print writes the report for humans.
func (r *trainResult) print(w io.Writer) {
	line := func(name, value, format string, args ...any) {
		fmt.Fprintf(w, "%-18s %8s  %s\n", name, value, fmt.Sprintf(format, args...))
	}
	kind, labels, beside := r.Task+" classifier", ", "+plural(r.Labels, "label"), "symbols and classifier"
	switch r.Task {
	case taskLM:
		kind, labels, beside = "language model", "", "symbols, LSTM and softmax"
	case taskCodes:
		kind, labels, beside = "codes of vectors", "", "symbols"
	}
	fmt.Fprintf(w, "%s: %s, %s of width %d%s\n", cmp.Or(r.File, "(no file)"), kind, plural(r.N, "embedding"), r.Dim, labels)
	fmt.Fprintf(w, "%s", r.Embedding)
	if r.File != "" {
		fmt.Fprintf(w, ", stored as K = %d, D = %d, %s, %s", r.Ways, r.CodeLength, r.Composition, r.DType)
	}
	fmt.Fprintf(w, "; backend %s, seed %d\n\n", r.Backend, r.Seed)
	r.printMeasures(line)
	r.printCodes(line)
	whole := "in all"
	if r.resumed {
		whole = "since it was resumed"
	}
	line("seconds", fmt.Sprintf("%.1f", r.Seconds), "for %s, %.1f %s", plural(len(r.Epochs), "epoch"), r.TotalSeconds, whole)
	r.printSizes(w, beside)
}

// printMeasures writes how good the model is.
func (r *trainResult) printMeasures(line reportLine) {
	from := "measured by the graph"
	if r.fromFile {
		from = "measured from the file"
	}
	if r.Accuracy != nil {
		line("accuracy", fmt.Sprintf("%.4f", *r.Accuracy), "on %s to test, %s", grouped(int64(r.TestExamples)), from)
	}
	if r.Perplexity != nil {
		line("perplexity", fmt.Sprintf("%.2f", *r.Perplexity), "on %s words to test, %s", grouped(int64(r.TestExamples)), from)
	}
	if r.Fidelity != nil {
		line("relative error", fmt.Sprintf("%.4f", r.RelativeError), "of the vectors' squared length is lost")
		line("mean cosine", fmt.Sprintf("%.4f", r.MeanCosine), "between a vector and what stands for it")
		line("neighbours kept", fmt.Sprintf("%.3f", r.NeighbourOverlap), "of the 10 nearest, on a sample")
	}
	if r.ValidPerplexity != nil {
		line("validation", fmt.Sprintf("%.2f", *r.ValidPerplexity), "on %s words held out, in the epoch that was kept", grouped(int64(r.ValidExamples)))
	}
	if r.Seeds != nil && r.Seeds.Mean != nil {
		line("mean", fmt.Sprintf("%.4f", *r.Seeds.Mean), "over %s, standard deviation %.4f", plural(len(r.Seeds.Runs), "seed"), *r.Seeds.Deviation)
	}
	if r.ValidAccuracy != nil {
		line("validation", fmt.Sprintf("%.4f", *r.ValidAccuracy), "on %s held out, in the epoch that was kept", grouped(int64(r.ValidExamples)))
	}
}

// printSizes writes what the embeddings take, and the file with what is beside
// them.
func (r *trainResult) printSizes(w io.Writer, beside string) {
	fmt.Fprintf(w, "\n%-22s %10s %16s\n", "size of the embeddings", "", "bits")
	row := func(name string, bits int64, remark string) {
		fmt.Fprintf(w, "%-22s %10s %16s%s\n", name, units((bits+7)/8), grouped(bits), remark)
	}
	row("by the paper's count", r.Bits, fmt.Sprintf("  %s parameters; %s than the full table", grouped(r.Parameters), timesSmaller(r.Ratio)))
	row("full table", r.FullBits, "")
	if r.StoredBits != nil {
		stored := r.StoredBits.Codes + r.StoredBits.Parameters
		row("stored", stored, "  "+timesSmaller(float64(r.FullBits)/float64(stored)))
		row("file", 8*r.FileBytes, "  with "+beside)
	}
}

// printCodes writes what the codes were like in the last epoch.
func (r *trainResult) printCodes(line reportLine) {
	if len(r.Epochs) == 0 {
		return
	}
	last := r.Epochs[len(r.Epochs)-1]
	line("loss", fmt.Sprintf("%.4f", last.Loss), "in the last epoch")
	if last.SharingCodes != nil {
		line("shared codes", grouped(int64(*last.SharingCodes)), "symbols have the code of another")
	}
	if last.CodesChanged != nil {
		line("codes changed", fmt.Sprintf("%.2f%%", 100**last.CodesChanged), "of the digits in the last epoch")
	}
	if last.Entropy != nil {
		line("entropy", fmt.Sprintf("%.3f", *last.Entropy), "nats a digit; 0 is decided")
	}
}

// timesSmaller puts into words how often something fits into another.
func timesSmaller(ratio float64) string {
	if ratio < 0.95 { // as 0.9 and less would be printed
		return fmt.Sprintf("%.1f times larger", 1/ratio)
	}
	return fmt.Sprintf("%.1f times smaller", ratio)
}
