// Package enginetest runs the tests of a package on both CPU backends: simd, of
// package engine, and GoMLX's own.
//
//	func TestMain(m *testing.M) { os.Exit(enginetest.Main(m)) }
//
//	func TestStep(t *testing.T) { … enginetest.Backend(t) … }
package enginetest

import (
	"flag"
	"fmt"
	"os"
	"sync"
	"testing"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/gobackend"

	"github.com/kdcode/kdcode/engine"
)

var (
	name = engine.BackendName // of the backend that tests run on now

	mu     sync.Mutex
	opened = map[string]compute.Backend{}
)

// Main runs the tests on one backend after the other, with -short on simd
// alone, and returns the exit code.
func Main(m *testing.M) int {
	flag.Parse()
	names := []string{engine.BackendName, gobackend.BackendName}
	if testing.Short() {
		names = names[:1]
	}
	for _, name = range names {
		if code := m.Run(); code != 0 {
			fmt.Fprintf(os.Stderr, "that was on the backend %s\n", name)
			return code
		}
	}
	return 0
}

// Backend returns the backend that tests run on, the same for all tests:
// tensors cannot move between instances.
func Backend(t testing.TB) compute.Backend {
	t.Helper()
	mu.Lock()
	defer mu.Unlock()
	if opened[name] == nil {
		b, err := compute.NewWithConfig(name)
		if err != nil {
			t.Fatal(err)
		}
		opened[name] = b
	}
	return opened[name]
}

// Slow skips a test on GoMLX's own backend: for tests that take long, or whose
// result does not hang on the backend.
func Slow(t testing.TB) {
	t.Helper()
	if name == gobackend.BackendName {
		t.Skip("it takes long: run on simd alone")
	}
}
