//go:build unix

package main

import (
	"os/exec"
	"syscall"
)

// inOwnGroup keeps a terminal's Ctrl-C from the child, which would otherwise hear
// it twice: the second time ends it without a checkpoint.
func inOwnGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }
