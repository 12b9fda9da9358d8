package search_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/kdcode/kdcode"
	"github.com/kdcode/kdcode/codefile"
	"github.com/kdcode/kdcode/internal/tabletest"
	"github.com/kdcode/kdcode/search"
)

// hashTables are tables of every layout, with codes that several symbols have.
func hashTables(t *testing.T, test func(t *testing.T, x *search.Index)) {
	for _, c := range []struct{ n, K, D int }{{1, 2, 1}, {64, 3, 4}, {5000, 3, 5}, {777, 32, 2}, {3000, 64, 33}, {700, 65, 2}, {500, 300, 3}} {
		t.Run(fmt.Sprintf("N=%d,K=%d,D=%d", c.n, c.K, c.D), func(t *testing.T) {
			m := tabletest.Model(tabletest.Shape{N: c.n, K: c.K, D: c.D, Dim: 4, CodeDim: 4, Composition: codefile.Sum, NoSymbols: true}, 3)
			for id := 5; id < c.n; id += 11 {
				digits := make([]uint16, c.D)
				m.Codes.Get(digits, id-5)
				m.Codes.Set(id, digits)
			}
			test(t, index(t, open(t, m)))
		})
	}
}

func differ(a, b []uint16) (n int) {
	for j := range a {
		if a[j] != b[j] {
			n++
		}
	}
	return n
}

func TestWithin(t *testing.T) {
	hashTables(t, func(t *testing.T, x *search.Index) {
		table := x.Table()
		for id := 0; id < table.Len(); id += table.Len()/3 + 1 {
			code := table.Code(nil, id)
			for _, most := range []int{0, 1, 2, table.CodeLength(), 1000} {
				for _, o := range []search.Options{{Limit: 1}, {Limit: 20}, {Limit: table.Len()}, {Limit: 5, Skip: func(id int) bool { return id%2 == 0 }}} {
					want := []search.Match{}
					for other := range table.Len() {
						if r := differ(code, table.Code(nil, other)); r <= most && (o.Skip == nil || !o.Skip(other)) {
							want = append(want, search.Match{ID: other, Differ: r})
						}
					}
					slices.SortStableFunc(want, func(a, b search.Match) int { return cmp.Compare(a.Differ, b.Differ) })
					want = want[:min(len(want), o.Limit)]
					got, err := x.Within(context.Background(), code, most, o)
					if err != nil || !slices.Equal(got, want) {
						t.Fatalf("%d, within %d, limit %d: %v instead of %v, %v", id, most, o.Limit, got, want, err)
					}
				}
			}
		}
	})
}

func TestWithinErrors(t *testing.T) {
	for _, K := range []int{8, 100} {
		m := tabletest.Model(tabletest.Shape{N: 100, K: K, D: 3, Dim: 4, CodeDim: 4, Composition: codefile.Sum, NoSymbols: true}, 3)
		x := index(t, open(t, m))
		ctx, cancel := context.WithCancel(context.Background())
		for _, bad := range [][]uint16{nil, {1, 2}, {1, 2, 3, 4}, {1, 2, uint16(K)}} {
			if _, err := x.Within(ctx, bad, 1, search.Options{Limit: 1}); !errors.Is(err, search.ErrQuery) {
				t.Errorf("%v: %v", bad, err)
			}
		}
		for _, o := range []search.Options{{}, {Limit: -1}} {
			if got, err := x.Within(ctx, []uint16{0, 0, 0}, 1, o); got != nil || err != nil {
				t.Error(got, err)
			}
		}
		if got, err := x.Within(ctx, []uint16{0, 0, 0}, -1, search.Options{Limit: 1}); got != nil || err != nil {
			t.Error(got, err)
		}
		cancel()
		if _, err := x.Within(ctx, []uint16{1, 2, 3}, 1, search.Options{Limit: 1}); !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	}
}

// TestPrefix walks the tree of codes and holds each node against the codes
// themselves.
func TestPrefix(t *testing.T) {
	hashTables(t, func(t *testing.T, x *search.Index) {
		table := x.Table()
		ids := make([]int, table.Len())
		for id := range ids {
			ids[id] = id
		}
		slices.SortFunc(ids, func(a, b int) int {
			return cmp.Or(slices.Compare(table.Code(nil, a), table.Code(nil, b)), cmp.Compare(a, b))
		})
		walk(t, x, nil, ids)
	})
}

