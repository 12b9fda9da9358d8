package serve

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"
)

// failureOf returns what an answer says went wrong.
func failureOf(t testing.TB, got answer) failure {
	t.Helper()
	var body struct{ Error failure }
	if err := json.Unmarshal(got.body, &body); err != nil {
		t.Fatalf("%v in %d %q", err, got.status, got.body)
	}
	return body.Error
}

// TestBadRequests: every mistake has a status, a code and a message, as the
// document says.
func TestBadRequests(t *testing.T) {
	d := readDocument(t)
	s := newServer(t, sources(t), Options{Limits: Limits{Body: 1000, Batch: 20, Queries: 3, Neighbours: 12}})
	octets := map[string]string{"Content-Type": "application/octet-stream"}
	manyIDs := `{"ids":[` + strings.TrimSuffix(strings.Repeat("0,", 21), ",") + `]}`
	for _, test := range []struct {
		ask
		status int
		code   string
		want   string // in the message
	}{
		{ask{"GET", "/v1/tables/t/vectors/cst", "", nil}, 404, "unknown_symbol", `no symbol "cst"`},
		{ask{"GET", "/v1/tables/t/codes/cst", "", nil}, 404, "unknown_symbol", `no symbol "cst"`},
		{ask{"GET", "/v1/tables/t/neighbours?symbol=cst", "", nil}, 404, "unknown_symbol", `no symbol "cst"`},
		{ask{"POST", "/v1/tables/t/vectors", `{"symbols":["cat","cst"]}`, nil}, 404, "unknown_symbol", `no symbol "cst"`},
		{ask{"POST", "/v1/tables/t/neighbours", `{"symbols":["cst"]}`, nil}, 404, "unknown_symbol", `no symbol "cst"`},
		{ask{"POST", "/v1/tables/t/analogies", `{"symbols":[["cat","cats","cst"]]}`, nil}, 404, "unknown_symbol", `no symbol "cst"`},
		{ask{"GET", "/v1/tables/ids/vectors/cat", "", nil}, 400, "no_symbols", "ask by id"},
		{ask{"POST", "/v1/tables/ids/vectors", `{"symbols":["cat"],"missing":"null"}`, nil}, 400, "no_symbols", "ask by id"},
		{ask{"GET", "/v1/tables/ids/complete?q=c", "", nil}, 400, "no_symbols", "ask by id"},
		{ask{"GET", "/v1/tables/x/vectors/cat", "", nil}, 404, "unknown_table", `no table "x"`},
		{ask{"GET", "/v1/tables/x", "", nil}, 404, "unknown_table", `no table "x"`},
		{ask{"GET", "/v1/tables/t/vectors?id=14", "", nil}, 404, "unknown_id", "ids are 0 to 13"},
		{ask{"GET", "/v1/tables/t/vectors?id=-1", "", nil}, 404, "unknown_id", "ids are 0 to 13"},
		{ask{"GET", "/v1/tables/t/vectors?id=x", "", nil}, 400, "bad_request", "not a whole number"},
		{ask{"GET", "/v1/tables/t/vectors?id=99999999999999999999", "", nil}, 400, "bad_request", "not a whole number"},
		{ask{"GET", "/v1/tables/t/vectors?id=1&symbol=cat", "", nil}, 400, "bad_request", "not both"},
		{ask{"GET", "/v1/tables/t/vectors", "", nil}, 400, "bad_request", "give a symbol"},
		{ask{"POST", "/v1/tables/t/vectors", `{"ids":[14]}`, nil}, 404, "unknown_id", "no id 14"},
		{ask{"POST", "/v1/tables/t/vectors", `{"ids":[-1]}`, nil}, 404, "unknown_id", "no id -1"},
		{ask{"POST", "/v1/tables/t/vectors", `{"ids":["5"]}`, nil}, 400, "bad_request", `"ids" cannot be string`},
		{ask{"POST", "/v1/tables/t/vectors", `{"ids":[1.5]}`, nil}, 400, "bad_request", `"ids" cannot be number 1.5`},
		{ask{"POST", "/v1/tables/t/vectors", `{"symbols":"cat"}`, nil}, 400, "bad_request", `"symbols" cannot be string`},
		{ask{"POST", "/v1/tables/t/vectors", `{"symbols":[5]}`, nil}, 400, "bad_request", `"symbols" cannot be number`},
		{ask{"POST", "/v1/tables/t/vectors", `{"symbols":["cat"],"ids":[5]}`, nil}, 400, "bad_request", "not both"},
		{ask{"POST", "/v1/tables/t/vectors", `{"symbols":["cat"],"missing":"zero"}`, nil}, 400, "bad_request", "none of error, null"},
		{ask{"POST", "/v1/tables/t/vectors", `{}`, nil}, 400, "bad_request", "give symbols"},
		{ask{"POST", "/v1/tables/t/vectors", `null`, nil}, 400, "bad_request", "give symbols"},
		{ask{"POST", "/v1/tables/t/vectors", `[]`, nil}, 400, "bad_request", "the body cannot be array"},
		{ask{"POST", "/v1/tables/t/vectors", `{"words":["cat"]}`, nil}, 400, "bad_request", `unknown field "words"`},
		{ask{"POST", "/v1/tables/t/vectors", `{"ids":[1]} {}`, nil}, 400, "bad_request", "more follows"},
		{ask{"POST", "/v1/tables/t/vectors", `{"ids":[1`, nil}, 400, "bad_request", "ends early"},
		{ask{"POST", "/v1/tables/t/vectors", ``, nil}, 400, "bad_request", "ends early"},
		{ask{"POST", "/v1/tables/t/vectors", `{'ids'}`, nil}, 400, "bad_request", "bad JSON at byte"},
		{ask{"POST", "/v1/tables/t/vectors", manyIDs, nil}, 413, "too_large", "21 at once, the limit is 20"},
		{ask{"POST", "/v1/tables/t/codes", manyIDs, nil}, 413, "too_large", "21 at once, the limit is 20"},
		{ask{"POST", "/v1/tables/t/vectors", strings.Repeat("\x00", 84), octets}, 413, "too_large", "21 at once"},
		{ask{"POST", "/v1/tables/t/vectors", strings.Repeat("\x00", 5), octets}, 400, "bad_request", "4 bytes each"},
		{ask{"POST", "/v1/tables/t/vectors", "\xff\xff\xff\xff", octets}, 404, "unknown_id", "no id 4294967295"},
		{ask{"POST", "/v1/tables/t/vectors", strings.Repeat(" ", 1001), nil}, 413, "too_large", "the limit is 1000"},
		{ask{"POST", "/v1/tables/t/neighbours", strings.Repeat(" ", 1001), nil}, 413, "too_large", "the limit is 1000"},
		{ask{"POST", "/v1/tables/t/vectors", "<ids/>", map[string]string{"Content-Type": "text/xml"}}, 415, "unsupported_media_type", "text/xml"},
		{ask{"POST", "/v1/tables/t/vectors", "{}", map[string]string{"Content-Type": ";"}}, 415, "unsupported_media_type", "application/json"},
		{ask{"POST", "/v1/tables/t/neighbours", "1234", octets}, 415, "unsupported_media_type", "application/json"},
		{ask{"GET", "/v1/tables/t/vectors/cat", "", map[string]string{"Accept": "text/html"}}, 406, "not_acceptable", "application/json"},
		{ask{"POST", "/v1/tables/t/neighbours", `{}`, nil}, 400, "bad_request", "one of symbols, ids and vectors"},
		{ask{"POST", "/v1/tables/t/neighbours", `{"ids":[1],"symbols":["cat"]}`, nil}, 400, "bad_request", "one of symbols, ids and vectors"},
		{ask{"POST", "/v1/tables/t/neighbours", `{"ids":[1,2,3,4]}`, nil}, 413, "too_large", "4 at once"},
		{ask{"POST", "/v1/tables/t/neighbours", `{"ids":[99]}`, nil}, 404, "unknown_id", "no id 99"},
		{ask{"POST", "/v1/tables/t/neighbours", `{"ids":[1],"k":0}`, nil}, 400, "bad_request", "k is 0"},
		{ask{"POST", "/v1/tables/t/neighbours", `{"ids":[1],"k":13}`, nil}, 413, "too_large", "k is 13"},
		{ask{"POST", "/v1/tables/t/neighbours", `{"ids":[1],"metric":"hamming"}`, nil}, 400, "bad_request", "hamming"},
		{ask{"POST", "/v1/tables/t/neighbours", `{"ids":[1],"source":"moon"}`, nil}, 400, "bad_request", "moon"},
		{ask{"POST", "/v1/tables/ids/neighbours", `{"ids":[1],"source":"original"}`, nil}, 400, "no_original", "--original"},
		{ask{"POST", "/v1/tables/t/neighbours", `{"vectors":[[1,2,3]]}`, nil}, 400, "bad_request", "vector 0 has 3 numbers"},
		{ask{"POST", "/v1/tables/t/neighbours", `{"vectors":[[1,2,3,4],[]]}`, nil}, 400, "bad_request", "vector 1 has 0 numbers"},
		{ask{"POST", "/v1/tables/t/neighbours", `{"vectors":[[1,2,3,NaN]]}`, nil}, 400, "bad_request", "bad JSON"},
		{ask{"POST", "/v1/tables/t/neighbours", `{"vectors":[[1,2,3,1e99]]}`, nil}, 400, "bad_request", "1e99"},
		{ask{"GET", "/v1/tables/t/neighbours?id=1&k=x", "", nil}, 400, "bad_request", "not a whole number"},
		{ask{"POST", "/v1/tables/t/analogies", `{}`, nil}, 400, "bad_request", "triples"},
		{ask{"POST", "/v1/tables/t/analogies", `{"symbols":[["cat","cats"]]}`, nil}, 400, "bad_request", "question 0 has 2 words"},
		{ask{"POST", "/v1/tables/t/analogies", `{"ids":[[1,2,3],[1,2,99]]}`, nil}, 404, "unknown_id", "no id 99"},
		{ask{"POST", "/v1/tables/t/analogies", `{"ids":[[1,2,3],[1,2,3],[1,2,3],[1,2,3]]}`, nil}, 413, "too_large", "4 at once"},
		{ask{"GET", "/v1/tables/t/prefix?digits=4", "", nil}, 400, "bad_request", "digits are 0 to 3"},
		{ask{"GET", "/v1/tables/t/prefix?digits=1-1-1-1", "", nil}, 400, "bad_request", "the codes have 3"},
		{ask{"GET", "/v1/tables/t/prefix?digits=x", "", nil}, 400, "bad_request", `"x" is no digit`},
		{ask{"GET", "/v1/tables/t/prefix?limit=1001", "", nil}, 400, "bad_request", "from 0 to 1000"},
		{ask{"GET", "/v1/tables/t/prefix?offset=-1", "", nil}, 400, "bad_request", "offset=-1"},
		{ask{"GET", "/v1/tables/t/complete", "", nil}, 400, "bad_request", "?q="},
		{ask{"GET", "/v1/tables/t/complete?q=c&limit=0", "", nil}, 400, "bad_request", "from 1 to 100"},
		{ask{"GET", "/v1/tables/t/map?digits=3", "", nil}, 400, "bad_request", "digits 0 to 2"},
		{ask{"GET", "/v1/tables/t/map?digits=x", "", nil}, 400, "bad_request", "digits 0 to 2"},
		{ask{"DELETE", "/v1/tables/t/vectors/cat", "", nil}, 405, "method_not_allowed", "use GET"},
		{ask{"PUT", "/v1/tables/t/vectors", "{}", nil}, 405, "method_not_allowed", "use GET, POST"},
		{ask{"GET", "/admin/reload", "", nil}, 405, "method_not_allowed", "use POST"},
		{ask{"POST", "/", "", nil}, 405, "method_not_allowed", "use GET"},
		{ask{"GET", "/v1/nonsense", "", nil}, 404, "not_found", "/v1/nonsense"},
		{ask{"GET", "/../../etc/passwd", "", nil}, 404, "not_found", ""},
	} {
		name := test.method + " " + test.path + " " + test.body[:min(40, len(test.body))]
		got := do(t, s, test.ask)
		if test.path == "/../../etc/passwd" {
			if got.status == http.StatusOK {
				t.Errorf("%s: %d", name, got.status)
			}
			continue
		}
		f := failureOf(t, got)
		if got.status != test.status || f.Code != test.code || !strings.Contains(f.Message, test.want) {
			t.Errorf("%s: %d %s", name, got.status, got.body)
		}
		if test.path == "/v1/nonsense" {
			continue // of the page's path, by its pattern
		}
		d.check(t, test.ask, got)
	}
}

