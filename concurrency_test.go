package kdcode_test

import (
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/kdcode/kdcode"
	"github.com/kdcode/kdcode/codefile"
	"github.com/kdcode/kdcode/internal/tabletest"
)

// TestCloseDuringLookups closes a mapped table under lookups of every kind.
// Touching unmapped memory would kill the test.
func TestCloseDuringLookups(t *testing.T) {
	m := tabletest.Model(tabletest.Shape{N: 5000, K: 32, D: 32, Dim: 20, CodeDim: 20, Composition: codefile.Sum}, 21)
	path := write(t, m)
	for range 20 {
		table, err := kdcode.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		var done atomic.Int64
		var readers sync.WaitGroup
		for g := range 8 {
			readers.Go(func() {
				v, batch := make([]float32, 20), make([]float32, 60)
				for i := g; ; i = (i*31 + 7) % 5000 {
					err := table.Lookup(v, i)
					if err == nil {
						err = table.LookupBatch(batch, []int{i, 0, 4999})
					}
					if err == nil {
						_, err = table.Symbol(i)
					}
					table.ID("w77")
					if errors.Is(err, kdcode.ErrClosed) {
						return
					}
					if err != nil {
						t.Error(err)
						return
					}
					done.Add(1)
				}
			})
		}
		for done.Load() < 100 {
			time.Sleep(100 * time.Microsecond)
		}
		if err := table.Close(); err != nil {
			t.Error(err)
		}
		readers.Wait()
	}
}

// TestCloseInsideSymbols: the caller may close the table while it iterates.
func TestCloseInsideSymbols(t *testing.T) {
	table := open(t, tabletest.Model(tabletest.Shape{N: 100, K: 4, D: 3, Dim: 5, CodeDim: 5, Composition: codefile.Sum}, 22))
	n := 0
	for range table.Symbols() {
		if n++; n == 10 {
			table.Close()
		}
	}
	if n != 10 {
		t.Errorf("%d symbols", n)
	}
}
