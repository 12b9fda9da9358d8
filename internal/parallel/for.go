package parallel

import (
	"runtime"
	"sync"
)

// shared is the pool of the program, with the processors that the program had
// when it started.
var shared = newPool(runtime.GOMAXPROCS(0))

// Threads returns how many goroutines For uses at most, the caller's included.
func Threads() int { return shared.threads }

// For divides 0…n into ranges of at least grain (or one range, where n is less
// than that) and calls f for each of them, on several processors where they are
// free. It returns when all calls have returned. Should one panic, For panics
// with a *Panic in its caller, when all others have returned or panicked.
func For(n, grain int, f func(from, to int)) { shared.run(n, grain, f) }

// Try is For for calls that may fail. It returns the error of the first range that
// has one, when all calls have returned.
func Try(n, grain int, f func(from, to int) error) error {
	var mu sync.Mutex
	var failure error
	at := n
	For(n, grain, func(from, to int) {
		if err := f(from, to); err != nil {
			mu.Lock()
			defer mu.Unlock()
			if from < at {
				at, failure = from, err
			}
		}
	})
	return failure
}
