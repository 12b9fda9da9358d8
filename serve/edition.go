package serve

import (
	"context"
	"os"
	"sync/atomic"
	"time"

	"github.com/kdcode/kdcode"
	"github.com/kdcode/kdcode/search"
)

// edition is a file as it was when it was opened. Requests hold the edition
// they began with; the last to let go of a replaced one closes it.
type edition struct {
	*kdcode.Table
	opened time.Time
	file   os.FileInfo
	holds  atomic.Int64 // requests, and one for being the table's newest

	index lazy[*search.Index]
	order lazy[*order]
	chart lazy[*Map]
}

func openEdition(path string, load bool) (*edition, error) {
	// Described before it is opened: if it is replaced in between, the next
	// reload sees a difference.
	file, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	open := kdcode.Open
	if load {
		open = kdcode.Load
	}
	t, err := open(path)
	if err != nil {
		return nil, err
	}
	e := &edition{Table: t, opened: time.Now(), file: file}
	e.holds.Store(1)
	return e, nil
}

// same reports whether file is what e was opened from.
func (e *edition) same(file os.FileInfo) bool {
	return os.SameFile(e.file, file) && e.file.ModTime().Equal(file.ModTime()) && e.file.Size() == file.Size()
}

// hold reports whether e could still be had.
func (e *edition) hold() bool {
	for {
		n := e.holds.Load()
		if n == 0 {
			return false
		}
		if e.holds.CompareAndSwap(n, n+1) {
			return true
		}
	}
}

// release lets go of e.
func (e *edition) release() {
	if e.holds.Add(-1) == 0 {
		e.Close() // unmaps; it has nothing to write that could fail
	}
}

// background runs make while holding e, for what a lazy makes after those who
// asked may have gone.
func background[T any](e *edition, make func() (T, error)) func() (T, error) {
	return func() (T, error) {
		if !e.hold() {
			var none T
			return none, kdcode.ErrClosed
		}
		defer e.release()
		return make()
	}
}

func (e *edition) makeIndex() func() (*search.Index, error) {
	return background(e, func() (*search.Index, error) { return search.NewIndex(e.Table) })
}

func (e *edition) makeOrder() func() (*order, error) {
	return background(e, func() (*order, error) { return newOrder(e.Table) })
}

// searchIndex returns the index to search e with.
func (e *edition) searchIndex(ctx context.Context) (*search.Index, error) {
	return e.index.use().get(ctx, e.makeIndex())
}

// symbolOrder returns the order of e's symbols.
func (e *edition) symbolOrder(ctx context.Context) (*order, error) {
	return e.order.use().get(ctx, e.makeOrder())
}
