package serve

import (
	"context"
	"sync"
)

// lazy is a value that costs work to make, made once, when it is first asked
// for. All who ask meanwhile wait for it, each as long as its own context lasts.
type lazy[T any] struct {
	mu   sync.Mutex
	made chan struct{} // closed when value or err is there; nil before anyone asked
	used bool          // a client asked, not only Warm
	v    T
	err  error
}

// get returns the value, made by make where nobody asked before. An error is
// told to those who waited, and the next one tries again.
func (l *lazy[T]) get(ctx context.Context, make func() (T, error)) (T, error) {
	l.mu.Lock()
	made := l.made
	if made == nil {
		made = l.begin(make)
	}
	l.mu.Unlock()
	select {
	case <-made:
		l.mu.Lock()
		defer l.mu.Unlock()
		return l.v, l.err
	case <-ctx.Done():
		var none T
		return none, ctx.Err()
	}
}

// begin makes the value in the background: whoever asked may not wait for it.
func (l *lazy[T]) begin(make func() (T, error)) chan struct{} {
	made := newSignal()
	l.made = made
	go func() {
		v, err := make()
		l.mu.Lock()
		defer l.mu.Unlock()
		l.v, l.err = v, err
		if err != nil {
			l.made = nil
		}
		close(made)
	}()
	return made
}

func newSignal() chan struct{} { return make(chan struct{}) }

// use notes that a client asks for the value.
func (l *lazy[T]) use() *lazy[T] {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.used = true
	return l
}

// inUse reports whether a client has asked for the value.
func (l *lazy[T]) inUse() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.used
}
