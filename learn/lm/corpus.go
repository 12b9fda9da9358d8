package lm

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/kdcode/kdcode/internal/gunzip"
)

// EndOfSentence stands at the end of each line.
const EndOfSentence = "<eos>"

// ErrFormat is wrapped by errors about the contents of a corpus.
var ErrFormat = errors.New("bad corpus")

// Corpus is text as the ids of its words.
type Corpus struct {
	Words              []string // by falling frequency in Train, ties by word
	Train, Valid, Test []int32  // as one stream each
}

// Parts are the parts of a corpus.
var Parts = []string{"train", "valid", "test"}

// Read reads the files *train.txt, *valid.txt and *test.txt of a folder, each
// gzipped or not: one sentence a line, words separated by spaces. A word that
// Train does not have is read as <unk>, if Train has that.
func Read(dir string) (*Corpus, error) {
	c := &Corpus{}
	var words [3][]string
	var paths [3]string
	for i, part := range Parts {
		var err error
		if paths[i], err = Find(dir, part); err != nil {
			return nil, err
		}
		if words[i], err = readWords(paths[i]); err != nil {
			return nil, err
		}
	}
	ids := c.count(words[0])
	for i, to := range []*[]int32{&c.Train, &c.Valid, &c.Test} {
		var err error
		if *to, err = encodeFile(paths[i], words[i], ids); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// Find returns the file of one of the Parts of the corpus in a folder.
func Find(dir, part string) (string, error) {
	if stat, err := os.Stat(dir); err == nil && !stat.IsDir() {
		return "", fmt.Errorf("%s: %w: a corpus is a folder, of *train.txt, *valid.txt and *test.txt", dir, ErrFormat)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return "", err
	}
	var all []string
	for _, e := range entries {
		if strings.HasSuffix(strings.TrimSuffix(e.Name(), ".gz"), part+".txt") {
			all = append(all, e.Name())
		}
	}
	switch len(all) {
	case 1:
		return filepath.Join(dir, all[0]), nil
	case 0:
		return "", fmt.Errorf("%s: %w: there is no *%s.txt: a corpus is a folder of *train.txt, *valid.txt and *test.txt", dir, ErrFormat, part)
	}
	return "", fmt.Errorf("%s: %w: %s all end in %s.txt: keep one of them there", dir, ErrFormat, strings.Join(all, ", "), part)
}

// byteOrderMark is what some editors put before a text. It is no part of it.
const byteOrderMark = "\ufeff"

// readWords returns the words of a file, each line's end as one.
func readWords(path string) ([]string, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	in, gzipped, err := gunzip.Reader(bufio.NewReader(f), func(what string) error { return fmt.Errorf("%w: %s", ErrFormat, what) })
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s: %w", path, err)
	case !gzipped && strings.HasSuffix(path, ".gz"):
		return nil, fmt.Errorf("%s: %w: it is called .gz, but is not gzip; rename it", path, ErrFormat)
	}
	var words []string
	lines := bufio.NewReader(in)
	for {
		line, err := lines.ReadString('\n')
		if len(words) == 0 {
			line = strings.TrimPrefix(line, byteOrderMark)
		}
		if line != "" {
			words = append(append(words, strings.Fields(line)...), EndOfSentence)
		}
		switch {
		case errors.Is(err, io.EOF):
			if len(words) == 0 {
				return nil, fmt.Errorf("%s: %w: the file is empty", path, ErrFormat)
			}
			return words, nil
		case err != nil:
			return nil, fmt.Errorf("%s: after %d words: %w", path, len(words), err)
		}
	}
}

// count orders the words of the training text, and returns their ids.
func (c *Corpus) count(train []string) map[string]int32 {
	counts := map[string]int{}
	for _, w := range train {
		counts[w]++
	}
	for w := range counts {
		c.Words = append(c.Words, w)
	}
	slices.SortFunc(c.Words, func(a, b string) int {
		if d := counts[b] - counts[a]; d != 0 {
			return d
		}
		return strings.Compare(a, b)
	})
	ids := make(map[string]int32, len(c.Words))
	for i, w := range c.Words {
		ids[w] = int32(i)
	}
	return ids
}

// encodeFile returns the ids of the words of a file.
func encodeFile(path string, words []string, ids map[string]int32) ([]int32, error) {
	stream, unknown := encode(words, ids)
	if unknown < 0 {
		return stream, nil
	}
	line, word := 1, 1
	for _, w := range words[:unknown] {
		if word++; w == EndOfSentence {
			line, word = line+1, 1
		}
	}
	return nil, fmt.Errorf("%s:%d: %w", path, line, noSuchWord(word, words[unknown]))
}

func noSuchWord(place int, word string) error {
	return fmt.Errorf("%w: word %d, %q, is not in the training text, which has no <unk> for it: leave it out, or train with <unk> in the place of rare words", ErrFormat, place, word)
}

// encode returns the ids of words, and which one has none, or -1.
func encode(words []string, ids map[string]int32) (stream []int32, without int) {
	unknown, hasUnknown := ids["<unk>"]
	stream = make([]int32, len(words))
	for i, w := range words {
		id, ok := ids[w]
		switch {
		case ok:
			stream[i] = id
		case hasUnknown:
			stream[i] = unknown
		default:
			return nil, i
		}
	}
	return stream, -1
}

// known returns an error unless words are ids of a vocabulary of n.
func known(words []int32, n int) error {
	for i, id := range words {
		if id < 0 || int(id) >= n {
			return fmt.Errorf("%w: word %d has the id %d, but there are %d words: take ids of this vocabulary", ErrFormat, i+1, id, n)
		}
	}
	return nil
}
