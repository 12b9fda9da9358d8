package main

import (
	"context"
	"encoding/json"
	"fmt"
	"runtime"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kdcode/kdcode/classify"
	"github.com/kdcode/kdcode/learn/lm"
)

// predictOptions are what kd predict is told.
type predictOptions struct {
	model      string
	files      []string // none is standard input
	k          int
	labelsOnly bool
	threads    int
	json       bool

	sampling // of a language model
	given    func(flag string) bool
}

func newPredict(s *streams) *cobra.Command {
	var o predictOptions
	cmd := &cobra.Command{
		Use:   "predict MODEL.kd [FILE…]",
		Short: "Predict with a trained model: the labels of texts, or how they go on",
		Long: `Predict the label of each text of the files, one a line, or of standard input. Each
becomes a line with the likeliest label, a tab and its probability; with -k, the k
likeliest in one line. Files may be gzipped. Where MODEL is a language model, each line is
the beginning of a text, and becomes that text continued.

Words that the model does not know are passed over. A text without a known word, such as
an empty line, is predicted too: from the classifier's bias alone, which is what it knows
of texts in general.

A language model draws word after word, up to the end of the sentence or 20 words; with
--words N it draws N, and goes on after ` + lm.EndOfSentence + `, the end of a sentence. Words are what
stands between spaces; those that it does not know it reads as <unk>. The same --seed
draws the same.

With --json each text becomes a JSON object in a line of its own: the texts may have no
end.`,
		Example: `  echo 'Stocks fell on Tuesday.' | kd predict news.kd
  kd predict news.kd texts.txt -k 3
  kd predict news.kd texts.txt.gz --labels-only > labels.txt
  echo 'the company said' | kd predict words.kd --words 30 --temperature 0.8`,
		Args:              wantArgs(true, "MODEL.kd"),
		ValidArgsFunction: completeModelThenFiles,
		RunE: func(cmd *cobra.Command, args []string) error {
			o.model, o.files, o.given = args[0], args[1:], cmd.Flags().Changed
			if err := o.check(); err != nil {
				return err
			}
			return predict(cmd.Context(), s, o)
		},
	}
	f := cmd.Flags()
	f.IntVarP(&o.k, "top", "k", 1, "`N` likeliest labels of each text; 0 is all")
	f.BoolVar(&o.labelsOnly, "labels-only", false, "print no probabilities")
	f.IntVar(&o.threads, "threads", 0, "`N` cores to use; 0 uses all")
	o.sampling.flags(cmd)
	f.BoolVar(&o.json, "json", false, "print one JSON object a text, a line each")
	return cmd
}

func (o *predictOptions) check() error {
	switch {
	case o.k < 0:
		return usagef("-k %d: give a number from 0 up", o.k)
	case o.threads < 0:
		return usagef("--threads %d: give a number from 0 up", o.threads)
	case o.json && o.labelsOnly:
		return usagef("--json and --labels-only: ask for one of them")
	}
	if err := o.sampling.check(); err != nil {
		return err
	}
	if o.threads == 0 {
		o.threads = runtime.GOMAXPROCS(0)
	}
	return nil
}

// completeModelThenFiles completes a code file, then files of any kind.
func completeModelThenFiles(cmd *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
	if len(args) == 0 {
		return completeCodeFiles(cmd, args, begun)
	}
	return nil, cobra.ShellCompDirectiveDefault
}

func predict(ctx context.Context, s *streams, o predictOptions) error {
	task, err := taskOf(o.model)
	if err != nil {
		return err
	}
	if task == taskLM {
		return predictLM(ctx, s, o)
	}
	for _, flag := range samplingFlags {
		if o.given(flag) {
			return usagef("--%s is for language models: %s is none", flag, o.model)
		}
	}
	m, err := openClassifier(o.model)
	if err != nil {
		return err
	}
	defer m.Close()
	if o.k == 0 {
		o.k = len(m.Labels())
	}
	work := func() func(dst, line []byte) ([]byte, error) {
		p := &predicting{p: m.Predictor(), o: o}
		return p.line
	}
	return o.eachText(ctx, s, lineReading{threads: o.threads}, func(string) newLineWork { return work })
}

// newLineWork returns the work of a goroutine on lines, as eachLine takes it.
type newLineWork = func() func(dst, line []byte) ([]byte, error)

// eachText writes what becomes of each line of the files, or of standard input.
// The work may differ with the file's name.
func (o *predictOptions) eachText(ctx context.Context, s *streams, how lineReading, work func(name string) newLineWork) error {
	for _, path := range o.files {
		if err := predictFile(ctx, s, path, how, work(path)); err != nil {
			return err
		}
	}
	if len(o.files) > 0 {
		return nil
	}
	if s.keyboard {
		fmt.Fprintln(s.err, "kd: reading texts from the keyboard, one a line; Ctrl-D ends")
	}
	return eachLine(ctx, s.out, s.in, "stdin", how, work("stdin"))
}

func predictFile(ctx context.Context, s *streams, path string, how lineReading, work newLineWork) error {
	f, err := openTexts(path)
	if err != nil {
		return err
	}
	defer f.Close()
	return eachLine(ctx, s.out, f, path, how, work)
}

// openClassifier opens a text classifier. Where the file is something else it
// says so.
func openClassifier(path string) (*classify.Model, error) {
	t, err := openTable(path)
	if err != nil {
		return nil, err
	}
	m, err := classify.New(t)
	if err != nil {
		t.Close()
		return nil, withFile(path, err)
	}
	return m, nil
}

// withFile puts the file's name before an error that does not begin with it.
func withFile(path string, err error) error {
	if strings.HasPrefix(err.Error(), path+":") {
		return err
	}
	return fmt.Errorf("%s: %w", path, err)
}

// predicting turns texts into lines of predictions, on one goroutine.
type predicting struct {
	p *classify.Predictor
	o predictOptions
}

// predictedText is what --json prints of a text.
type predictedText struct {
	Predictions []classify.Prediction `json:"predictions"`
}

// line appends what is predicted for a text.
func (p *predicting) line(dst, text []byte) ([]byte, error) {
	best, err := p.p.PredictBytes(text, p.o.k)
	if err != nil {
		return dst, withFile(p.o.model, err)
	}
	if p.o.json {
		object, err := json.Marshal(predictedText{best})
		return append(append(dst, object...), '\n'), err
	}
	for i, b := range best {
		if i > 0 {
			dst = append(dst, '\t')
		}
		if strings.ContainsAny(b.Label, "\t\r\n") {
			dst = strconv.AppendQuote(dst, b.Label)
		} else {
			dst = append(dst, b.Label...)
		}
		if !p.o.labelsOnly {
			dst = strconv.AppendFloat(append(dst, '\t'), b.Probability, 'f', 6, 64)
		}
	}
	return append(dst, '\n'), nil
}
