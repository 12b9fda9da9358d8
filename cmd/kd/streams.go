package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"

	"github.com/spf13/cobra"
	"golang.org/x/term"
)

// streams are where a verb reads and writes.
type streams struct {
	in       io.Reader     // ends with an error when kd is interrupted
	keyboard bool          // in is a terminal
	out      *bufio.Writer // results; run flushes it
	err      io.Writer     // errors and notes
	progress *progress     // on err, where that is a terminal
}

func newStreams(ctx context.Context, stdin io.Reader, stdout, stderr io.Writer) *streams {
	s := &streams{
		in:       &interruptible{ctx: ctx, r: stdin},
		keyboard: isTerminal(stdin),
		out:      bufio.NewWriterSize(stdout, 64<<10),
		err:      stderr,
		progress: newProgress(stderr, isTerminal(stderr)),
	}
	if f, ok := stderr.(*os.File); ok {
		s.progress.width = func() int {
			width, _, err := term.GetSize(int(f.Fd()))
			if err != nil {
				return 0
			}
			return width
		}
	}
	return s
}

// isTerminal reports whether stream is a terminal.
func isTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// writeJSON writes the one object that --json prints.
func (s *streams) writeJSON(v any) error {
	e := json.NewEncoder(s.out)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	var value *json.UnsupportedValueError
	if errors.As(err, &value) {
		return dataf("the result has the number %s, which JSON cannot express; leave --json out", value.Str)
	}
	return err
}

// jsonFlag gives cmd its --json.
func jsonFlag(cmd *cobra.Command, set *bool) {
	cmd.Flags().BoolVar(set, "json", false, "print one JSON object instead of text")
}

// interruptible is a reader whose Read returns when ctx ends, even while it
// waits for a keyboard or a pipe.
type interruptible struct {
	ctx  context.Context
	r    io.Reader
	buf  []byte
	left []byte // read, not yet returned
	err  error  // to return after left
}

func (i *interruptible) Read(p []byte) (int, error) {
	if len(i.left) == 0 && i.err == nil {
		if err := i.fill(); err != nil {
			return 0, err
		}
	}
	n := copy(p, i.left)
	if i.left = i.left[n:]; len(i.left) == 0 {
		return n, i.err
	}
	return n, nil
}

func (i *interruptible) fill() error {
	if i.buf == nil {
		i.buf = make([]byte, 64<<10)
	}
	var n int
	var err error
	done := make(chan struct{})
	go func() {
		defer close(done)
		n, err = i.r.Read(i.buf)
	}()
	select {
	case <-done:
		i.left, i.err = i.buf[:n], err
		return nil
	case <-i.ctx.Done():
		i.err = i.ctx.Err() // the read under way still has the buffer
		return i.err
	}
}
