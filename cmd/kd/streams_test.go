package main

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

func TestInterruptible(t *testing.T) {
	const text = "some words that are read in several pieces"
	if err := iotest.TestReader(&interruptible{ctx: t.Context(), r: iotest.OneByteReader(strings.NewReader(text))}, []byte(text)); err != nil {
		t.Error(err)
	}
	// A read that waits for ever ends with the context.
	ctx, cancel := context.WithCancel(t.Context())
	waiting, _ := io.Pipe()
	i := &interruptible{ctx: ctx, r: waiting}
	cancel()
	for range 2 {
		if _, err := i.Read(make([]byte, 1)); !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	}
}
