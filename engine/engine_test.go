package engine

import (
	"testing"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/support/backendtest"
)

func newBackend(t testing.TB) *Backend {
	t.Helper()
	b, err := compute.NewWithConfig(BackendName)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Finalize)
	return b.(*Backend)
}

func TestCompliance(t *testing.T) { backendtest.RunAll(t, newBackend(t), nil) }
