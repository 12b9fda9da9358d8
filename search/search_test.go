package search_test

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/kdcode/kdcode"
	"github.com/kdcode/kdcode/codefile"
	"github.com/kdcode/kdcode/internal/tabletest"
	"github.com/kdcode/kdcode/search"
)

func table(t testing.TB, n int) *kdcode.Table {
	t.Helper()
	m := tabletest.Model(tabletest.Shape{N: n, K: 8, D: 6, Dim: 20, CodeDim: 20, Composition: codefile.Sum}, 1)
	var b bytes.Buffer
	if _, err := m.WriteTo(&b); err != nil {
		t.Fatal(err)
	}
	table, err := kdcode.FromBytes(b.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	return table
}

func vector(t testing.TB, table *kdcode.Table, id int) []float32 {
	t.Helper()
	v := make([]float32, table.Dim())
	if err := table.Lookup(v, id); err != nil {
		t.Fatal(err)
	}
	return v
}

// score is the definition, in float64.
func score(m search.Metric, q, v []float32) float64 {
	var qv, qq, vv, dist float64
	for i := range q {
		a, b := float64(q[i]), float64(v[i])
		qv, qq, vv, dist = qv+a*b, qq+a*a, vv+b*b, dist+(a-b)*(a-b)
	}
	switch m {
	case search.InnerProduct:
		return qv
	case search.Euclidean:
		return -math.Sqrt(dist)
	}
	return qv / math.Sqrt(qq*vv)
}

func TestExact(t *testing.T) {
	const n = 1500 // several chunks, the last one not full
	tab := table(t, n)
	queries := [][]float32{vector(t, tab, 3), vector(t, tab, 1499), vector(t, tab, 700)}
	for _, m := range search.Metrics {
		for _, threads := range []int{0, 1, 3, 7} {
			skip := func(id int) bool { return id%5 == 0 }
			got, err := search.Exact(context.Background(), tab, queries, search.Options{Limit: 10, Metric: m, Skip: skip, Threads: threads})
			if err != nil {
				t.Fatal(err)
			}
			for q, query := range queries {
				want := brute(t, tab, query, m, skip)[:10]
				for i, near := range got[q] {
					if math.Abs(float64(near.Score)-want[i].score) > 1e-4*(1+math.Abs(want[i].score)) || near.ID%5 == 0 {
						t.Fatalf("%s, %d threads, query %d: neighbour %d is %v instead of %v", m, threads, q, i, near, want[i])
					}
				}
				if len(got[q]) != 10 {
					t.Fatalf("%d neighbours", len(got[q]))
				}
			}
		}
	}
}

type scored struct {
	id    int
	score float64
}

func brute(t *testing.T, tab *kdcode.Table, q []float32, m search.Metric, skip func(int) bool) []scored {
	var all []scored
	for id := range tab.Len() {
		if !skip(id) {
			all = append(all, scored{id, score(m, q, vector(t, tab, id))})
		}
	}
	slices.SortFunc(all, func(a, b scored) int { return cmp.Compare(b.score, a.score) })
	return all
}

func TestExactSelf(t *testing.T) {
	tab := table(t, 100)
	got, err := search.Exact(context.Background(), tab, [][]float32{vector(t, tab, 42)}, search.Options{Limit: 1000})
	if err != nil {
		t.Fatal(err)
	}
	if len(got[0]) != 100 || got[0][0].ID != 42 || math.Abs(float64(got[0][0].Score)-1) > 1e-5 {
		t.Errorf("%d neighbours, the first %v", len(got[0]), got[0][0])
	}
}

// TestExactTies: of equal scores the lowest ids come first, whatever the
// threads.
func TestExactTies(t *testing.T) {
	m := &codefile.Model{Composition: codefile.Sum, Codes: codefile.NewCodes(3000, 2, 1),
		Embeddings: codefile.Embeddings{Dim: 2, Values: []float32{1, 2, 3, 4}}} // all vectors are (1, 2)
	var b bytes.Buffer
	if _, err := m.WriteTo(&b); err != nil {
		t.Fatal(err)
	}
	tab, err := kdcode.FromBytes(b.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	for _, threads := range []int{1, 2, 5} {
		got, err := search.Exact(context.Background(), tab, [][]float32{{1, 1}}, search.Options{Limit: 4, Threads: threads})
		if err != nil {
			t.Fatal(err)
		}
		for i, n := range got[0] {
			if n.ID != i {
				t.Errorf("%d threads: neighbour %d is %d", threads, i, n.ID)
			}
		}
	}
}

func TestExactErrors(t *testing.T) {
	tab := table(t, 100)
	if _, err := search.Exact(context.Background(), tab, [][]float32{{1}}, search.Options{Limit: 1}); !errors.Is(err, search.ErrQuery) {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := search.Exact(ctx, tab, [][]float32{vector(t, tab, 0)}, search.Options{Limit: 1}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	tab.Close()
	if _, err := search.Exact(context.Background(), tab, [][]float32{make([]float32, 20)}, search.Options{Limit: 1}); !errors.Is(err, kdcode.ErrClosed) {
		t.Error(err)
	}
	if _, err := search.ParseMetric("hamming"); err == nil {
		t.Error("an unknown metric")
	}
}

func TestAnalogy(t *testing.T) {
	tab := table(t, 100)
	q, err := search.Analogy(tab, 1, 2, 3)
	if err != nil {
		t.Fatal(err)
	}
	unit := func(id int) []float64 {
		v, n := vector(t, tab, id), 0.0
		for _, x := range v {
			n += float64(x) * float64(x)
		}
		u := make([]float64, len(v))
		for i, x := range v {
			u[i] = float64(x) / math.Sqrt(n)
		}
		return u
	}
	a, b, c := unit(1), unit(2), unit(3)
	for i := range q {
		if want := b[i] - a[i] + c[i]; math.Abs(float64(q[i])-want) > 1e-5 {
			t.Fatalf("component %d is %v instead of %v", i, q[i], want)
		}
	}
	if _, err := search.Analogy(tab, 1, 2, 100); !errors.Is(err, kdcode.ErrID) {
		t.Error(err)
	}
}
