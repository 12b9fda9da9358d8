package lm

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"

	"github.com/gomlx/compute"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/kdcode/kdcode"
	"github.com/kdcode/kdcode/internal/parallel"
	"github.com/kdcode/kdcode/learn"
)

// ErrNoModel is wrapped by errors about a code file that holds no language
// model, or one that cannot be used.
var ErrNoModel = errors.New("not a language model")

// Model is a trained language model, read from a code file.
type Model struct {
	Words []string

	ids      map[string]int32
	backend  compute.Backend
	store    *model.Store
	network  *network
	evaluate *evaluator
	step     *model.Exec // of one word, for sampling; made when it is needed
}

// Open reads the language model at path. Its embeddings are composed once.
func Open(path string, backend compute.Backend) (*Model, error) {
	t, err := kdcode.Open(path)
	if err != nil {
		return nil, err
	}
	defer t.Close()
	m, err := New(t, backend)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return m, nil
}

// New returns the language model in the file of an open table, which is not
// needed afterwards.
func New(t *kdcode.Table, backend compute.Backend) (*Model, error) {
	if task := t.Info().Metadata[keyTask]; task != taskLM {
		return nil, fmt.Errorf("%w: its task is %q; train one with kd train lm", ErrNoModel, task)
	}
	if !t.HasSymbols() {
		return nil, fmt.Errorf("%w: it has no words", ErrNoModel)
	}
	m := &Model{backend: backend, store: model.NewStore(), ids: map[string]int32{}}
	for _, word := range t.Symbols() {
		m.ids[word] = int32(len(m.Words))
		m.Words = append(m.Words, word)
	}
	steps, err := strconv.Atoi(t.Info().Metadata[keySteps])
	if err != nil || steps < 1 || steps > MaxSteps {
		return nil, fmt.Errorf("%w: it says to read %q words at a time; train it again", ErrNoModel, t.Info().Metadata[keySteps])
	}
	n, d := t.Len(), t.Dim()
	m.network = &network{learn.NewFull(n, d), Size{Dim: d, Steps: steps, InitScale: 1, Keep: 1}}
	if err := m.load(t); err != nil {
		return nil, err
	}
	m.evaluate, err = newEvaluator(backend, m.store, m.network)
	return m, err
}

// load copies the further tensors and the table into variables. The softmax is as
// large as the table: a file that has it is no small one that asks for a large
// table.
func (m *Model) load(t *kdcode.Table) error {
	for _, p := range m.network.parts() {
		if err := m.loadPart(t, p); err != nil {
			return err
		}
	}
	table, err := wholeTable(t)
	if err != nil {
		return err
	}
	_, err = m.store.CreateVariable("/"+wordsScope+"/table", tensors.FromFlatDataAndDimensions(table, t.Len(), t.Dim()))
	return err
}

// wholeTable composes all vectors, on all processors: an LSTM takes its time.
func wholeTable(t *kdcode.Table) ([]float32, error) {
	n, d := t.Len(), t.Dim()
	table, ids := make([]float32, n*d), make([]int, n)
	for i := range ids {
		ids[i] = i
	}
	err := parallel.Try(n, 64, func(from, to int) error { return t.LookupBatch(table[from*d:to*d], ids[from:to]) })
	return table, err
}

// loadPart copies a further tensor into its variable.
func (m *Model) loadPart(t *kdcode.Table, p part) error {
	tensor, err := t.Tensor(p.tensor)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrNoModel, err)
	}
	values, err := tensor.Floats()
	if err != nil {
		return fmt.Errorf("%w: the tensor %s: %w", ErrNoModel, p.tensor, err)
	}
	if want := p.dims[0] * p.dims[1]; len(values) != want {
		return fmt.Errorf("%w: the tensor %s has %d values, not %v", ErrNoModel, p.tensor, len(values), p.dims)
	}
	_, err = m.store.CreateVariable(model.JoinPath(p.scope, p.variable), tensors.FromFlatDataAndDimensions(values, p.dims...))
	return err
}

// Encode returns the ids of words, those unknown as <unk>.
func (m *Model) Encode(words []string) ([]int32, error) {
	ids, unknown := encode(words, m.ids)
	if unknown >= 0 {
		return nil, noSuchWord(unknown+1, words[unknown])
	}
	return ids, nil
}

// Perplexity returns that of a text as one stream, words by id.
func (m *Model) Perplexity(ctx context.Context, text []int32) (float64, error) {
	if len(text) < 2 {
		return 0, fmt.Errorf("%w: a text of %d words has none to predict", ErrFormat, len(text))
	}
	loss, err := m.evaluate.loss(ctx, text, 1)
	if err != nil {
		return 0, err
	}
	if p := math.Exp(loss); p < math.Inf(1) {
		return p, nil
	}
	return 0, unusable(fmt.Sprintf("the loss of a word is %g", loss))
}

// unusable is the error of a model that gives no numbers.
func unusable(what string) error {
	return fmt.Errorf("%w that can be used: %s: the file is damaged, which kd check finds, or its training diverged", ErrNoModel, what)
}

// ReadText returns the words of a file as ids, each line's end as one.
func (m *Model) ReadText(path string) ([]int32, error) {
	words, err := readWords(path)
	if err != nil {
		return nil, err
	}
	return encodeFile(path, words, m.ids)
}
