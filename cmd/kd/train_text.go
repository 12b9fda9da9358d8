package main

import (
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/gomlx/compute"
	"github.com/spf13/cobra"

	"github.com/kdcode/kdcode/classify"
	"github.com/kdcode/kdcode/learn"
	"github.com/kdcode/kdcode/learn/text"
)

// trainTextOptions are what kd train text is told.
type trainTextOptions struct {
	data      textData
	embedding embeddingOptions
	training  trainingOptions
	steps     int
	batch     int
	codeRate  float64
	constant  bool
	dropWords float64
	patience  int
	outputs   trainingOutputs
}

// textData says where the texts are.
type textData struct {
	train, test, valid string
	format             string
	holdOut            float64
	minCount, maxWords int
}

// textFormats are the formats of labelled texts.
var textFormats = []string{classify.Detect.String(), classify.CSV.String(), classify.Tab.String(), classify.FastText.String()}

func newTrainText(s *streams) *cobra.Command {
	o := trainTextOptions{
		embedding: embeddingOptions{Dim: 300, Ways: 32, CodeLength: 32, DropDigits: 0.3},
		training:  trainingOptions{Rate: 3e-4},
	}
	cmd := &cobra.Command{
		Use:   "text --train FILE -o MODEL.kd",
		Short: "Train a text classifier",
		Long: `Train the paper's text classifier: the mean of a text's word embeddings, and a softmax
layer on it. The model is one code file, from which kd predict and package classify
predict. Texts are labelled in CSV ("class","title","text"), as text, a tab and the
label, or as fastText's __label__x, gzipped or not.

` + embeddingHelp + `

Part of the training texts is held out, or --valid is given: the model is that of the
epoch which did best on them. --hold-out 0 trains on all texts and keeps the last epoch.
The accuracy on --test is measured from the written file.

When Ctrl-C stops the work, the same command with --resume goes on from where it was, on
a CPU to the same file as if it had not been stopped. MODEL appears when it is complete,
or not at all.`,
		Example: `  kd train text --train train.csv --test test.csv -o news.kd
  kd train text --train train.csv --test test.csv -o full.kd --emb full
  kd train text --train reviews.tsv --valid dev.tsv -o reviews.kd --dim 100 -K 16 -D 16
  kd train text --train train.csv -o news.kd --guide pdg --guide-from full.kd`,
		Args:              wantArgs(false),
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := o.check(cmd); err != nil {
				return err
			}
			return trainText(cmd.Context(), s, o)
		},
	}
	o.data.flags(cmd)
	o.outputs.flags(cmd)
	o.embedding.flags(cmd)
	cmd.Flags().IntVar(&o.steps, "steps", 1800, "`N` steps to train, rounded up to whole epochs; --epochs instead counts those")
	cmd.Flags().IntVar(&o.batch, "batch", 64, "`N` texts a step")
	cmd.Flags().Float64Var(&o.codeRate, "code-rate", 30, "learning rate of the codes, `TIMES` --rate")
	cmd.Flags().BoolVar(&o.constant, "constant-rate", false, "keep the learning rate; otherwise it falls to zero by epochs")
	cmd.Flags().Float64Var(&o.dropWords, "drop-words", 0.15, "probability `P` of leaving a word out of a training text")
	cmd.Flags().IntVar(&o.patience, "patience", 0, "stop after `N` epochs without a better accuracy on validation; 0 trains to the end")
	o.training.flags(cmd)
	o.training.dropoutFlag(cmd)
	cmd.Flags().Lookup("rate").DefValue = "3e-4 for layers of codes, 3e-3 for others"
	return cmd
}

func (d *textData) flags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&d.train, "train", "", "`FILE` of labelled texts to learn from")
	f.StringVar(&d.test, "test", "", "`FILE` of labelled texts to measure the accuracy with")
	f.StringVar(&d.valid, "valid", "", "`FILE` of labelled texts to choose the best epoch with")
	f.Float64Var(&d.holdOut, "hold-out", 0.1, "`SHARE` of the training texts to choose the best epoch with, where --valid is not given")
	f.StringVar(&d.format, "format", classify.Detect.String(), "`FORMAT` of the texts: "+strings.Join(textFormats, ", "))
	f.IntVar(&d.minCount, "min-count", 1, "words that occur less than `N` times in the training texts are passed over")
	f.IntVar(&d.maxWords, "max-words", 0, "only the `N` most frequent words; 0 is all")
	completeFlag(cmd, "format", textFormats...)
}

