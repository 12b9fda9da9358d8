package gemm

import "sync"

// A freeList keeps what products need while they run, with its memory, for the
// next ones. Unlike a sync.Pool it is not emptied by the garbage collector: the
// steady state allocates nothing. It grows to the number of calls at one time.
type freeList[T any] struct {
	fresh func() *T
	mu    sync.Mutex
	free  []*T
}

func (l *freeList[T]) get() *T {
	l.mu.Lock()
	defer l.mu.Unlock()
	if n := len(l.free); n > 0 {
		x := l.free[n-1]
		l.free = l.free[:n-1]
		return x
	}
	return l.fresh()
}

func (l *freeList[T]) put(x *T) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.free = append(l.free, x)
}
