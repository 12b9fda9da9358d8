// Package ctxtest has a context for tests of what can be interrupted.
package ctxtest

import (
	"context"
	"sync/atomic"
	"testing"
)

// countdown is a context that counts how often it is asked whether it has ended.
type countdown struct {
	context.Context
	left *atomic.Int64
	end  context.CancelFunc
}

// Countdown returns a context that ends, as by Ctrl-C, when it is asked for the
// n-th time whether it has.
func Countdown(t testing.TB, n int) context.Context {
	ctx, cancel := context.WithCancel(t.Context())
	t.Cleanup(cancel)
	c := countdown{ctx, new(atomic.Int64), cancel}
	c.left.Store(int64(n))
	return c
}

func (c countdown) Err() error {
	if c.left.Add(-1) <= 0 {
		c.end()
	}
	return c.Context.Err()
}
