package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"regexp"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/kdcode/kdcode"
	"github.com/kdcode/kdcode/classify"
	"github.com/kdcode/kdcode/codefile"
	"github.com/kdcode/kdcode/learn"
	"github.com/kdcode/kdcode/learn/graph"
	"github.com/kdcode/kdcode/learn/lm"
	"github.com/kdcode/kdcode/quantize"
	"github.com/kdcode/kdcode/vectors"
)

// The exit codes of kd.
const (
	exitDone        = 0
	exitFailed      = 1
	exitUsage       = 2
	exitData        = 3
	exitInterrupted = 130
)

// usageError is an error in how kd was called.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

func usagef(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

// dataError is an error in what kd was given to work on.
type dataError struct{ error }

func (e dataError) Unwrap() error { return e.error }

func dataf(format string, args ...any) error { return dataError{fmt.Errorf(format, args...)} }

// interruption is the end of a verb by Ctrl-C that can be gone on from.
type interruption struct {
	error
	remedy string
}

func (e interruption) Unwrap() error { return e.error }

// exitError ends kd with a code, after the verb has said why on stdout.
type exitError int

func (e exitError) Error() string { return fmt.Sprintf("exit code %d", int(e)) }

// wantArgs checks the number of arguments: those named must all be there, and
// more may follow or not.
func wantArgs(more bool, named ...string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if len(args) < len(named) {
			return usagef("%s is missing", named[len(args)])
		}
		if !more && len(args) > len(named) {
			return usagef("%q is one argument too many", args[len(named)])
		}
		return nil
	}
}

// exitCode returns the code that err ends kd with.
func exitCode(err error) int {
	var exit exitError
	var usage usageError
	var data dataError
	is := func(targets ...error) bool {
		for _, t := range targets {
			if errors.Is(err, t) {
				return true
			}
		}
		return false
	}
	switch {
	case err == nil:
		return exitDone
	case errors.As(err, &exit):
		return int(exit)
	case is(context.Canceled):
		return exitInterrupted
	case is(syscall.EPIPE, io.ErrClosedPipe):
		return exitDone // whoever read our output has seen enough
	case errors.As(err, &usage), is(vectors.ErrTensor):
		return exitUsage
	case errors.As(err, &data),
		is(codefile.ErrFormat, codefile.ErrDamaged, codefile.ErrModel, vectors.ErrFormat, vectors.ErrUnwritable, kdcode.ErrID, kdcode.ErrNoSymbols, quantize.ErrInput, quantize.ErrCheckpoint, learn.ErrCheckpoint,
			classify.ErrFormat, classify.ErrNoClassifier, graph.ErrFormat, graph.ErrNoNetwork, graph.ErrMismatch,
			lm.ErrFormat, lm.ErrNoModel):
		return exitData
	}
	return exitFailed
}

// report says on stderr, in one line, what went wrong in cmd, and returns the
// exit code.
func report(stderr io.Writer, cmd *cobra.Command, err error) int {
	code := exitCode(err)
	var exit exitError
	if code == exitDone || errors.As(err, &exit) {
		return code
	}
	msg := message(err)
	if code == exitUsage {
		if !strings.HasSuffix(msg, "?") {
			msg += ";"
		}
		msg += " see " + cmd.CommandPath() + " --help"
	}
	fmt.Fprintln(stderr, "kd: "+msg)
	return code
}

// temporary is the name that package atomicfile writes a file under until it is
// complete.
var temporary = regexp.MustCompile(`(^|[/\\ ])\.([^/\\:]+?)\.tmp-[0-9]+`)

// message puts err into one line that begins with the file it is about, and
// calls that as the user does.
func message(err error) string {
	msg := temporary.ReplaceAllString(plainMessage(err), "$1$2")
	switch {
	case errors.Is(err, syscall.ENOSPC):
		msg += "; make room there"
	case errors.Is(err, syscall.ECONNREFUSED):
		msg += "; does kd serve run there?"
	}
	return msg
}

func plainMessage(err error) string {
	var stop interruption
	if errors.As(err, &stop) {
		return "interrupted; " + stop.remedy
	}
	if errors.Is(err, context.Canceled) {
		return "interrupted"
	}
	var path *fs.PathError
	if errors.As(err, &path) && err.Error() == path.Error() {
		msg := path.Path + ": " + path.Err.Error()
		if errors.Is(err, fs.ErrNotExist) {
			msg += "; check the name"
		}
		return msg
	}
	msg := strings.TrimPrefix(strings.TrimSpace(err.Error()), "kdcode: ")
	return strings.Join(strings.FieldsFunc(msg, func(r rune) bool { return r == '\n' || r == '\r' }), "; ")
}
