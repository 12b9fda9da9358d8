package text

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"

	"github.com/kdcode/kdcode/classify"
)

// Corpus is labelled texts as the ids of their words.
type Corpus struct {
	Labels []string // of the training texts, sorted
	Words  []string // by falling frequency in the training texts
	Train  []Document
	Valid  []Document // held out for choosing the best epoch; may be empty
	Test   []Document // may be empty
}

// Document is a text: the ids of its known words, and its label's index.
type Document struct {
	Words []int32
	Label int32
}

// Source says where the texts of a corpus are and which words it knows.
type Source struct {
	Train, Valid, Test string          // paths; Valid and Test may be empty
	Format             classify.Format // of all of them
	HoldOut            float64         // share of the training texts to hold out where Valid is empty
	MinCount           int             // of a word in the training texts; 0 stands for 1
	MaxWords           int             // the most frequent ones; 0 is all
	Seed               uint64          // of what is held out
}

// Read reads a corpus. Labels of the other texts must be among those of the
// training texts.
func Read(s Source) (*Corpus, error) {
	texts, err := readAll(s.Train, s.Format)
	if err != nil {
		return nil, err
	}
	texts, held, err := s.holdOut(texts)
	if err != nil {
		return nil, err
	}
	counts := classify.Counts{}
	labels := map[string]int32{}
	for _, e := range texts {
		counts.Add(e.Text)
		labels[e.Label] = 0
	}
	if len(labels) < 2 {
		return nil, fmt.Errorf("%s: %w: all %d texts have the label %q: a classifier needs two or more", s.Train, classify.ErrFormat, len(texts), texts[0].Label)
	}
	vocabulary, err := counts.Vocabulary(max(s.MinCount, 1), s.MaxWords)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.Train, err)
	}
	c := &Corpus{Words: vocabulary.Words()}
	for l := range labels {
		c.Labels = append(c.Labels, l)
	}
	slices.Sort(c.Labels)
	for i, l := range c.Labels {
		labels[l] = int32(i)
	}
	if c.Train, err = documents(s.Train, texts, vocabulary, labels); err != nil {
		return nil, err
	}
	if c.Valid, err = documents(s.Train, held, vocabulary, labels); err != nil {
		return nil, err
	}
	for _, part := range []struct {
		path string
		to   *[]Document
	}{{s.Valid, &c.Valid}, {s.Test, &c.Test}} {
		if part.path == "" {
			continue
		}
		examples, err := readAll(part.path, s.Format)
		if err != nil {
			return nil, err
		}
		if *part.to, err = documents(part.path, examples, vocabulary, labels); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// holdOut takes a share of the texts out of training, but the last of no label:
// nothing could be learned of it.
func (s Source) holdOut(texts []classify.Example) (train, held []classify.Example, err error) {
	switch {
	case s.HoldOut < 0 || s.HoldOut >= 1:
		return nil, nil, fmt.Errorf("text: holding out a share of %g: 0 up to 1 is possible", s.HoldOut)
	case s.HoldOut == 0 || s.Valid != "":
		return texts, nil, nil
	}
	n := int(s.HoldOut * float64(len(texts)))
	left := map[string]int{} // texts of each label
	for _, e := range texts {
		left[e.Label]++
	}
	out := make([]bool, len(texts))
	for _, i := range rand.New(rand.NewPCG(s.Seed, 0)).Perm(len(texts))[:n] {
		if label := texts[i].Label; left[label] > 1 {
			left[label]--
			out[i] = true
		}
	}
	for i, e := range texts {
		if out[i] {
			held = append(held, e)
		} else {
			train = append(train, e)
		}
	}
	return train, held, nil
}

// readAll reads all texts of a file.
func readAll(path string, format classify.Format) ([]classify.Example, error) {
	r, err := classify.OpenExamples(path, format)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	var all []classify.Example
	for {
		e, err := r.Read()
		switch {
		case errors.Is(err, io.EOF):
			return all, nil
		case err != nil:
			return nil, err
		}
		all = append(all, e)
	}
}

// documents turns texts into ids.
func documents(path string, texts []classify.Example, v *classify.Vocabulary, labels map[string]int32) ([]Document, error) {
	docs := make([]Document, len(texts))
	for i, e := range texts {
		label, ok := labels[e.Label]
		if !ok {
			return nil, fmt.Errorf("%s:%d: %w %q: no training text has it", path, e.Line, classify.ErrLabel, e.Label)
		}
		docs[i].Label = label
		for token := range classify.Tokens(e.Text) {
			if id, ok := v.ID(token); ok {
				docs[i].Words = append(docs[i].Words, int32(id))
			}
		}
	}
	return docs, nil
}
