package vectors

import (
	"encoding/json"
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
		Added []struct {
			ID      *int    `json:"id"`
			Content *string `json:"content"`
		} `json:"added_tokens"`
	}
	if err := readJSON(in, &file, maxTokenizer); err != nil {
		return nil, err
	}
	t := &tokenizer{tokens: make(map[int]string), taken: make(map[string]int)}
	if err := t.vocabulary(file.Model.Vocab); err != nil {
		return nil, badf(in.name, "%v", err)
	}
	for _, a := range file.Added {
		if a.ID == nil || a.Content == nil {
			return nil, badf(in.name, "one of added_tokens lacks its id or its content")
		}
		t.tokens[*a.ID] = *a.Content
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
	var pairs [][]json.RawMessage
	if err := json.Unmarshal(vocab, &pairs); err != nil {
		return fmt.Errorf("model.vocab: %v", err)
	}
	for id, pair := range pairs {
		var token string
		if len(pair) != 2 {
			return fmt.Errorf("model.vocab: entry %d is not a token and its score", id)
		}
		if err := json.Unmarshal(pair[0], &token); err != nil {
			return fmt.Errorf("model.vocab: entry %d: %v", id, err)
		}
		t.tokens[id] = token
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
