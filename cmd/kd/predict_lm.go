package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kdcode/kdcode/learn/lm"
)

// sampling is how kd predict draws from a language model.
type sampling struct {
	words       int
	temperature float64
	seed        uint64
	backend     string
}

// samplingFlags are those that only a language model takes, and
// classifyingFlags those that it does not.
var (
	samplingFlags    = []string{"words", "temperature", "seed", "backend"}
	classifyingFlags = []string{"top", "labels-only", "threads"}
)

func (o *sampling) flags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.IntVar(&o.words, "words", 20, "`N` words that a language model adds")
	f.Lookup("words").DefValue = "those to the end of the sentence, 20 at most"
	f.Float64Var(&o.temperature, "temperature", 1, "`T` of drawing a word: 1 draws as the model has it, less keeps to likelier words, 0 to the likeliest")
	f.Uint64Var(&o.seed, "seed", 1, "`NUMBER` that chance begins from")
	backendFlag(cmd, &o.backend)
	f.Lookup("backend").Usage += ", of a language model"
}

func (o *sampling) check() error {
	switch {
	case o.words < 1:
		return usagef("--words %d: give a number from 1 up", o.words)
	case !(o.temperature >= 0):
		return usagef("--temperature %g: give a number from 0 up", o.temperature)
	}
	return nil
}

// predictLM continues each text by a language model.
func predictLM(ctx context.Context, s *streams, o predictOptions) error {
	for _, flag := range classifyingFlags {
		if o.given(flag) {
			return usagef("--%s is for classifiers: %s is a language model", flag, o.model)
		}
	}
	backend, _, err := openBackend(o.sampling.backend)
	if err != nil {
		return err
	}
	defer backend.Finalize()
	m, err := lm.Open(o.model, backend)
	if err != nil {
		return err
	}
	c := &continuing{ctx: ctx, m: m, o: o}
	how := lineReading{threads: 1, single: true} // one thread: a line's number is its seed
	return o.eachText(ctx, s, how, func(name string) newLineWork {
		return func() func(dst, line []byte) ([]byte, error) {
			c.name, c.number = name, 0
			return c.line
		}
	})
}

// continuing turns texts into longer ones.
type continuing struct {
	ctx    context.Context
	m      *lm.Model
	o      predictOptions
	name   string // of the file
	number int    // of the line in it
	texts  uint64 // so far: the same text again is continued in another way
}

// continuedText is what --json prints of a text.
type continuedText struct {
	Text         string `json:"text"`
	Continuation string `json:"continuation"`
	Ended        bool   `json:"ended"` // with the end of a sentence
}

// line appends a text and how it goes on.
func (c *continuing) line(dst, text []byte) ([]byte, error) {
	c.number++
	more, err := c.more(strings.Fields(string(text)))
	if err != nil {
		return dst, fmt.Errorf("%s:%d: %w", c.name, c.number, err)
	}
	c.texts++
	ended := len(more) > 0 && more[len(more)-1] == lm.EndOfSentence
	if ended && c.toEnd() { // which the end of the line says as well
		more = more[:len(more)-1]
	}
	if c.o.json {
		b := bytes.NewBuffer(dst)
		e := json.NewEncoder(b)
		e.SetEscapeHTML(false) // <unk> shall look like it
		err := e.Encode(continuedText{string(text), strings.Join(more, " "), ended})
		return b.Bytes(), err
	}
	dst = append(dst, text...)
	for _, word := range more {
		if len(dst) > 0 && dst[len(dst)-1] != ' ' && dst[len(dst)-1] != '\n' {
			dst = append(dst, ' ')
		}
		dst = append(dst, word...)
	}
	return append(dst, '\n'), nil
}

// toEnd reports whether to stop at the end of a sentence.
func (c *continuing) toEnd() bool { return !c.o.given("words") }

// more returns the words that follow those of a text. The text is the beginning
// of a sentence, which the model knows from the end of the one before.
func (c *continuing) more(words []string) ([]string, error) {
	text, err := c.m.Encode(words)
	if err != nil {
		return nil, err
	}
	end, err := c.m.Encode([]string{lm.EndOfSentence})
	if err != nil {
		return nil, err
	}
	ids, err := c.m.Continue(c.ctx, slices.Concat(end, text), lm.Sampling{
		Words: c.o.words, Temperature: c.o.temperature, Seed: c.o.seed + c.texts, ToEnd: c.toEnd(),
	})
	more := make([]string, len(ids))
	for i, id := range ids {
		more[i] = c.m.Words[id]
	}
	return more, err
}
