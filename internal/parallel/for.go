package parallel

import "runtime"

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
