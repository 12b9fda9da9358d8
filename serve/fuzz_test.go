package serve

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
)

// FuzzBody: whatever the body, the answer is one that the document has.
func FuzzBody(f *testing.F) {
	for _, body := range []string{"", "{}", `{"ids":[1]}`, `{"symbols":["cat"]}`, `{"ids":[[1,2,3]]}`, `{"vectors":[[1,2,3,4]],"k":2}`, `{"symbols":[["up","by","cat"]]}`, "\x01\x00\x00\x00", `{"symbols":["x"],"missing":"null"}`, `{"ids":[1e3]}`} {
		for route := range 4 {
			f.Add(uint8(route), false, body)
			f.Add(uint8(route), true, body)
		}
	}
	d := readDocument(f)
	s := newServer(f, sources(f), Options{Limits: Limits{Body: 1 << 16, Batch: 100, Queries: 4}})
	routes := []string{"vectors", "codes", "neighbours", "analogies"}
	f.Fuzz(func(t *testing.T, route uint8, octets bool, body string) {
		a := ask{"POST", "/v1/tables/t/" + routes[int(route)%len(routes)], body, nil}
		if octets {
			a.header = map[string]string{"Content-Type": "application/octet-stream"}
		}
		got := do(t, s, a)
		if got.status >= 500 {
			t.Errorf("%d %s", got.status, got.body)
		}
		d.check(t, a, got)
	})
}

// FuzzQuery: whatever the query, the answer is one that the document has.
func FuzzQuery(f *testing.F) {
	for _, query := range []string{"", "symbol=cat", "id=5", "id=-5", "digits=3-1&limit=2", "digits=0,1", "q=ca", "q=%ff", "k=3&id=1&metric=inner", "offset=9999999", "digits=-", "q=" + strings.Repeat("x", 50)} {
		for route := range 7 {
			f.Add(uint8(route), query)
		}
	}
	d := readDocument(f)
	s := newServer(f, sources(f), Options{})
	routes := []string{"vectors", "codes", "neighbours", "prefix", "complete", "map", "usage"}
	f.Fuzz(func(t *testing.T, route uint8, query string) {
		path := "/v1/tables/t/" + routes[int(route)%len(routes)]
		r := httptest.NewRequest("GET", path, nil)
		r.URL.RawQuery = query
		w := httptest.NewRecorder()
		s.ServeHTTP(w, r)
		if w.Code >= 500 {
			t.Errorf("%s?%s: %d %s", path, query, w.Code, w.Body)
		}
		d.check(t, ask{"GET", path, "", nil}, answer{w.Code, w.Header(), w.Body.Bytes()})
	})
}

// FuzzSymbolPath: a symbol is found by its path, whatever bytes it has.
func FuzzSymbolPath(f *testing.F) {
	for _, w := range words {
		f.Add(w.symbol)
	}
	s := newServer(f, sources(f), Options{})
	known := map[string]int{}
	for id, w := range words {
		known[w.symbol] = id
	}
	f.Fuzz(func(t *testing.T, symbol string) {
		escaped := strings.ReplaceAll(url.PathEscape(symbol), ".", "%2E")
		if symbol == "" {
			return // no path has it: ?symbol= does
		}
		w := httptest.NewRecorder()
		s.ServeHTTP(w, httptest.NewRequest("GET", "/v1/tables/t/codes/"+escaped, nil))
		id, ok := known[symbol]
		if (w.Code == http.StatusOK) != ok {
			t.Fatalf("%q: %d %s", symbol, w.Code, w.Body)
		}
		var got struct{ ID int }
		if err := json.Unmarshal(w.Body.Bytes(), &got); ok && (err != nil || got.ID != id) {
			t.Errorf("%q: %s", symbol, w.Body)
		}
	})
}

// FuzzReadMap: no map makes the server read outside a table.
func FuzzReadMap(f *testing.F) {
	f.Add(`{"ids":[0,1],"x":[0,1],"y":[1,0],"symbols":["up","week"]}`)
	f.Add(`{"ids":[-1],"x":[0],"y":[1],"symbols":[]}`)
	f.Add(`{"ids":[99],"x":[0],"y":[1]}`)
	f.Add(`{"ids":[1],"x":[0]}`)
	all := sources(f)
	f.Fuzz(func(t *testing.T, text string) {
		m, err := ReadMap(strings.NewReader(text))
		if err != nil {
			return
		}
		source := all[0]
		source.Map = m
		s, err := New([]Source{source}, Options{})
		if err != nil {
			return
		}
		defer s.Close()
		if got := get(t, s, "/v1/tables/t/map?digits=all"); got.status != http.StatusOK {
			t.Errorf("%d %s", got.status, got.body)
		}
	})
}
