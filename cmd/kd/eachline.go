package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"sync"

	"github.com/kdcode/kdcode/internal/gunzip"
)

// chunkSize is how much text a goroutine takes at once: enough that handing it
// over costs nothing beside the work. A longer line is a chunk of its own.
const chunkSize = 128 << 10

// byteOrderMark is what some editors begin a text with. It is no part of it.
const byteOrderMark = "\ufeff"

// chunk is some whole lines, and what becomes of them.
type chunk struct {
	lines []byte
	out   []byte
	err   error
	done  chan struct{}
}

// lineReading is how lines are read.
type lineReading struct {
	threads int  // goroutines that work on them
	single  bool // one at a time: for work so slow that each result is waited for
}

// eachLine writes to w what work makes of every line of r, in their order. Each
// goroutine has a work of its own, which appends to dst what becomes of a line.
// Whoever writes to r by and by gets answers by and by.
func eachLine(ctx context.Context, w *bufio.Writer, r io.Reader, name string, how lineReading, work func() func(dst, line []byte) ([]byte, error)) error {
	if how.single {
		r = &singleLines{bufio.NewReaderSize(r, chunkSize)}
	}
	ctx, cancel := context.WithCancel(ctx)
	jobs := make(chan *chunk)                   // to whoever is free
	inOrder := make(chan *chunk, 2*how.threads) // to the writer
	var running sync.WaitGroup
	defer running.Wait()
	defer cancel()
	for range how.threads {
		running.Go(func() {
			line := work()
			for c := range receive(ctx, jobs) {
				c.out, c.err = lines(ctx, c.lines, line)
				close(c.done)
			}
		})
	}
	var readErr error
	go func() { // not waited for: it may be reading from a keyboard
		defer close(inOrder)
		defer close(jobs)
		first := true
		readErr = chunks(ctx, r, func(text []byte) error {
			if first {
				text, first = bytes.TrimPrefix(text, []byte(byteOrderMark)), false
			}
			c := &chunk{lines: text, done: make(chan struct{})}
			for _, to := range []chan *chunk{inOrder, jobs} {
				select {
				case to <- c:
				case <-ctx.Done():
					return ctx.Err()
				}
			}
			return nil
		})
	}()
	for c := range inOrder {
		select {
		case <-c.done:
		case <-ctx.Done():
			return ctx.Err()
		}
		if _, err := w.Write(c.out); err != nil {
			return err
		}
		if c.err != nil {
			return c.err
		}
		if err := w.Flush(); err != nil {
			return err
		}
	}
	if readErr != nil && ctx.Err() == nil {
		return fmt.Errorf("%s: %w", name, readErr)
	}
	return ctx.Err()
}

// receive returns what comes from a channel until it is closed or ctx ends.
func receive[T any](ctx context.Context, from <-chan T) iter.Seq[T] {
	return func(yield func(T) bool) {
		for {
			select {
			case v, ok := <-from:
				if !ok || !yield(v) {
					return
				}
			case <-ctx.Done():
				return
			}
		}
	}
}

// lines returns what becomes of all lines of a text.
func lines(ctx context.Context, text []byte, work func(dst, line []byte) ([]byte, error)) ([]byte, error) {
	var out []byte
	for line := range bytes.Lines(text) {
		if ctx.Err() != nil {
			return out, ctx.Err()
		}
		line = bytes.TrimSuffix(bytes.TrimSuffix(line, []byte("\n")), []byte("\r"))
		var err error
		if out, err = work(out, line); err != nil {
			return out, err
		}
	}
	return out, nil
}

// chunks calls give with all of r, some whole lines at a time, as they come.
func chunks(ctx context.Context, r io.Reader, give func([]byte) error) error {
	var left []byte // the beginning of a line
	for {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		text := append(make([]byte, 0, len(left)+chunkSize), left...)
		n, err := r.Read(text[len(left):cap(text)])
		searched := len(left)
		text = text[:len(left)+n]
		if end := bytes.LastIndexByte(text[searched:], '\n') + 1; end > 0 {
			left = text[searched+end:]
			if err := give(text[:searched+end]); err != nil {
				return err
			}
		} else {
			left = text
		}
		switch {
		case errors.Is(err, io.EOF) && len(left) > 0:
			return give(left)
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		}
	}
}

// singleLines reads no further at once than to the end of a line.
type singleLines struct{ r *bufio.Reader }

func (s *singleLines) Read(p []byte) (int, error) {
	if _, err := s.r.Peek(1); err != nil {
		return 0, err
	}
	there, _ := s.r.Peek(s.r.Buffered())
	if end := bytes.IndexByte(there, '\n') + 1; end > 0 {
		there = there[:end]
	}
	return s.r.Read(p[:min(len(p), len(there))])
}

// texts is an open file of texts, gzipped or not.
type texts struct {
	io.Reader
	f *os.File
}

func (t *texts) Close() error { return t.f.Close() }

// openTexts opens a file of texts. What begins as gzip does is unpacked.
func openTexts(path string) (*texts, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	in, _, err := gunzip.Reader(bufio.NewReaderSize(f, chunkSize), func(what string) error { return dataf("%s", what) })
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return &texts{in, f}, nil
}
