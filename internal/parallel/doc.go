// Package parallel divides work among the processors: one pool of workers for
// the whole program, so that kernels called from several places never run on
// more threads than there are processors.
//
//	parallel.For(len(rows), 64, func(from, to int) { … rows[from:to] … })
//
// A call to For costs less than a microsecond while the workers are awake:
// they look for work a little while after each call, then sleep. For allocates
// nothing; a function literal that captures variables is allocated by whoever
// writes it, so code that runs thousands of times a second makes its function
// once and passes the arguments in what it captures.
//
// There is at most one divided loop at a time. A For inside another one, or
// beside another one in a second goroutine, runs in its caller alone.
//
// Which goroutine runs a range, and in which order ranges run, is a matter of
// chance. The ranges themselves may depend on what else runs, too: results must
// not depend on where one range ends and the next begins.
package parallel
