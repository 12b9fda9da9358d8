package main

import (
	"context"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kdcode/kdcode/classify"
	"github.com/kdcode/kdcode/learn/lm"
)

// evalOptions are what kd eval is told.
type evalOptions struct {
	model   string
	test    string // of texts
	format  string
	data    graphData // the folder of a corpus, too
	part    string    // of a corpus
	backend string
	threads int
	json    bool

	given func(flag string) bool
}

func newEval(s *streams) *cobra.Command {
	var o evalOptions
	cmd := &cobra.Command{
		Use:   "eval MODEL.kd",
		Short: "Measure a trained model",
		Long: `Measure a trained model on labelled data: its accuracy, for each label precision, recall
and F1, and which labels were taken for which. What kind of model it is, its file says:
a text classifier is measured on --test, one of a graph's nodes on --data. Of a language
model the perplexity is measured, on the *test.txt of --data or another --part of it,
read as one stream.

Precision is how many of those that were given a label have it, recall how many of those
that have it were given it; F1 is the harmonic mean of both.`,
		Example: `  kd eval news.kd --test test.csv
  kd eval news.kd --test test.csv --json
  kd eval cora.kd --data planetoid --name cora
  kd eval words.kd --data ptb --part valid`,
		Args:              wantArgs(false, "MODEL.kd"),
		ValidArgsFunction: completeCodeFiles,
		RunE: func(cmd *cobra.Command, args []string) error {
			o.model, o.given = args[0], cmd.Flags().Changed
			if err := o.check(); err != nil {
				return err
			}
			return eval(cmd.Context(), s, o)
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.test, "test", "", "`FILE` of labelled texts")
	f.StringVar(&o.format, "format", classify.Detect.String(), "`FORMAT` of the texts: "+strings.Join(textFormats, ", "))
	o.data.flags(cmd)
	f.Lookup("data").Usage = "`DIR` of the graph, or of the language model's corpus"
	f.StringVar(&o.part, "part", "test", "`PART` of a language model's corpus: "+strings.Join(lm.Parts, ", "))
	f.IntVar(&o.threads, "threads", 0, "`N` cores to use; 0 uses all")
	backendFlag(cmd, &o.backend)
	f.Lookup("backend").Usage += ", of a language model"
	completeFlag(cmd, "part", lm.Parts...)
	completeFlag(cmd, "format", textFormats...)
	jsonFlag(cmd, &o.json)
	cmd.AddCommand(newEvalWords(s))
	return cmd
}

func (o *evalOptions) check() error {
	_, formatErr := classify.ParseFormat(o.format)
	switch {
	case o.test == "" && o.data.dir == "":
		return usagef("--test FILE or --data DIR is missing")
	case o.test != "" && o.data != (graphData{}):
		return usagef("--test is for texts, --data for a graph or a corpus: give one of them")
	case !slices.Contains(lm.Parts, o.part):
		return usagef("--part %s: use one of %s", o.part, strings.Join(lm.Parts, ", "))
	case formatErr != nil:
		return usagef("--format %s: use one of %s", o.format, strings.Join(textFormats, ", "))
	case o.threads < 0:
		return usagef("--threads %d: give a number from 0 up", o.threads)
	}
	return nil
}

// keyTask is the metadata that says what a model was trained for.
const keyTask = "task"

// taskOf returns what the model at path was trained for; a table was for
// nothing.
func taskOf(path string) (string, error) {
	t, err := openTable(path)
	if err != nil {
		return "", err
	}
	return t.Info().Metadata[keyTask], t.Close()
}

// refuse returns an error if one of the flags is given, which are for another
// kind of model.
func (o *evalOptions) refuse(kind string, flags ...string) error {
	for _, flag := range flags {
		if o.given(flag) {
			return usagef("--%s does not go with %s, which is %s", flag, o.model, kind)
		}
	}
	return nil
}

func eval(ctx context.Context, s *streams, o evalOptions) error {
	task, err := taskOf(o.model)
	if err != nil {
		return err
	}
	var r interface{ print(io.Writer) }
	switch task {
	case "text":
		r, err = evalText(ctx, s, o)
	case "graph":
		r, err = evalGraph(ctx, s, o)
	case taskLM:
		r, err = evalLM(ctx, s, o)
	case "":
		err = dataf("%s: a table of embeddings, not a trained model; train one with kd train", o.model)
	default:
		err = dataf("%s: a model for the task %q, which this kd cannot measure; use the kd that made it, or a newer one", o.model, task)
	}
	if err != nil {
		return err
	}
	s.progress.clear()
	if o.json {
		return s.writeJSON(r)
	}
	r.print(s.out)
	return nil
}