// check refuses flags that no data fits.
func (o *trainTextOptions) check(cmd *cobra.Command) error {
	f := cmd.Flags()
	_, formatErr := classify.ParseFormat(o.data.format)
	switch {
	case o.data.train == "":
		return usagef("--train FILE is missing")
	case formatErr != nil:
		return usagef("--format %s: use one of %s", o.data.format, strings.Join(textFormats, ", "))
	case !(o.data.holdOut >= 0 && o.data.holdOut < 1):
		return usagef("--hold-out %g: give a share from 0 up, below 1", o.data.holdOut)
	case o.data.valid != "" && f.Changed("hold-out"):
		return usagef("--valid and --hold-out: give one of them")
	case o.data.minCount < 1:
		return usagef("--min-count %d: give a number from 1 up", o.data.minCount)
	case o.data.maxWords < 0:
		return usagef("--max-words %d: give a number from 0 up", o.data.maxWords)
	case f.Changed("steps") && f.Changed("epochs"):
		return usagef("--steps and --epochs: give one of them")
	case o.steps < 1:
		return usagef("--steps %d: give a number from 1 up", o.steps)
	case f.Changed("epochs") && o.training.Epochs < 1:
		return usagef("--epochs %d: give a number from 1 up", o.training.Epochs)
	case o.patience < 0:
		return usagef("--patience %d: give a number from 0 up", o.patience)
	case !positive(o.codeRate):
		return usagef("--code-rate %g: give a number above 0", o.codeRate)
	case !(o.dropWords >= 0 && o.dropWords < 1):
		return usagef("--drop-words %g: give a probability from 0 up, below 1", o.dropWords)
	case o.batch < 1:
		return usagef("--batch %d: give a number from 1 up", o.batch)
	case o.patience > 0 && o.data.valid == "" && o.data.holdOut == 0:
		return usagef("--patience needs texts to measure with: --valid or --hold-out")
	}
	if !f.Changed("rate") && !slices.Contains(composing, o.embedding.Kind) {
		o.training.Rate = 3e-3
	}
	if err := o.outputs.check(); err != nil {
		return err
	}
	if err := o.training.check(); err != nil {
		return err
	}
	return o.embedding.check(cmd)
}

// source returns the data as package text takes it.
func (o *trainTextOptions) source() text.Source {
	format, _ := classify.ParseFormat(o.data.format)
	return text.Source{
		Train: o.data.train, Valid: o.data.valid, Test: o.data.test, Format: format,
		HoldOut: o.data.holdOut, MinCount: o.data.minCount, MaxWords: o.data.maxWords, Seed: o.training.Seed,
	}
}

// textTask is the training of a text classifier.
type textTask struct {
	o      trainTextOptions
	corpus *text.Corpus
}

func trainText(ctx context.Context, s *streams, o trainTextOptions) error {
	began := time.Now()
	if err := o.outputs.canWrite(append(o.embedding.files(), o.data.train, o.data.valid, o.data.test)...); err != nil {
		return err
	}
	s.progress.note("reading " + o.data.train)
	t := &textTask{o: o}
	var err error
	if t.corpus, err = await(ctx, func() (*text.Corpus, error) { return text.Read(o.source()) }); err != nil {
		return err
	}
	job := &trainingJob{
		s: s, task: t, name: "text", source: o.data.train, symbols: t.corpus.Words, began: began,
		embedding: o.embedding, training: o.training, outputs: o.outputs,
	}
	return job.run(ctx)
}

func (t *textTask) settings() (map[string]any, error) {
	d := t.o.data
	files, err := contentsOf(map[string]string{"train": d.train, "valid": d.valid})
	if err != nil {
		return nil, err
	}
	maps.Copy(files, map[string]any{
		"format": d.format, "hold_out": d.holdOut, "min_count": d.minCount, "max_words": d.maxWords,
		"steps": t.o.steps, "batch": t.o.batch, "patience": t.o.patience,
		"code_rate": t.o.codeRate, "constant_rate": t.o.constant, "drop_words": t.o.dropWords,
	})
	return files, nil
}

func (t *textTask) train(ctx context.Context, backend compute.Backend, layer learn.Embedding, settings string, run *trainingRun) (*trained, error) {
	r, err := text.Train(ctx, t.corpus, layer, text.Options{
		Backend: backend, Batch: t.o.batch, Steps: t.o.steps, Epochs: t.o.training.Epochs, Rate: t.o.training.Rate,
		CodeRate: t.o.codeRate, Constant: t.o.constant, DropWords: t.o.dropWords,
		Dropout: t.o.training.Dropout, Patience: t.o.patience, Seed: t.o.training.Seed,
		Checkpoints: t.o.outputs.checkpoints, Settings: settings, OnStep: run.onStep, OnEpoch: run.onEpoch,
	})
	if err != nil {
		return nil, err
	}
	return &trained{r.Model, r.History, r.Test}, nil
}

func (t *textTask) describe(r *trainResult) {
	r.Labels, r.TrainExamples, r.ValidExamples, r.TestExamples = len(t.corpus.Labels), len(t.corpus.Train), len(t.corpus.Valid), len(t.corpus.Test)
	r.ValidAccuracy = bestScore(r.Epochs)
}

func (t *textTask) measure(ctx context.Context) (*learn.Evaluation, error) {
	if t.o.data.test == "" {
		return nil, nil
	}
	m, err := openClassifier(t.o.outputs.out)
	if err != nil {
		return nil, err
	}
	defer m.Close()
	report, err := evaluateText(ctx, m, t.o.data.test, t.o.data.format, 0)
	if err != nil {
		return nil, err
	}
	return &learn.Evaluation{Score: report.Accuracy}, nil
}
