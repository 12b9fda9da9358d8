package main

import (
	"context"
	"slices"
	"strings"

	"github.com/kdcode/kdcode/search"
)

// question is an analogy: words[0] is to words[1] as words[2] is to words[3].
type question struct {
	section string
	words   [4]string
}

// accuracy is how many questions were answered right.
type accuracy struct {
	Total    int     `json:"questions"`
	Known    int     `json:"known"` // of words that the table has
	Right    int     `json:"right"`
	Accuracy float64 `json:"accuracy"` // right, of those known
}

// analogiesResult is the accuracy of all questions, and of each section.
type analogiesResult struct {
	accuracy
	Sections []sectionResult `json:"sections"`
}

type sectionResult struct {
	Name string `json:"section"`
	accuracy
}

// readAnalogies reads a file in Google's format.
func readAnalogies(path string) ([]question, error) {
	var questions []question
	section := "analogies"
	err := eachEvalLine(path, func(number int, line string) error {
		if name, ok := strings.CutPrefix(line, ":"); ok {
			section = strings.TrimSpace(name)
			return nil
		}
		words := strings.Fields(line)
		if len(words) != 4 {
			return dataf("%s:%d: %d words instead of four; a line is a b c d: a is to b as c is to d", path, number, len(words))
		}
		questions = append(questions, question{section, [4]string(words)})
		return nil
	})
	if err == nil && len(questions) == 0 {
		err = dataf("%s: no analogies; a line is four words", path)
	}
	return questions, err
}

// analogyBatch is how many questions are asked at a time.
const analogyBatch = 256

// evalAnalogies answers the questions by 3CosAdd over all words but the three
// of the question.
func evalAnalogies(ctx context.Context, s *streams, t space, questions []question) (*analogiesResult, error) {
	r := &analogiesResult{}
	at := map[string]int{}
	s.progress.start()
	for from := 0; from < len(questions); from += analogyBatch {
		s.progress.update("answering analogies", from, len(questions))
		batch := questions[from:min(from+analogyBatch, len(questions))]
		right, known, err := answer(ctx, t, batch)
		if err != nil {
			return nil, err
		}
		for i, q := range batch {
			if _, ok := at[q.section]; !ok {
				at[q.section] = len(r.Sections)
				r.Sections = append(r.Sections, sectionResult{Name: q.section})
			}
			r.Sections[at[q.section]].count(known[i], right[i])
			r.count(known[i], right[i])
		}
	}
	return r, nil
}

// count counts a question in.
func (a *accuracy) count(known, right bool) {
	a.Total++
	if known {
		a.Known++
	}
	if right {
		a.Right++
	}
	if a.Known > 0 {
		a.Accuracy = float64(a.Right) / float64(a.Known)
	}
}

// answer tells which questions have only words that the table knows, and which
// of those it answers right.
func answer(ctx context.Context, t space, batch []question) (right, known []bool, err error) {
	right, known = make([]bool, len(batch)), make([]bool, len(batch))
	var queries [][]float32
	var ids [][4]int
	var of []int
	for i, q := range batch {
		var words [4]int
		known[i] = true
		for w, word := range q.words {
			var ok bool
			words[w], ok = wordID(t, word)
			known[i] = known[i] && ok
		}
		if !known[i] {
			continue
		}
		query, err := search.Analogy(t, words[0], words[1], words[2])
		if err != nil {
			return nil, nil, err
		}
		queries, ids, of = append(queries, query), append(ids, words), append(of, i)
	}
	// The three words of the question can be the nearest: the fourth is the
	// answer then.
	found, err := t.near(ctx, queries, search.Options{Limit: 4, Metric: search.Cosine})
	if err != nil {
		return nil, nil, err
	}
	for q, near := range found {
		for _, n := range near {
			if !slices.Contains(ids[q][:3], n.ID) {
				right[of[q]] = n.ID == ids[q][3]
				break
			}
		}
	}
	return right, known, nil
}
