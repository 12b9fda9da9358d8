package serve

import (
	"context"
	"encoding/json"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/kdcode/kdcode/codefile"
)

// reloadedAs reloads the server by its route and returns the table's result.
func reloadedAs(t testing.TB, s *Server, name string) Reloaded {
	t.Helper()
	var got struct{ Tables []Reloaded }
	if err := json.Unmarshal(post(t, s, "/admin/reload", "").body, &got); err != nil {
		t.Fatal(err)
	}
	for _, r := range got.Tables {
		if r.Name == name {
			return r
		}
	}
	t.Fatalf("no table %s in %v", name, got)
	return Reloaded{}
}

func TestReload(t *testing.T) {
	all := sources(t)
	s := newServer(t, all, Options{})
	d := readDocument(t)
	if r := reloadedAs(t, s, "t"); r.Result != unchanged {
		t.Errorf("%+v", r)
	}
	// All that is made on demand, so that the reload makes it again.
	for _, path := range []string{"neighbours?symbol=cat", "complete?q=c", "map", "usage", "prefix"} {
		get(t, s, "/v1/tables/t/"+path)
	}
	m := model()
	m.Symbols[5] = "dog"
	if err := codefile.WriteFile(all[0].Path, m); err != nil {
		t.Fatal(err)
	}
	if got := get(t, s, "/v1/tables/t/codes/cat"); got.status != 200 {
		t.Errorf("before: %d %s", got.status, got.body)
	}
	if r := reloadedAs(t, s, "t"); r.Result != reloaded {
		t.Errorf("%+v", r)
	}
	if r := reloadedAs(t, s, "ids"); r.Result != unchanged {
		t.Errorf("%+v", r)
	}
	if got := get(t, s, "/v1/tables/t/codes/cat"); got.status != 404 {
		t.Errorf("after: %d %s", got.status, got.body)
	}
	for _, path := range []string{"codes/dog", "neighbours?symbol=dog", "complete?q=dog"} {
		if got := get(t, s, "/v1/tables/t/"+path); got.status != 200 || !strings.Contains(string(got.body), `"dog"`) {
			t.Errorf("%s: %d %s", path, got.status, got.body)
		}
	}
	// A file that is none leaves the table as it is.
	if err := os.WriteFile(all[0].Path+".new", []byte("nonsense"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(all[0].Path+".new", all[0].Path); err != nil {
		t.Fatal(err)
	}
	a := ask{"POST", "/admin/reload", "", nil}
	got := do(t, s, a)
	d.check(t, a, got)
	if r := reloadedAs(t, s, "t"); r.Result != failed || r.Error == "" || got.status != 500 {
		t.Errorf("%d %+v", got.status, r)
	}
	if err := os.Remove(all[0].Path); err != nil {
		t.Fatal(err)
	}
	if r := reloadedAs(t, s, "t"); r.Result != failed {
		t.Errorf("%+v", r)
	}
	if got := get(t, s, "/v1/tables/t/codes/dog"); got.status != 200 {
		t.Errorf("after a bad file: %d %s", got.status, got.body)
	}
}

// TestReloadUnderLoad: while the file is replaced and reloaded, no request
// fails, every answer is of one edition, and replaced editions are closed.
func TestReloadUnderLoad(t *testing.T) {
	for _, load := range []bool{false, true} {
		path := writeFile(t, "t.kd", model())
		s := newServer(t, []Source{{Name: "t", Path: path}}, Options{Load: load})
		server := httptest.NewServer(s)
		defer server.Close()
		first := s.byName["t"].newest.Load()
		ctx, cancel := context.WithTimeout(t.Context(), 1500*time.Millisecond)
		defer cancel()
		var asked atomic.Int64
		var askers sync.WaitGroup
		for _, path := range []string{"/v1/tables/t/vectors/cat", "/v1/tables/t/neighbours?symbol=cat&k=3", "/v1/tables/t/prefix?digits=3", "/v1/tables/t/complete?q=ca"} {
			askers.Go(func() {
				for ctx.Err() == nil {
					answer, err := server.Client().Get(server.URL + path)
					if err != nil {
						t.Error(err)
						return
					}
					if answer.Body.Close(); answer.StatusCode != 200 {
						t.Errorf("%s: %s", path, answer.Status)
					}
					asked.Add(1)
				}
			})
		}
		reloads := 0
		for ctx.Err() == nil {
			if err := codefile.WriteFile(path, model()); err != nil {
				t.Fatal(err)
			}
			if r := s.Reload(t.Context())[0]; r.Result == failed {
				t.Fatalf("%+v", r)
			}
			reloads++
		}
		askers.Wait()
		t.Logf("load %t: %d requests, %d reloads", load, asked.Load(), reloads)
		if reloads < 2 || asked.Load() < 10 {
			t.Error("too few to tell")
		}
		if first.holds.Load() != 0 {
			t.Errorf("the first edition is held %d times", first.holds.Load())
		}
		if err := first.Lookup(make([]float32, 4), 0); err == nil {
			t.Error("the first edition is open")
		}
		if newest := s.byName["t"].newest.Load(); newest.holds.Load() != 1 {
			t.Errorf("the newest edition is held %d times", newest.holds.Load())
		}
	}
}

// TestClosed: a closed server says so.
func TestClosed(t *testing.T) {
	s := newServer(t, sources(t), Options{})
	s.Close()
	for _, path := range []string{"/v1/tables/t", "/v1/tables/t/vectors/cat", "/readyz"} {
		if got := get(t, s, path); got.status != 503 {
			t.Errorf("%s: %d %s", path, got.status, got.body)
		}
	}
	if r := reloadedAs(t, s, "t"); r.Result != failed {
		t.Errorf("%+v", r)
	}
	if err := s.Warm(t.Context()); err == nil {
		t.Error("a closed server was warmed")
	}
}
