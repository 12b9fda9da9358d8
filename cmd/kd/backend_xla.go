//go:build cgo && ((linux && (amd64 || arm64)) || (darwin && arm64))

package main

import (
	"os"

	xlabackend "github.com/gomlx/go-xla/compute/xla"
)

func init() {
	// By itself the library downloads plugins when asked what there is.
	xlabackend.EnableAutoInstall(false)
	xla.plugins = xlabackend.GetAvailablePlugins
	xla.allowInstall = func() {
		if _, no := os.LookupEnv(xlabackend.NoAutoInstallEnv); !no {
			xlabackend.EnableAutoInstall(true)
		}
	}
}