// walk checks the group of a prefix, whose ids are given in order, and its
// children.
func walk(t *testing.T, x *search.Index, prefix []uint16, ids []int) {
	g, err := x.Prefix(prefix)
	if err != nil {
		t.Fatal(err)
	}
	if g.Count != len(ids) || !slices.Equal(g.IDs(0, g.Count), ids) || !slices.Equal(g.Prefix, prefix) {
		t.Fatalf("%v: %d symbols instead of %d", prefix, g.Count, len(ids))
	}
	if len(prefix) == x.Table().CodeLength() {
		if g.Children != nil {
			t.Fatal("a whole code has children")
		}
		return
	}
	at := 0
	for _, c := range g.Children {
		for _, id := range ids[at : at+c.Count] {
			if k := x.Table().Code(nil, id)[len(prefix)]; k != c.Digit {
				t.Fatalf("%v: digit %d under child %d", prefix, k, c.Digit)
			}
		}
		if len(prefix) < 3 || at == 0 { // all paths near the root, one below
			walk(t, x, append(slices.Clone(prefix), c.Digit), ids[at:at+c.Count])
		}
		at += c.Count
	}
	if at != len(ids) {
		t.Fatalf("%v: %d symbols under children, of %d", prefix, at, len(ids))
	}
}

func TestPrefixPages(t *testing.T) {
	x := index(t, table(t, 100))
	g, err := x.Prefix(nil)
	if err != nil {
		t.Fatal(err)
	}
	all := g.IDs(0, 100)
	for _, c := range []struct{ offset, limit, from, to int }{{0, 10, 0, 10}, {95, 10, 95, 100}, {100, 1, 100, 100}, {500, 5, 100, 100}, {-3, 2, 0, 2}, {0, -1, 0, 0}} {
		if got := g.IDs(c.offset, c.limit); !slices.Equal(got, all[c.from:c.to]) {
			t.Errorf("%+v: %v", c, got)
		}
	}
	empty, err := x.Prefix([]uint16{7, 7, 7, 7, 7, 7})
	if err != nil || empty.Count != 0 || len(empty.IDs(0, 10)) != 0 {
		t.Error(empty, err)
	}
	for _, bad := range [][]uint16{{8}, {0, 0, 0, 0, 0, 0, 0}} {
		if _, err := x.Prefix(bad); !errors.Is(err, search.ErrQuery) {
			t.Error(err)
		}
	}
}

func TestUsage(t *testing.T) {
	hashTables(t, func(t *testing.T, x *search.Index) {
		table := x.Table()
		want := make([][]int, table.CodeLength())
		for j := range want {
			want[j] = make([]int, table.Ways())
			for id := range table.Len() {
				want[j][table.Code(nil, id)[j]]++
			}
		}
		if !slices.EqualFunc(x.Usage(), want, slices.Equal[[]int]) {
			t.Error("the counts differ")
		}
	})
}

func TestDense(t *testing.T) {
	d, err := search.NewDense([]float32{1, 2, 3, 4, 0, 0}, 2)
	if err != nil || d.Len() != 3 || d.Dim() != 2 {
		t.Fatal(d, err)
	}
	got, err := search.Exact(context.Background(), d, [][]float32{{3, 4}}, search.Options{Limit: 2, Metric: search.Euclidean})
	if err != nil || got[0][0] != (search.Neighbour{ID: 1, Score: 0}) || got[0][1].ID != 0 {
		t.Error(got, err)
	}
	if _, err := search.Analogy(d, 0, 1, 3); !errors.Is(err, kdcode.ErrID) {
		t.Error(err)
	}
	if err := d.LookupBatch(make([]float32, 3), []int{0}); !errors.Is(err, kdcode.ErrLength) {
		t.Error(err)
	}
	if _, err := search.NewDense([]float32{1, 2, 3}, 2); err == nil {
		t.Error("half a vector")
	}
}
