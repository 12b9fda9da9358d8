package serve

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/kdcode/kdcode"
	"github.com/kdcode/kdcode/search"
)

// TestNeighbours: codes and original, which hold the same vectors here, have the
// neighbours that an exact search finds, the query left out.
func TestNeighbours(t *testing.T) {
	all := sources(t)
	s := newServer(t, all, Options{})
	table, err := kdcode.Open(all[0].Path)
	if err != nil {
		t.Fatal(err)
	}
	defer table.Close()
	for id := range table.Len() {
		for _, metric := range search.Metrics {
			query := make([]float32, table.Dim())
			if err := table.Lookup(query, id); err != nil {
				t.Fatal(err)
			}
			want, err := search.Exact(t.Context(), table, [][]float32{query}, search.Options{Limit: 4, Metric: metric, Skip: func(other int) bool { return other == id }})
			if err != nil {
				t.Fatal(err)
			}
			for _, source := range []string{"codes", "original"} {
				body, err := json.Marshal(nearRequest{IDs: []int{id}, K: ptr(4), Metric: string(metric), Source: source})
				if err != nil {
					t.Fatal(err)
				}
				var text map[string]any // without what is not asked
				if err := json.Unmarshal(body, &text); err != nil {
					t.Fatal(err)
				}
				delete(text, "symbols")
				delete(text, "vectors")
				if body, err = json.Marshal(text); err != nil {
					t.Fatal(err)
				}
				var got struct {
					Results []struct {
						Query      struct{ ID int }
						Neighbours []struct {
							ID    int
							Score float32
						}
					}
				}
				if err := json.Unmarshal(post(t, s, "/v1/tables/t/neighbours", string(body)).body, &got); err != nil {
					t.Fatal(err)
				}
				var ids, wantIDs []int
				for i, n := range got.Results[0].Neighbours {
					ids = append(ids, n.ID)
					wantIDs = append(wantIDs, want[0][i].ID)
				}
				if got.Results[0].Query.ID != id || len(ids) != 4 || !slices.Equal(ids, wantIDs) {
					t.Errorf("%d, %s, %s: %v instead of %v", id, metric, source, ids, wantIDs)
				}
			}
		}
	}
}

func ptr[T any](v T) *T { return &v }

func TestAnalogies(t *testing.T) {
	s := newServer(t, sources(t), Options{})
	var got struct {
		Results []struct {
			A, C       struct{ Symbol string }
			Neighbours []struct{ ID int }
		}
	}
	for _, source := range []string{"codes", "original"} {
		if err := json.Unmarshal(post(t, s, "/v1/tables/t/analogies", `{"symbols":[["cat","cats","up"],["up","by","week"]],"k":14,"source":"`+source+`"}`).body, &got); err != nil {
			t.Fatal(err)
		}
		if len(got.Results) != 2 || got.Results[0].A.Symbol != "cat" || got.Results[1].C.Symbol != "week" {
			t.Fatalf("%+v", got)
		}
		for i, given := range [][]int{{5, 6, 0}, {0, 2, 1}} {
			if n := len(got.Results[i].Neighbours); n != len(words)-3 {
				t.Errorf("%d answers", n)
			}
			for _, n := range got.Results[i].Neighbours {
				if slices.Contains(given, n.ID) {
					t.Errorf("%s, %d: answers itself with %d", source, i, n.ID)
				}
			}
		}
	}
}

// TestTree walks the whole tree of codes.
func TestTree(t *testing.T) {
	s := newServer(t, sources(t), Options{})
	var walk func(digits string, want int) int
	walk = func(digits string, want int) int {
		var got prefixAnswer
		if err := json.Unmarshal(get(t, s, "/v1/tables/t/prefix?limit=3&digits="+digits).body, &got); err != nil {
			t.Fatal(err)
		}
		if got.Count != want || len(got.Symbols) != min(3, want) || got.More != (want > 3) {
			t.Errorf("%s: %+v instead of %d", digits, got, want)
		}
		if !slices.IsSortedFunc(got.Symbols, func(a, b codedWord) int { return a.ID - b.ID }) {
			t.Errorf("%s: not the most frequent first: %+v", digits, got.Symbols)
		}
		if len(got.Digits) == 3 {
			return got.Count
		}
		sum := 0
		for digit, count := range got.Next {
			if count > 0 {
				sep := "-"
				if digits == "" {
					sep = ""
				}
				sum += walk(digits+sep+string(rune('0'+digit)), count)
			}
		}
		return sum
	}
	if n := walk("", len(words)); n != len(words) {
		t.Errorf("%d words in the tree", n)
	}
	// Pages follow each other.
	var ids []int
	for offset := 0; ; offset += 2 {
		var got prefixAnswer
		if err := json.Unmarshal(get(t, s, "/v1/tables/t/prefix?digits=3-1&limit=2&offset="+string(rune('0'+offset))).body, &got); err != nil {
			t.Fatal(err)
		}
		for _, w := range got.Symbols {
			ids = append(ids, w.ID)
		}
		if !got.More {
			break
		}
	}
	if !slices.Equal(ids, []int{0, 1, 2, 3, 4, 8}) {
		t.Errorf("%v", ids)
	}
}

func TestUsage(t *testing.T) {
	s := newServer(t, sources(t), Options{})
	var got usageAnswer
	if err := json.Unmarshal(get(t, s, "/v1/tables/t/usage").body, &got); err != nil {
		t.Fatal(err)
	}
	if len(got.Digits) != 3 || !slices.Equal(got.Digits[0].Counts, []int{2, 2, 4, 6}) || got.Digits[0].Evenness < 0.9 || got.Digits[0].Evenness > 1 {
		t.Errorf("%+v", got)
	}
	if u := useOf([]int{5, 5, 5, 5}); u.Entropy != 2 || u.Evenness != 1 || u.Unused != 0 {
		t.Errorf("%+v", u)
	}
	if u := useOf([]int{5, 0}); u.Entropy != 0 || u.Evenness != 0 || u.Unused != 1 {
		t.Errorf("%+v", u)
	}
}

// TestLazy: made once, waited for no longer than a context lasts, tried again
// after an error.
func TestLazy(t *testing.T) {
	var l lazy[int]
	var made atomic.Int64
	gate := make(chan struct{})
	make := func() (int, error) {
		<-gate
		if made.Add(1) == 1 {
			return 0, errors.New("the first fails")
		}
		return 7, nil
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	if _, err := l.get(ctx, make); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v", err)
	}
	if l.inUse() || !l.use().inUse() {
		t.Error("in use before use")
	}
	close(gate)
	if _, err := l.get(t.Context(), make); err == nil && made.Load() == 1 {
		t.Error("no error")
	}
	for range 3 {
		if v, err := l.get(t.Context(), make); v != 7 || err != nil {
			t.Errorf("%d, %v", v, err)
		}
	}
	if made.Load() != 2 {
		t.Errorf("made %d times", made.Load())
	}
}

// TestOriginalWithoutSymbols: rows of an array are called as the table calls
// their ids.
func TestOriginalWithoutSymbols(t *testing.T) {
	m := model()
	m.Symbols = nil
	s := newServer(t, []Source{{Name: "t", Path: writeFile(t, "t.kd", model()), Original: original(t, m)}}, Options{})
	const ask = "/v1/tables/t/neighbours?symbol=cat&k=3&source="
	codes, original := get(t, s, ask+"codes"), get(t, s, ask+"original")
	want := strings.Replace(string(codes.body), `"source":"codes"`, `"source":"original"`, 1)
	if original.status != 200 || string(original.body) != want {
		t.Errorf("%d %s, want %s", original.status, original.body, want)
	}
}
