package lm

import (
	"fmt"
	"strconv"

	"github.com/gomlx/gomlx/ml/model"

	"github.com/kdcode/kdcode/codefile"
	"github.com/kdcode/kdcode/learn"
)

// What makes a code file a language model.
const (
	keyTask  = "task"
	taskLM   = "lm"
	keySteps = "steps" // T: so that a text is measured as in training
)

// part is a variable of the network, and the tensor it becomes.
type part struct {
	scope, variable, tensor string
	dims                    []int
}

// parts returns the variables beside the embedding.
func (n *network) parts() []part {
	d, words := n.size.Dim, n.words.Symbols()
	var all []part
	for layer := 1; layer <= depth; layer++ {
		at := fmt.Sprintf("/"+lstmScope, layer)
		name := fmt.Sprintf("lm.lstm%d.", layer)
		all = append(all,
			part{at, "input", name + "input", []int{d, 4 * d}},
			part{at, "recurrent", name + "recurrent", []int{d, 4 * d}},
			part{at, "bias", name + "bias", []int{1, 4 * d}})
	}
	return append(all,
		part{"/" + softmaxScope, "weight", "lm.softmax.weight", []int{d, words}},
		part{"/" + softmaxScope, "bias", "lm.softmax.bias", []int{1, words}})
}

// export returns the trained model as the content of a code file.
func (n *network) export(store *model.Store, words []string) (*codefile.Model, error) {
	e, ok := n.words.(learn.Exporter)
	if !ok {
		return nil, fmt.Errorf("lm: the embedding %T cannot be written as a code file", n.words)
	}
	m, err := e.Export(store.Scope("/" + wordsScope))
	if err != nil {
		return nil, err
	}
	m.Symbols = words
	m.Tensors = map[string]codefile.Tensor{}
	for _, p := range n.parts() {
		values, err := learn.Values(store.Scope(p.scope), p.variable)
		if err != nil {
			return nil, err
		}
		m.Tensors[p.tensor] = codefile.FloatTensor(values, p.dims...)
	}
	if m.Metadata == nil {
		m.Metadata = map[string]string{}
	}
	m.Metadata[keyTask] = taskLM
	m.Metadata[keySteps] = strconv.Itoa(n.size.Steps)
	return m, nil
}
