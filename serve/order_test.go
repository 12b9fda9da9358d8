package serve

import (
	"encoding/json"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/kdcode/kdcode"
)

func completions(t testing.TB, s *Server, query string) (symbols []string, match string) {
	t.Helper()
	var got completeAnswer
	if err := json.Unmarshal(get(t, s, "/v1/tables/t/complete?q="+query).body, &got); err != nil {
		t.Fatal(err)
	}
	for _, c := range got.Symbols {
		symbols = append(symbols, c.Symbol)
		match = c.Match
	}
	return symbols, match
}

func TestComplete(t *testing.T) {
	s := newServer(t, sources(t), Options{})
	for _, test := range []struct {
		q     string
		want  []string
		match string
	}{
		{"ca", []string{"cat", "cats", "Cathy"}, "prefix"},
		{"CAT", []string{"cat", "cats", "Cathy"}, "prefix"},
		{"cats", []string{"cats"}, "prefix"},
		{"ca&limit=2", []string{"cat", "cats"}, "prefix"},
		{"wek", []string{"week"}, "near"},
		{"tuedsay", []string{"tuesday"}, "near"},
		{"weeek", []string{"week"}, "near"},
		{"caz", []string{"cat"}, "near"},
		{"CAZ", []string{"cat"}, "near"},
		{"zzzz", nil, ""},
		{"and/", []string{"and/or"}, "prefix"},
		{"new+y", []string{"new york"}, "prefix"},
		{"&limit=100", symbolsOf(words), "prefix"},
	} {
		got, match := completions(t, s, test.q)
		if !slices.Equal(got, test.want) && !(test.q == "&limit=100" && len(got) == len(words)) || match != test.match {
			t.Errorf("%q: %q %s instead of %q %s", test.q, got, match, test.want, test.match)
		}
	}
}

func symbolsOf(words []struct {
	symbol string
	code   []uint16
}) []string {
	var all []string
	for _, w := range words {
		all = append(all, w.symbol)
	}
	return all
}

// TestOrder compares with all symbols, one by one.
func TestOrder(t *testing.T) {
	table, err := kdcode.Open(large(t, 3000))
	if err != nil {
		t.Fatal(err)
	}
	defer table.Close()
	o, err := newOrder(table)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"w", "W1", "w12", "w299", "w2999", "x", "", "0", "\xff"} {
		for _, limit := range []int{1, 10, 5000} {
			var want []int
			if id, ok := table.ID(text); ok {
				want = append(want, id)
			}
			for id, symbol := range table.Symbols() {
				if strings.HasPrefix(strings.ToLower(symbol), strings.ToLower(text)) && !slices.Contains(want, id) {
					want = append(want, id)
				}
			}
			got, err := o.beginning(text, limit)
			if err != nil || !slices.Equal(got, want[:min(limit, len(want))]) {
				t.Errorf("%q, %d: %d ids instead of %d", text, limit, len(got), len(want))
			}
		}
	}
}

func TestLowest(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{0, 1, 5, 100} {
		ids := random.Perm(n)
		for _, k := range []int{0, 1, 3, 99, 200} {
			got := lowest(ids, k)
			for i, id := range got {
				if id != i {
					t.Errorf("%d of %d: %v", k, n, got)
				}
			}
			if len(got) != min(k, n) {
				t.Errorf("%d of %d: %d", k, n, len(got))
			}
		}
	}
}
