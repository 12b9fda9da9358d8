package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kdcode/kdcode"
)

// checkOptions are what kd check is told.
type checkOptions struct {
	files []string
	json  bool
}

func newCheck(s *streams) *cobra.Command {
	var o checkOptions
	cmd := &cobra.Command{
		Use:   "check FILE…",
		Short: "Verify that code files are whole",
		Long: `Read code files from beginning to end and verify every checksum, every digit and
the index of the symbols. A line a file says ok or what is wrong; the exit code is 3
if any file is bad.`,
		Example: `  kd check glove.kd
  kd check *.kd`,
		Args:              wantArgs(true, "FILE"),
		ValidArgsFunction: completeCodeFiles,
		RunE: func(cmd *cobra.Command, args []string) error {
			o.files = args
			return check(cmd.Context(), s, o)
		},
	}
	jsonFlag(cmd, &o.json)
	return cmd
}

// checkResult is what --json prints.
type checkResult struct {
	OK    bool        `json:"ok"` // all files are
	Files []fileCheck `json:"files"`
}

type fileCheck struct {
	File  string `json:"file"`
	OK    bool   `json:"ok"`
	Error string `json:"error,omitempty"`
	N     int    `json:"n,omitempty"`
}

func check(ctx context.Context, s *streams, o checkOptions) error {
	result := checkResult{OK: true}
	code := exitDone
	for i, file := range o.files {
		if len(o.files) > 1 {
			s.progress.update("checking", i, len(o.files))
		}
		n, err := checkFile(ctx, file)
		if errors.Is(err, context.Canceled) {
			return err
		}
		c := fileCheck{File: file, OK: err == nil, N: n}
		if err != nil {
			c.Error = strings.TrimPrefix(message(err), file+": ")
			result.OK = false
			code = max(code, exitCode(err))
		}
		result.Files = append(result.Files, c)
		if o.json {
			continue
		}
		s.progress.clear()
		line := fmt.Sprintf("ok, %s", plural(n, "vector"))
		if err != nil {
			line = c.Error
		}
		fmt.Fprintf(s.out, "%s: %s\n", file, line)
		if err := s.out.Flush(); err != nil {
			return err
		}
	}
	if o.json {
		if err := s.writeJSON(result); err != nil {
			return err
		}
	}
	if code != exitDone {
		return exitError(code)
	}
	return nil
}

// checkFile verifies one file and returns how many vectors it has.
func checkFile(ctx context.Context, file string) (int, error) {
	t, err := openTable(file)
	if err != nil {
		return 0, err
	}
	if err := verify(ctx, t, file); err != nil {
		return 0, err
	}
	return t.Len(), t.Close()
}

// verify reads the whole of t, the table at path. After an error t is closed,
// or will be.
func verify(ctx context.Context, t *kdcode.Table, path string) error {
	if err := ctx.Err(); err != nil {
		return errors.Join(err, t.Close())
	}
	verified := make(chan error, 1)
	go func() { verified <- t.Verify() }()
	select {
	case err := <-verified:
		if err != nil {
			return errors.Join(fmt.Errorf("%s: %w", path, err), t.Close())
		}
		return nil
	case <-ctx.Done():
		go t.Close() // waits for the verification, for which we do not
		return ctx.Err()
	}
}