func TestSuggestions(t *testing.T) {
	s := newServer(t, sources(t), Options{})
	if f := failureOf(t, get(t, s, "/v1/tables/t/vectors/cst")); !slices.Equal(f.Suggestions, []string{"cat"}) {
		t.Errorf("%q", f.Suggestions)
	}
	if f := failureOf(t, get(t, s, "/v1/tables/nosuch")); !slices.Equal(f.Suggestions, []string{"t", "ids"}) {
		t.Errorf("%q", f.Suggestions)
	}
	// Where others search, there are none, and no waiting.
	for range cap(s.searches) {
		s.searches <- struct{}{}
	}
	got := get(t, s, "/v1/tables/t/vectors/cst")
	if f := failureOf(t, got); got.status != 404 || f.Suggestions != nil {
		t.Errorf("%d %q", got.status, f.Suggestions)
	}
}

// TestBusy: a request that waits for others to search gives up in time.
func TestBusy(t *testing.T) {
	d := readDocument(t)
	s := newServer(t, sources(t), Options{Limits: Limits{Searches: 1, Time: 20 * time.Millisecond}})
	s.searches <- struct{}{}
	a := ask{"GET", "/v1/tables/t/neighbours?symbol=cat", "", nil}
	got := do(t, s, a)
	if f := failureOf(t, got); got.status != 503 || f.Code != "busy" || got.header.Get("Retry-After") == "" {
		t.Errorf("%d %v", got.status, f)
	}
	d.check(t, a, got)
	<-s.searches
	if got := do(t, s, a); got.status != 200 {
		t.Errorf("%d %s", got.status, got.body)
	}
}

