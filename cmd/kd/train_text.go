package main

import (
	"context"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/kdcode/kdcode/classify"
	"github.com/kdcode/kdcode/codefile"
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
	o := trainTextOptions{training: trainingOptions{Rate: 1e-3}}
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
	o.embedding.flags(cmd, 300)
	cmd.Flags().IntVar(&o.steps, "steps", 5000, "`N` steps to train, rounded up to whole epochs; --epochs instead counts those")
	cmd.Flags().IntVar(&o.batch, "batch", 64, "`N` texts a step")
	o.training.flags(cmd)
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
		return usagef("--hold-out %g: give a share from 0 up to 1", o.data.holdOut)
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
	case o.batch < 1:
		return usagef("--batch %d: give a number from 1 up", o.batch)
	case o.training.Patience > 0 && o.data.valid == "" && o.data.holdOut == 0:
		return usagef("--patience needs texts to measure with: --valid or --hold-out")
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

// textTrainer trains one text classifier.
type textTrainer struct {
	s      *streams
	o      trainTextOptions
	corpus *text.Corpus
	layer  learn.Embedding
	notes  []string
	run    *trainingRun
}

func trainText(ctx context.Context, s *streams, o trainTextOptions) error {
	began := time.Now()
	if err := o.outputs.canWrite(o.data.train, o.data.valid, o.data.test, o.embedding.CodesFrom, o.embedding.VectorsFrom, o.embedding.GuideFrom); err != nil {
		return err
	}
	t := &textTrainer{s: s, o: o}
	if err := t.read(ctx); err != nil {
		return err
	}
	result, err := t.train(ctx)
	if result != nil {
		result.TotalSeconds = time.Since(began).Seconds()
		s.progress.clear()
		if printErr := result.write(s, o.outputs.json); printErr != nil {
			return printErr
		}
	}
	return err
}

// read reads the texts and makes the layer of their words.
func (t *textTrainer) read(ctx context.Context) error {
	t.s.progress.note("reading " + t.o.data.train)
	err := await(ctx, func() (err error) {
		t.corpus, err = text.Read(t.o.source())
		return err
	})
	if err != nil {
		return err
	}
	t.layer, t.notes, err = t.o.embedding.layer(ctx, t.s, t.corpus.Words, t.o.training.Seed)
	if err != nil {
		return err
	}
	t.s.progress.clear()
	if n := len(t.corpus.Words); n > codefile.MaxK && (t.o.embedding.Kind == embFull || t.o.embedding.Kind == embLowRank) {
		t.notes = append(t.notes, fmt.Sprintf("%s words are more than a code file holds without codes: no file will be written; --max-words %d makes one", grouped(int64(n)), codefile.MaxK))
	}
	for _, note := range t.notes {
		fmt.Fprintf(t.s.err, "kd: %s\n", note)
	}
	return ctx.Err()
}

// train trains, writes MODEL and measures it. Where MODEL cannot be written
// there is a result besides the error.
func (t *textTrainer) train(ctx context.Context) (*trainResult, error) {
	backend, name, err := openBackend(t.o.training.Backend)
	if err != nil {
		return nil, err
	}
	defer backend.Finalize()
	settings, err := t.settings(name)
	if err != nil {
		return nil, err
	}
	ctx, t.run, err = t.o.outputs.begin(ctx, t.s, settings)
	if err != nil {
		return nil, err
	}
	defer t.run.stop()
	trained, err := text.Train(ctx, t.corpus, t.layer, text.Options{
		Backend: backend, Batch: t.o.batch, Steps: t.o.steps, Epochs: t.o.training.Epochs, Rate: t.o.training.Rate,
		Dropout: t.o.training.Dropout, Patience: t.o.training.Patience, Seed: t.o.training.Seed,
		Checkpoints: t.o.outputs.checkpoints, Settings: settings, OnStep: t.run.onStep, OnEpoch: t.run.onEpoch,
	})
	if err != nil {
		return nil, t.run.ended(err)
	}
	r := t.result(trained, name)
	m, err := trained.Model()
	if err != nil {
		r.File = ""
		return r, fmt.Errorf("%s: not written: %w", t.o.outputs.out, err)
	}
	if err := t.write(ctx, m, r); err != nil {
		return nil, t.run.ended(err)
	}
	return r, t.run.finish(r)
}

// write writes MODEL and fills in what is measured from it.
func (t *textTrainer) write(ctx context.Context, m *codefile.Model, r *trainResult) error {
	noteTraining(m, "kd train text", t.o.data.train, t.o.embedding.Kind, t.o.training.Seed)
	var err error
	if r.FileBytes, err = t.run.write(ctx, m); err != nil {
		return err
	}
	if err := t.run.saveEmbedding(ctx); err != nil {
		return err
	}
	model, err := classify.Open(t.o.outputs.out)
	if err != nil {
		return err
	}
	defer model.Close()
	r.shape(model.Table())
	if t.o.data.test == "" {
		return nil
	}
	t.s.progress.note("measuring the accuracy")
	report, err := evaluateText(ctx, model, t.o.data.test, t.o.data.format, 0)
	if err != nil {
		return err
	}
	r.Accuracy = &report.Accuracy
	return nil
}

// evaluateText measures a classifier over the labelled texts at path.
func evaluateText(ctx context.Context, m *classify.Model, path, format string, threads int) (*classify.Report, error) {
	f, err := classify.ParseFormat(format)
	if err != nil {
		return nil, err
	}
	var report *classify.Report
	return report, await(ctx, func() error {
		r, err := classify.OpenExamples(path, f)
		if err != nil {
			return err
		}
		defer r.Close()
		report, err = m.Evaluate(r, threads)
		return err
	})
}

// settings returns what determines the result, in JSON. How the model is stored
// is not among it.
func (t *textTrainer) settings(backend string) (string, error) {
	data := map[string]any{"holdOut": t.o.data.holdOut, "min_count": t.o.data.minCount, "max_words": t.o.data.maxWords}
	files := map[string]string{"train": t.o.data.train, "valid": t.o.data.valid, "codes_from": t.o.embedding.CodesFrom, "vectors_from": t.o.embedding.VectorsFrom, "guide_from": t.o.embedding.GuideFrom}
	training := t.o.training
	training.Backend = backend
	return settingsOf(files, data, map[string]any{"steps": t.o.steps, "batch": t.o.batch, "format": t.o.data.format}, training, t.o.embedding)
}

// result is what is known before MODEL is written.
func (t *textTrainer) result(trained *text.Result, backend string) *trainResult {
	r := newTrainResult("text", t.o.embedding.Kind, t.layer.Size(), trained.History)
	r.File, r.Backend, r.Seed, r.Notes = t.o.outputs.out, backend, t.o.training.Seed, append(r.Notes, t.notes...)
	r.Labels, r.TrainExamples, r.ValidExamples, r.TestExamples = len(t.corpus.Labels), len(t.corpus.Train), len(t.corpus.Valid), len(t.corpus.Test)
	if trained.Test != nil {
		r.GraphAccuracy, r.Accuracy = &trained.Test.Score, &trained.Test.Score
	}
	return r
}

// noteTraining notes in a model how it was made. Nothing of it may differ
// between a resumed run and one in one piece.
func noteTraining(m *codefile.Model, verb, source, kind string, seed uint64) {
	if m.Metadata == nil {
		m.Metadata = map[string]string{}
	}
	m.Metadata[keyMadeBy] = verb
	m.Metadata[keyVersion] = moduleVersion()
	m.Metadata[keySource] = filepath.Base(source)
	m.Metadata[keyMethod] = kind
	m.Metadata[keySeed] = strconv.FormatUint(seed, 10)
}
