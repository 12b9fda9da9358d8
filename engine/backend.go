package engine

import (
	"fmt"
	"sync/atomic"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/gobackend"

	"github.com/kdcode/kdcode/internal/parallel"
)

// BackendName is what GOMLX_BACKEND and --backend call this backend.
const BackendName = "simd"

func init() { compute.Register(BackendName, New) }

// Backend is a compute.Backend for CPUs.
type Backend struct {
	// portable is GoMLX's Go backend. It checks graphs as they are recorded,
	// holds the memory of all buffers, and runs what has no kernel here.
	portable  compute.Backend
	spare     spareBuffers
	finalized atomic.Bool
}

var _ compute.Backend = (*Backend)(nil)

// New returns a backend. The configuration is passed on to GoMLX's Go backend,
// which runs its operations one after the other here: where it panics, it then
// does so in the caller's goroutine, and not in one that ends the process.
func New(config string) (compute.Backend, error) {
	portable, err := gobackend.New("ops_sequential," + config)
	if err != nil {
		return nil, err
	}
	return &Backend{portable: portable}, nil
}

// Name returns the short name of the backend.
func (b *Backend) Name() string { return BackendName }

// String returns the same as Name.
func (b *Backend) String() string { return BackendName }

// Description returns a line about the backend.
func (b *Backend) Description() string {
	return fmt.Sprintf("SIMD kernels in pure Go, %d threads", parallel.Threads())
}

// NumDevices returns 1: the CPU.
func (b *Backend) NumDevices() int { return 1 }

// DeviceDescription returns a line about the device.
func (b *Backend) DeviceDescription(compute.DeviceNum) string { return "CPU" }

// Capabilities are those of GoMLX's Go backend, which runs what has no kernel
// here.
func (b *Backend) Capabilities() compute.Capabilities { return b.portable.Capabilities() }

// Builder returns a builder of a computation.
func (b *Backend) Builder(name string) compute.Builder { return newBuilder(b, name) }

// Finalize makes the backend invalid.
func (b *Backend) Finalize() {
	b.finalized.Store(true)
	b.spare.clear()
	b.portable.Finalize()
}

// IsFinalized reports whether Finalize was called.
func (b *Backend) IsFinalized() bool { return b.finalized.Load() }
