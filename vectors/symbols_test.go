package vectors

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// withSymbols reads an .npy table of that many rows with the symbols in text.
func withSymbols(t testing.TB, text string, rows int) (*Table, *Reader, error) {
	t.Helper()
	dir := t.TempDir()
	table, symbols := filepath.Join(dir, "table"), filepath.Join(dir, "symbols")
	k := kind{format: Npy}
	if err := errors.Join(os.WriteFile(table, k.encode(t, k.random(rows, 2)), 0o644), os.WriteFile(symbols, []byte(text), 0o644)); err != nil {
		t.Fatal(err)
	}
	r, err := Open(table, Options{Symbols: symbols})
	if err != nil {
		return nil, nil, err
	}
	defer r.Close()
	got, err := r.ReadAll()
	return got, r, err
}

func TestSymbols(t *testing.T) {
	for _, test := range []struct {
		text string
		want []string
	}{
		{"a\nb\nc\n", []string{"a", "b", "c"}},
		{"a\nb\nc", []string{"a", "b", "c"}},
		{"a\r\nb\r\nc\r\n\r\n", []string{"a", "b", "c"}},
		{"\xef\xbb\xbfa b\n \n\xff\n\n", []string{"a b", " ", "\xff"}},
		{`{"model":{"vocab":{"x":1,"y":0}},"added_tokens":[{"id":2,"content":"<pad>"}]}`, []string{"y", "x", "<pad>"}},
		{`{"model":{"vocab":{"x":2}}}`, []string{"<unused-0>", "<unused-1>", "x"}},
		{`{"model":{"vocab":{"<unused-1>":0}}}`, []string{"<unused-1>", "<unused-1>>", "<unused-2>"}},
		{`{"model":{"vocab":[["x",0],["y",-1.5]]},"added_tokens":[{"id":0,"content":"z"}]}`, []string{"z", "y", "<unused-2>"}},
		{`{"model":{"vocab":[["x",0],["",0],["x",0]]}}`, []string{"x", "<unused-1>", "<unused-2>"}},
		{"{\n  \"model\": {\"vocab\": {\"Ġa\": 0, \"\\u0120b\": 1, \"c\": 2}}}", []string{"Ġa", "Ġb", "c"}},
	} {
		got, r, err := withSymbols(t, test.text, 3)
		if err != nil {
			t.Errorf("%q: %v", test.text, err)
			continue
		}
		if !slices.Equal(got.Symbols, test.want) || !r.HasSymbols() {
			t.Errorf("%q: %q, want %q", test.text, got.Symbols, test.want)
		}
	}
}

func TestSymbolErrors(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"", "0 symbols for a table of 3 rows"},
		{"a\nb\n", "2 symbols for a table of 3 rows"},
		{"a\nb\nc\nd\n", "4 symbols for a table of 3 rows"},
		{"a\n\nc\n", "symbols:2: a blank line"},
		{`{"model":{"vocab":{"x":3}}}`, "ids from 3 to 3, the table has 3 rows: it must have at least 4"},
		{`{"model":{"vocab":{"x":-1}}}`, "ids from -1 to -1"},
		{`{"model":{"vocab":{"x":2000000000}}}`, "the table has 3 rows"},
		{`{"model":{"vocab":{"x":1.5}}}`, "model.vocab: json"},
		{`{"model":{"vocab":{"x":1,"y":1}}}`, `"x" and "y" have the same id 1`},
		{`{"model":{"vocab":["x"]}}`, "model.vocab: json"},
		{`{"model":{"vocab":[["x"]]}}`, "entry 0 is not a token and its score"},
		{`{"model":{"vocab":{}},"added_tokens":{}}`, "added_tokens: not a list"},
		{`{"model":{"vocab":[[1, 2]]}}`, "entry 0: json"},
		{`{"model":{"vocab":7}}`, "model.vocab: json"},
		{`{"model":{"vocab":{}}}`, "no tokens"},
		{`{"model":{}}`, "no model.vocab"},
		{`{"model":{"vocab":{}},"added_tokens":[{"id":1}]}`, "lacks its id or its content"},
		{`{"model":`, "unexpected end"},
	} {
		if _, _, err := withSymbols(t, test.text, 3); !errors.Is(err, ErrFormat) || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%q: error %v, want …%s…", test.text, err, test.want)
		}
	}
}

func TestSymbolDuplicates(t *testing.T) {
	got, r, err := withSymbols(t, "a\nb\na\n", 3)
	if err != nil {
		t.Fatal(err)
	}
	s := r.Skipped().Duplicates
	if !slices.Equal(got.Symbols, []string{"a", "b"}) || s.Count != 1 || !strings.HasSuffix(s.First, "offset 144") {
		t.Errorf("%q, skipped %+v", got.Symbols, s)
	}
}

func TestSymbolsNotNeeded(t *testing.T) {
	_, err := Open("testdata/golden.glove.txt", Options{Symbols: "testdata/golden.symbols.txt"})
	if err == nil || errors.Is(err, ErrFormat) || !strings.Contains(err.Error(), "has its own symbols") {
		t.Error(err)
	}
}

func TestWriteSymbols(t *testing.T) {
	path := filepath.Join(t.TempDir(), "symbols")
	want := []string{"a b", "\xff", "c\rd", " "}
	if err := WriteSymbols(path, want); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got, _, err := withSymbols(t, string(text), 4); err != nil || !slices.Equal(got.Symbols, want) {
		t.Errorf("%q, %v", got.Symbols, err)
	}
	for _, bad := range []string{"", "a\nb", "a\r", "\xef\xbb\xbfa", `{"a":`} {
		if err := WriteSymbols(path, []string{bad, "x"}); !errors.Is(err, ErrUnwritable) {
			t.Errorf("%q: %v", bad, err)
		}
	}
	if now, _ := os.ReadFile(path); string(now) != string(text) {
		t.Error("a failed write changed the file")
	}
}

func BenchmarkTokenizer(b *testing.B) {
	var s strings.Builder
	s.WriteString(`{"model":{"vocab":{`)
	for i := range 50_000 {
		fmt.Fprintf(&s, `"token%d":%d,`, i, i)
	}
	s.WriteString(`"last":50000}}}`)
	b.SetBytes(int64(s.Len()))
	for b.Loop() {
		in, err := newInput(strings.NewReader(s.String()), "data")
		if err != nil {
			b.Fatal(err)
		}
		if _, err := readTokenizer(in, 50_001); err != nil {
			b.Fatal(err)
		}
	}
}
