package serve

import (
	"bytes"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kdcode/kdcode"
	"github.com/kdcode/kdcode/codefile"
	"github.com/kdcode/kdcode/internal/tabletest"
)

// words are the symbols of the tests' table, with their codes.
var words = []struct {
	symbol string
	code   []uint16
}{
	{"up", []uint16{3, 1, 0}},
	{"week", []uint16{3, 1, 1}},
	{"by", []uint16{3, 1, 2}},
	{"when", []uint16{3, 1, 0}},
	{"tuesday", []uint16{3, 1, 1}},
	{"cat", []uint16{0, 2, 2}},
	{"cats", []uint16{0, 2, 1}},
	{"new york", []uint16{1, 0, 3}},
	{"and/or", []uint16{3, 1, 0}},
	{".", []uint16{2, 2, 2}},
	{"", []uint16{2, 3, 2}},
	{"\xffodd", []uint16{2, 3, 1}},
	{"Cathy", []uint16{2, 3, 0}},
	{`"q" <é>`, []uint16{1, 1, 1}},
}

// model returns a model with those words: K = 4, D = 3, d = 4.
func model() *codefile.Model {
	const k, d, dim = 4, 3, 4
	m := &codefile.Model{
		Codes:       codefile.NewCodes(len(words), k, d),
		Composition: codefile.Sum,
		Embeddings:  codefile.Embeddings{Dim: dim},
		Metadata:    map[string]string{"made_by": "a test"},
	}
	for i, w := range words {
		m.Codes.Set(i, w.code)
		m.Symbols = append(m.Symbols, w.symbol)
	}
	for j := range d {
		for c := range k {
			for i := range dim {
				m.Embeddings.Values = append(m.Embeddings.Values, float32((7*j+3*c+5*i+c*i)%11)*0.25-1)
			}
		}
	}
	return m
}

// writeFile writes a model to a file of that name, and returns its path.
func writeFile(t testing.TB, name string, m *codefile.Model) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := codefile.WriteFile(path, m); err != nil {
		t.Fatal(err)
	}
	return path
}

// large is a table of n symbols w0, w1, ….
func large(t testing.TB, n int) string {
	t.Helper()
	return writeFile(t, "large.kd", tabletest.Model(tabletest.Shape{N: n, K: 16, D: 8, Dim: 20, CodeDim: 20, Composition: codefile.Sum}, 1))
}

// sources are the tests' tables: one with its original, one without symbols.
func sources(t testing.TB) []Source {
	t.Helper()
	ids := model()
	ids.Symbols = nil
	return []Source{
		{Name: "t", Path: writeFile(t, "t.kd", model()), Original: original(t, model())},
		{Name: "ids", Path: writeFile(t, "ids.kd", ids)},
	}
}

// original are the vectors of a model, as if it had been made from them.
func original(t testing.TB, m *codefile.Model) *Original {
	t.Helper()
	var b bytes.Buffer
	if _, err := m.WriteTo(&b); err != nil {
		t.Fatal(err)
	}
	table, err := kdcode.FromBytes(b.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	data := make([]float32, table.Len()*table.Dim())
	ids := make([]int, table.Len())
	for i := range ids {
		ids[i] = i
	}
	if err := table.LookupBatch(data, ids); err != nil {
		t.Fatal(err)
	}
	o, err := NewOriginal(m.Symbols, data, table.Dim())
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// newServer returns a server of those tables.
func newServer(t testing.TB, sources []Source, o Options) *Server {
	t.Helper()
	if o.Log == nil {
		o.Log = slog.New(slog.NewTextHandler(testLog{t}, nil))
	}
	s, err := New(sources, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// testLog writes to a test's log.
type testLog struct{ t testing.TB }

func (l testLog) Write(p []byte) (int, error) {
	l.t.Log(strings.TrimSpace(string(p)))
	return len(p), nil
}

// ask is a request.
type ask struct {
	method, path string
	body         string
	header       map[string]string
}

// answer is what came back.
type answer struct {
	status int
	header http.Header
	body   []byte
}

func do(t testing.TB, h http.Handler, a ask) answer {
	t.Helper()
	var body io.Reader
	if a.body != "" {
		body = strings.NewReader(a.body)
	}
	r := httptest.NewRequest(a.method, a.path, body)
	for name, value := range a.header {
		r.Header.Set(name, value)
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return answer{w.Code, w.Header(), w.Body.Bytes()}
}

func get(t testing.TB, h http.Handler, path string) answer {
	t.Helper()
	return do(t, h, ask{method: "GET", path: path})
}

func post(t testing.TB, h http.Handler, path, body string) answer {
	t.Helper()
	return do(t, h, ask{method: "POST", path: path, body: body})
}