// TestCancelled: a client that goes away ends the search, and is counted.
func TestCancelled(t *testing.T) {
	s := newServer(t, sources(t), Options{Limits: Limits{Searches: 1}})
	s.searches <- struct{}{}
	ctx, cancel := context.WithCancel(t.Context())
	r := httptest.NewRequestWithContext(ctx, "GET", "/v1/tables/t/neighbours?symbol=cat", nil)
	time.AfterFunc(20*time.Millisecond, cancel)
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	if w.Body.Len() > 0 {
		t.Errorf("%q", w.Body)
	}
	if text := string(get(t, s, "/metrics").body); !strings.Contains(text, `kd_requests_total{route="/v1/tables/{table}/neighbours",status="499"} 1`) {
		t.Errorf("not counted in %s", text)
	}
}

// cutBody is a body whose client goes away in the middle.
type cutBody struct{ cancel func() }

func (c cutBody) Read([]byte) (int, error) {
	c.cancel()
	return 0, io.ErrUnexpectedEOF
}

func TestCutBody(t *testing.T) {
	s := newServer(t, sources(t), Options{})
	for _, gone := range []bool{false, true} {
		ctx, cancel := context.WithCancel(t.Context())
		if !gone {
			cancel = func() {}
		}
		r := httptest.NewRequestWithContext(ctx, "POST", "/v1/tables/t/vectors", cutBody{cancel})
		w := httptest.NewRecorder()
		s.ServeHTTP(w, r)
		if gone == (w.Body.Len() > 0) || !gone && w.Code != 400 {
			t.Errorf("gone %t: %d %q", gone, w.Code, w.Body)
		}
	}
}

// TestPanic: a handler that panics is the end of one request, not of the
// server.
func TestPanic(t *testing.T) {
	var log bytes.Buffer
	s := newServer(t, sources(t), Options{Log: slog.New(slog.NewTextHandler(&log, nil))})
	h := s.watched(route{"/", true, map[string]handler{"GET": func(http.ResponseWriter, *http.Request) error { panic("ouch") }}})
	got := do(t, h, ask{"GET", "/", "", nil})
	if f := failureOf(t, got); got.status != 500 || f.Code != "internal" || strings.Contains(f.Message, "ouch") {
		t.Errorf("%d %v", got.status, f)
	}
	if !strings.Contains(log.String(), "ouch") {
		t.Errorf("log: %q", log.String())
	}
}
