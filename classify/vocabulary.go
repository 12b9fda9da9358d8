package classify

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
)

// Counts counts the tokens of texts. The zero value is ready for use.
type Counts struct {
	tokenizer Tokenizer
	index     map[string]int
	words     []wordCount
	total     int
}

type wordCount struct {
	word  string
	count int
}

// Add counts the tokens of a text.
func (c *Counts) Add(text string) {
	if c.index == nil {
		c.index = make(map[string]int)
	}
	c.tokenizer.ResetString(text)
	for w := c.tokenizer.Next(); w != nil; w = c.tokenizer.Next() {
		c.total++
		if i, ok := c.index[string(w)]; ok {
			c.words[i].count++
			continue
		}
		c.index[string(w)] = len(c.words)
		c.words = append(c.words, wordCount{string(w), 1})
	}
}

// Total returns the number of tokens counted.
func (c *Counts) Total() int { return c.total }

// Distinct returns the number of different tokens counted.
func (c *Counts) Distinct() int { return len(c.words) }

// Vocabulary returns the words that occur at least minCount times, or the
// maxSize most frequent of them if maxSize is not 0. Ids go by falling
// frequency, words equally frequent by their bytes, whatever the order of the
// texts was.
func (c *Counts) Vocabulary(minCount, maxSize int) (*Vocabulary, error) {
	var kept []wordCount
	for _, w := range c.words {
		if w.count >= minCount {
			kept = append(kept, w)
		}
	}
	if len(kept) == 0 {
		return nil, c.noWords(minCount)
	}
	slices.SortFunc(kept, func(a, b wordCount) int {
		return cmp.Or(cmp.Compare(b.count, a.count), cmp.Compare(a.word, b.word))
	})
	if maxSize > 0 && len(kept) > maxSize {
		kept = kept[:maxSize]
	}
	words := make([]string, len(kept))
	for i, w := range kept {
		words[i] = w.word
	}
	return NewVocabulary(words)
}

func (c *Counts) noWords(minCount int) error {
	if c.total == 0 {
		return errors.New("classify: a vocabulary of no texts: there are no words to learn from")
	}
	return fmt.Errorf("classify: none of %d different words occurs %d times: lower the minimum count", len(c.words), minCount)
}

// Vocabulary gives words their ids. It is immutable and safe for concurrent use.
type Vocabulary struct {
	words []string
	ids   map[string]int
}

// NewVocabulary returns the vocabulary in which words have their indices as
// ids. They must differ.
func NewVocabulary(words []string) (*Vocabulary, error) {
	v := &Vocabulary{words: slices.Clone(words), ids: make(map[string]int, len(words))}
	for id, w := range v.words {
		if first, ok := v.ids[w]; ok {
			return nil, fmt.Errorf("classify: words %d and %d of a vocabulary are both %q; words must differ", first, id, w)
		}
		v.ids[w] = id
	}
	return v, nil
}

// Len returns the number of words.
func (v *Vocabulary) Len() int { return len(v.words) }

// Words returns the words in the order of their ids, in a slice of the
// caller's own.
func (v *Vocabulary) Words() []string { return slices.Clone(v.words) }

// ID returns the id of a word, and whether the vocabulary has it.
func (v *Vocabulary) ID(word string) (int, bool) {
	id, ok := v.ids[word]
	return id, ok
}

// AppendIDs splits a text and appends the ids of its known words to dst.
// Other words are passed over.
func (v *Vocabulary) AppendIDs(dst []int, text string) []int {
	var t Tokenizer
	t.ResetString(text)
	for w := t.Next(); w != nil; w = t.Next() {
		if id, ok := v.ids[string(w)]; ok {
			dst = append(dst, id)
		}
	}
	return dst
}
