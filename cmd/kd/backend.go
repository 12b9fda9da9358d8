package main

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/gomlx/compute"
	_ "github.com/gomlx/compute/gobackend" // registers "go"
	"github.com/spf13/cobra"

	"github.com/kdcode/kdcode/engine"
)

// xla is set by the build with cgo: the XLA backends.
var xla struct {
	// plugins returns the PJRT plugins that are on the machine. It downloads
	// nothing.
	plugins func() []string
	// allowInstall lets a backend that is asked for by name be downloaded.
	allowInstall func()
}

// backendFlag adds --backend, which names where graphs are run.
func backendFlag(cmd *cobra.Command, name *string) {
	cmd.Flags().StringVar(name, "backend", "auto",
		"`NAME` of where to compute: auto, simd, go, or in builds with cgo xla:cuda, xla:cpu, xla:tpu (GOMLX_BACKEND sets the default)")
}

// openBackend returns the backend of that name.
func openBackend(name string) (compute.Backend, string, error) {
	if env := os.Getenv(compute.ConfigEnvVar); name == "auto" && env != "" {
		name = env
	}
	if name == "auto" {
		name = automaticBackend()
	}
	if strings.HasPrefix(name, "xla") {
		if xla.allowInstall == nil {
			return nil, name, usagef("the backend %s is not in this build of kd: it needs cgo (CGO_ENABLED=1 go build ./cmd/kd)", name)
		}
		xla.allowInstall()
	}
	if kind, _, _ := strings.Cut(name, ":"); !slices.Contains(compute.List(), kind) {
		return nil, name, usagef("there is no backend %s; use auto, simd, go, xla:cuda, xla:cpu or xla:tpu", name)
	}
	b, err := newBackend(name)
	switch {
	case err != nil && strings.HasPrefix(name, "xla"):
		return nil, name, fmt.Errorf("opening the backend %s: %w; docs/gpu.md says how to get it", name, err)
	case err != nil:
		return nil, name, fmt.Errorf("opening the backend %s: %w", name, err)
	}
	return b, name, nil
}

// newBackend opens a backend. Some panic where they cannot be.
func newBackend(name string) (b compute.Backend, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%v", r)
		}
	}()
	return compute.NewWithConfig(name)
}

// automaticBackend returns a GPU's backend if its plugin is on the machine, and
// ours for CPUs otherwise.
func automaticBackend() string {
	if xla.plugins != nil {
		for _, plugin := range xla.plugins() {
			if strings.HasPrefix(plugin, "cuda") {
				return "xla:cuda"
			}
		}
	}
	return engine.BackendName
}
