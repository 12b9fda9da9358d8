package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
)

// startChild runs this program with those arguments. When ctx ends it is asked
// to end as by Ctrl-C, and waited for: it has a checkpoint to write, or may be
// done already.
func startChild(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	self, err := os.Executable()
	if err != nil {
		return fmt.Errorf("finding this program to run it again: %w", err)
	}
	cmd := exec.CommandContext(ctx, self, args...)
	cmd.Stdout, cmd.Stderr = stdout, stderr
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	inOwnGroup(cmd)
	err = cmd.Run()
	if ctx.Err() != nil && (cmd.ProcessState == nil || !cmd.ProcessState.Success()) {
		return ctx.Err()
	}
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return exitError(exit.ExitCode())
	}
	return err
}
