package vectors

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
)

// maxTokenizer is the longest tokenizer.json read.
const maxTokenizer = 256 << 20

// tokenizer has the tokens of a Hugging Face tokenizer.json by their ids.
// Rows that it has no token for, as models have to pad their tables, are
// called <unused-ID>.
type tokenizer struct {
	tokens map[int]string
	taken  map[string]int
}

// readTokenizer reads model.vocab, either an object token → id (BPE, WordPiece,
// WordLevel) or a list of [token, score] (Unigram), then added_tokens, which
// prevail. A token that has several ids keeps the smallest. There must not be
// ids beyond the table's rows.
func readTokenizer(in *input, rows int) (*tokenizer, error) {
	var file struct {
		Model struct {
			Vocab json.RawMessage `json:"vocab"`
		} `json:"model"`
		Added json.RawMessage `json:"added_tokens"`
	}
	if err := readJSON(in, &file, maxTokenizer); err != nil {
		return nil, err
	}
	t := &tokenizer{tokens: make(map[int]string), taken: make(map[string]int)}
	if err := t.vocabulary(file.Model.Vocab); err != nil {
		return nil, badf(in.name, "%v", err)
	}
	if err := t.added(file.Added); err != nil {
		return nil, badf(in.name, "%v", err)
	}
	ids := slices.Sorted(maps.Keys(t.tokens))
	if len(ids) == 0 {
		return nil, badf(in.name, "no tokens in model.vocab or added_tokens")
	}
	if low, high := ids[0], ids[len(ids)-1]; low < 0 || high >= rows {
		return nil, badf(in.name, "tokens have ids from %d to %d, the table has %d rows: it must have at least %d; is it another model's?", low, high, rows, high+1)
	}
	for _, id := range ids {
		token := t.tokens[id]
		if _, found := t.taken[token]; found || token == "" {
			delete(t.tokens, id)
			continue
		}
		t.taken[token] = id
	}
	return t, nil
}

func (t *tokenizer) vocabulary(vocab json.RawMessage) error {
	if len(vocab) == 0 {
		return fmt.Errorf("no model.vocab: not a tokenizer.json?")
	}
	if vocab[0] != '[' {
		var ids map[string]int
		if err := json.Unmarshal(vocab, &ids); err != nil {
			return fmt.Errorf("model.vocab: %v", err)
		}
		for _, token := range slices.Sorted(maps.Keys(ids)) {
			if other, found := t.tokens[ids[token]]; found {
				return fmt.Errorf("model.vocab: %q and %q have the same id %d", clip(other), clip(token), ids[token])
			}
			t.tokens[ids[token]] = token
		}
		return nil
	}
	id := 0
	err := each(vocab, func(pair [2]json.RawMessage) error {
		var token string
		if pair[1] == nil {
			return fmt.Errorf("entry %d is not a token and its score", id)
		}
		if err := json.Unmarshal(pair[0], &token); err != nil {
			return fmt.Errorf("entry %d: %v", id, err)
		}
		t.tokens[id] = token
		id++
		return nil
	})
	if err != nil {
		return fmt.Errorf("model.vocab: %v", err)
	}
	return nil
}

func (t *tokenizer) added(list json.RawMessage) error {
	if len(list) == 0 || string(list) == "null" {
		return nil
	}
	type token struct {
		ID      *int    `json:"id"`
		Content *string `json:"content"`
	}
	err := each(list, func(a token) error {
		if a.ID == nil || a.Content == nil {
			return errors.New("a token lacks its id or its content")
		}
		t.tokens[*a.ID] = *a.Content
		return nil
	})
	if err != nil {
		return fmt.Errorf("added_tokens: %v", err)
	}
	return nil
}

// each calls f with the elements of a list, one by one, up to an error.
func each[T any](list json.RawMessage, f func(T) error) error {
	d := json.NewDecoder(bytes.NewReader(list))
	if start, err := d.Token(); err != nil {
		return err
	} else if start != json.Delim('[') {
		return errors.New("not a list")
	}
	for d.More() {
		var v T
		if err := d.Decode(&v); err != nil {
			return err
		}
		if err := f(v); err != nil {
			return err
		}
	}
	return nil
}

func (t *tokenizer) symbol(row int) string {
	if token, ok := t.tokens[row]; ok {
		return token
	}
	name := fmt.Sprintf("<unused-%d>", row)
	for {
		if _, found := t.taken[name]; !found {
			return name
		}
		name += ">"
	}
}
