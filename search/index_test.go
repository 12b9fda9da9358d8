package search_test

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/kdcode/kdcode"
	"github.com/kdcode/kdcode/codefile"
	"github.com/kdcode/kdcode/internal/tabletest"
	"github.com/kdcode/kdcode/search"
)

func open(t testing.TB, m *codefile.Model) *kdcode.Table {
	t.Helper()
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

func index(t testing.TB, table *kdcode.Table) *search.Index {
	t.Helper()
	x, err := search.NewIndex(table)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// same fails the test unless the Index finds what Exact does, to the bit.
func same(t *testing.T, x *search.Index, queries [][]float32, o search.Options) {
	t.Helper()
	want, err := search.Exact(context.Background(), x.Table(), queries, o)
	if err != nil {
		t.Fatal(err)
	}
	got, err := x.Search(context.Background(), queries, o)
	if err != nil {
		t.Fatal(err)
	}
	for q := range want {
		if !slices.EqualFunc(got[q], want[q], func(a, b search.Neighbour) bool { return a.ID == b.ID && cmp.Compare(a.Score, b.Score) == 0 }) {
			t.Fatalf("%s, limit %d, %d threads, query %d: found\n%v instead of\n%v", o.Metric, o.Limit, o.Threads, q, got[q], want[q])
		}
	}
}

// queriesOf returns queries of all kinds: vectors of the table, random ones,
// large and small ones, and zeros.
func queriesOf(t testing.TB, table *kdcode.Table, seed uint64) [][]float32 {
	r := rand.New(rand.NewPCG(seed, 2))
	queries := [][]float32{make([]float32, table.Dim())}
	for _, scale := range []float32{1, 1e-3, 1e4, 1e-30, 1e12} {
		q := make([]float32, table.Dim())
		for i := range q {
			q[i] = float32(r.NormFloat64()) * scale
		}
		queries = append(queries, q)
	}
	for range 3 {
		queries = append(queries, vector(t, table, r.IntN(table.Len())))
	}
	return queries
}

// TestIndex holds that an Index finds what Exact does, in every composition,
// for tables that fill blocks and that do not.
func TestIndex(t *testing.T) {
	ways := []int{2, 3, 16, 17, 32, 33, 64, 65, 256, 1000}
	if testing.Short() {
		ways = []int{3, 64, 65, 1000}
	}
	for _, K := range ways {
		for _, kind := range codefile.Compositions {
			for _, n := range []int{1, 63, 64, 65, 1000} {
				s := tabletest.Shape{N: n, K: K, D: 6, Dim: 24, CodeDim: 24, Composition: kind, NoSymbols: true, Shared: n == 65}
				switch kind {
				case codefile.Concat:
					s.CodeDim = 4
				case codefile.Affine:
					s.CodeDim = 5
				case codefile.Recur:
					s.CodeDim, s.Hidden = 8, 8
				}
				t.Run(s.String(), func(t *testing.T) {
					x := index(t, open(t, tabletest.Model(s, uint64(K+n))))
					if x.Linear() != (kind != codefile.Recur) {
						t.Error("Linear is wrong")
					}
					queries := queriesOf(t, x.Table(), uint64(n))
					for _, m := range search.Metrics {
						for _, limit := range []int{0, 1, 10, n} {
							same(t, x, queries, search.Options{Limit: limit, Metric: m, Threads: 1})
						}
						same(t, x, queries, search.Options{Limit: 5, Metric: m, Threads: 4})
					}
				})
			}
		}
	}
}

// TestIndexShapes runs through the shapes of the conformance suite: odd and
// long codes, narrow and wide vectors, all types of code embeddings.
func TestIndexShapes(t *testing.T) {
	for i, s := range tabletest.Shapes() {
		s.N = 300
		t.Run(s.String(), func(t *testing.T) {
			x := index(t, open(t, tabletest.Model(s, uint64(i))))
			for _, m := range search.Metrics {
				same(t, x, queriesOf(t, x.Table(), uint64(i)), search.Options{Limit: 7, Metric: m})
			}
		})
	}
}

// clustered returns a table of codes that look like learned ones: near
// duplicates of few codes, code embeddings of very different lengths.
func clustered(n, K, D, d int) *codefile.Model {
	r := rand.New(rand.NewPCG(uint64(n), uint64(K)))
	m := &codefile.Model{Composition: codefile.Sum, Codes: codefile.NewCodes(n, K, D)}
	digits := make([]uint16, D)
	for i := range n {
		if i%20 == 0 {
			for j := range digits {
				digits[j] = uint16(r.IntN(K))
			}
		}
		for range i % 3 { // every third is a duplicate
			digits[r.IntN(D)] = uint16(r.IntN(K))
		}
		m.Codes.Set(i, digits)
	}
	m.Embeddings = codefile.Embeddings{Dim: d}
	for j := range D {
		for range K * d {
			m.Embeddings.Values = append(m.Embeddings.Values, float32(r.NormFloat64()/float64(j+1)))
		}
	}
	return m
}

func TestIndexLarge(t *testing.T) {
	ways := []int{16, 32, 64, 100}
	if testing.Short() {
		ways = []int{32}
	}
	for _, K := range ways {
		x := index(t, open(t, clustered(9000, K, 32, 40)))
		queries := queriesOf(t, x.Table(), 3)
		for i := range 60 {
			queries = append(queries, vector(t, x.Table(), i*140))
		}
		for _, m := range search.Metrics {
			for _, threads := range []int{1, 5, 100} {
				same(t, x, queries, search.Options{Limit: 10, Metric: m, Threads: threads})
				same(t, x, queries[3:4], search.Options{Limit: 10, Metric: m, Threads: threads})
			}
			same(t, x, queries[:8], search.Options{Limit: 1000, Metric: m})
		}
	}
}

// TestIndexTies: of equal scores the lowest ids come first.
func TestIndexTies(t *testing.T) {
	m := &codefile.Model{Composition: codefile.Sum, Codes: codefile.NewCodes(9000, 2, 1),
		Embeddings: codefile.Embeddings{Dim: 2, Values: []float32{1, 2, 0, 0}}}
	for id := 1; id < 9000; id += 2 {
		m.Codes.Set(id, []uint16{1}) // a zero vector
	}
	x := index(t, open(t, m))
	for _, metric := range search.Metrics {
		for _, q := range [][]float32{{1, 1}, {-1, 0}, {0, 0}} {
			for _, threads := range []int{1, 3} {
				same(t, x, [][]float32{q}, search.Options{Limit: 10, Metric: metric, Threads: threads})
			}
		}
	}
	got, err := x.Search(context.Background(), [][]float32{{1, 1}}, search.Options{Limit: 3})
	if err != nil || got[0][0].ID != 0 || got[0][1].ID != 2 || got[0][2].ID != 4 {
		t.Error(got, err)
	}
}

func TestIndexFilters(t *testing.T) {
	x := index(t, open(t, clustered(5000, 32, 16, 20)))
	queries := queriesOf(t, x.Table(), 4)
	none, some, few := search.NewSet(5000), search.NewSet(5000), search.NewSet(200)
	for id := 0; id < 5000; id += 7 {
		some.Add(id)
	}
	for _, id := range []int{0, 63, 64, 130, 199} {
		few.Add(id)
	}
	for _, m := range search.Metrics {
		for _, allow := range []*search.Set{nil, none, some, few} {
			for _, skip := range []func(int) bool{nil, func(id int) bool { return id%3 == 0 }, func(int) bool { return true }} {
				same(t, x, queries, search.Options{Limit: 10, Metric: m, Allow: allow, Skip: skip})
			}
		}
	}
	got, err := x.Search(context.Background(), queries[:1], search.Options{Limit: 10, Allow: few})
	if err != nil || len(got[0]) != 5 {
		t.Error(got, err)
	}
	if few.Has(-1) || few.Has(1<<40) || few.Has(62) || !few.Has(63) {
		t.Error("Has is wrong")
	}
}

func TestIndexErrors(t *testing.T) {
	tab := table(t, 5000)
	x := index(t, tab)
	ctx := context.Background()
	nan, inf := float32(math.NaN()), float32(math.Inf(-1))
	for _, bad := range [][]float32{{1}, append(make([]float32, 19), nan), append(make([]float32, 19), inf)} {
		if _, err := x.Search(ctx, [][]float32{make([]float32, 20), bad}, search.Options{Limit: 1}); !errors.Is(err, search.ErrQuery) {
			t.Error(err)
		}
	}
	if _, err := x.Search(ctx, nil, search.Options{Limit: 1, Metric: "hamming"}); err == nil {
		t.Error("an unknown metric")
	}
	if got, err := x.Search(ctx, nil, search.Options{Limit: 1}); len(got) != 0 || err != nil {
		t.Error(got, err)
	}
	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := x.Search(cancelled, [][]float32{vector(t, tab, 0)}, search.Options{Limit: 1}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	v := vector(t, tab, 0)
	tab.Close()
	if _, err := x.Search(ctx, [][]float32{v}, search.Options{Limit: 1}); !errors.Is(err, kdcode.ErrClosed) {
		t.Error(err)
	}
	if _, err := search.NewIndex(tab); !errors.Is(err, kdcode.ErrClosed) {
		t.Error(err)
	}
}

// TestIndexNotFinite: vectors whose scores are not finite are where Exact has
// them, without a fault.
func TestIndexNotFinite(t *testing.T) {
	m := clustered(2000, 8, 4, 6)
	m.Embeddings.Values[0] = -3e38
	m.Embeddings.Values[50] = 3e38
	x := index(t, open(t, m))
	queries := queriesOf(t, x.Table(), 5)[1:6]
	queries = append(queries, []float32{3e38, 3e38, -3e38, 1, 2, 3})
	for _, metric := range search.Metrics {
		o := search.Options{Limit: 10, Metric: metric, Threads: 1}
		want, err := search.Exact(context.Background(), x.Table(), queries, o)
		if err != nil {
			t.Fatal(err)
		}
		got, err := x.Search(context.Background(), queries, o)
		if err != nil {
			t.Fatal(err)
		}
		for q := range want {
			for i := range want[q] { // NaN is not equal to itself
				if got[q][i].ID != want[q][i].ID {
					t.Fatalf("%s, query %d: %v instead of %v", metric, q, got[q], want[q])
				}
			}
		}
	}
}

// TestIndexDamaged: a digit that is no digit is found at opening.
func TestIndexDamaged(t *testing.T) {
	for _, K := range []int{3, 100, 1000} {
		m := tabletest.Model(tabletest.Shape{N: 200, K: K, D: 3, Dim: 4, CodeDim: 4, Composition: codefile.Sum, NoSymbols: true}, 1)
		var b bytes.Buffer
		if _, err := m.WriteTo(&b); err != nil {
			t.Fatal(err)
		}
		data := b.Bytes()
		at := bytes.LastIndex(data, m.Codes.Packed[:4])
		for i := range 4 {
			data[at+i] = 0xff
		}
		table, err := kdcode.FromBytes(data)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := search.NewIndex(table); !errors.Is(err, kdcode.ErrDamaged) {
			t.Errorf("K = %d: %v", K, err)
		}
	}
}

// Numbers whose products float32 does not hold.
func TestIndexExtremes(t *testing.T) {
	for _, K := range []int{5, 65} {
		for _, scale := range []float32{1e-25, 1e-12, 1, 1e11} {
			m := tabletest.Model(tabletest.Shape{N: 500, K: K, D: 33, Dim: 7, CodeDim: 7, Composition: codefile.Sum, NoSymbols: true}, 4)
			for i := range m.Embeddings.Values {
				m.Embeddings.Values[i] *= scale
			}
			x := index(t, open(t, m))
			for _, long := range []float32{1e-30, 1e-12, 1, 1e11, 1e15} {
				queries := queriesOf(t, x.Table(), 5)
				for _, q := range queries {
					for i := range q {
						q[i] *= long
					}
				}
				for _, metric := range search.Metrics {
					same(t, x, queries, search.Options{Limit: 3, Metric: metric, Threads: 1})
				}
			}
		}
	}
}

func TestIndexConcurrent(t *testing.T) {
	x := index(t, open(t, clustered(3000, 32, 8, 12)))
	queries := queriesOf(t, x.Table(), 6)
	want, err := x.Search(context.Background(), queries, search.Options{Limit: 5, Metric: search.Euclidean})
	if err != nil {
		t.Fatal(err)
	}
	var running sync.WaitGroup
	for range 8 {
		running.Go(func() {
			got, err := x.Search(context.Background(), queries, search.Options{Limit: 5, Metric: search.Euclidean, Threads: 2})
			if err != nil || !slices.EqualFunc(got, want, slices.Equal[[]search.Neighbour]) {
				t.Error(err, "another answer")
			}
			x.Usage()
			if _, err := x.Prefix(nil); err != nil {
				t.Error(err)
			}
		})
	}
	running.Wait()
}

func TestRecall(t *testing.T) {
	list := func(ids ...int) (l []search.Neighbour) {
		for _, id := range ids {
			l = append(l, search.Neighbour{ID: id})
		}
		return l
	}
	for _, c := range []struct {
		got, want [][]search.Neighbour
		recall    float64
	}{
		{nil, nil, 1},
		{nil, [][]search.Neighbour{list(1)}, 0},
		{[][]search.Neighbour{list(1, 2), list(3, 4)}, [][]search.Neighbour{list(2, 1), list(4, 5)}, 0.75},
		{[][]search.Neighbour{list(1, 2, 3)}, [][]search.Neighbour{list(3)}, 1},
	} {
		if got := search.Recall(c.got, c.want); got != c.recall {
			t.Errorf("%v of %v: %v", c.got, c.want, got)
		}
	}
}

func FuzzIndex(f *testing.F) {
	f.Add(uint64(1), uint16(100), uint16(32), uint8(8), float32(1), uint8(3))
	f.Add(uint64(2), uint16(1000), uint16(3), uint8(33), float32(1e-20), uint8(0))
	f.Add(uint64(3), uint16(65), uint16(300), uint8(2), float32(1e20), uint8(1))
	f.Add(uint64(4), uint16(900), uint16(5), uint8(33), float32(1e-5), uint8(3))
	f.Add(uint64(5), uint16(900), uint16(60), uint8(33), float32(1e15), uint8(6))
	f.Add(uint64(6), uint16(900), uint16(60), uint8(3), float32(1), uint8(11))
	f.Fuzz(func(t *testing.T, seed uint64, n, ways uint16, length uint8, scale float32, kind uint8) {
		if math.IsNaN(float64(scale)) || math.Abs(float64(scale)) > 1e30 {
			return
		}
		s := tabletest.Shape{N: int(n)%2000 + 1, K: int(ways)%400 + 2, D: int(length)%40 + 1, NoSymbols: true}
		switch kind % 3 {
		case 0:
			s.Composition, s.Dim, s.CodeDim = codefile.Sum, 9, 9
		case 1:
			s.Composition, s.Dim, s.CodeDim = codefile.Concat, 2*s.D, 2
		default:
			s.Composition, s.Dim, s.CodeDim = codefile.Affine, 30, 3
		}
		m := tabletest.Model(s, seed)
		for i := range m.Embeddings.Values {
			m.Embeddings.Values[i] *= []float32{1, 1e-12, 1e11, 1e-25}[kind/3%4]
		}
		x := index(t, open(t, m))
		queries := queriesOf(t, x.Table(), seed)
		for _, q := range queries {
			for i := range q {
				if q[i] *= scale; math.IsInf(float64(q[i]), 0) {
					return
				}
			}
		}
		for _, m := range search.Metrics {
			same(t, x, queries, search.Options{Limit: int(seed%20) + 1, Metric: m, Threads: int(seed % 3)})
		}
	})
}

func BenchmarkIndex(b *testing.B) {
	for _, K := range []int{16, 32, 64, 256} {
		x := index(b, open(b, clustered(100_000, K, 32, 100)))
		queries := make([][]float32, 32)
		for i := range queries {
			queries[i] = vector(b, x.Table(), i*1000)
		}
		for _, batch := range []int{1, 32} {
			b.Run(fmt.Sprintf("N=100000,K=%d,D=32,batch=%d", K, batch), func(b *testing.B) {
				for b.Loop() {
					if _, err := x.Search(context.Background(), queries[:batch], search.Options{Limit: 10, Threads: 1}); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(b.N*batch)/b.Elapsed().Seconds(), "queries/s")
			})
		}
	}
}
