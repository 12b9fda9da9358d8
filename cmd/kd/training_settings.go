package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
)

// settingsOf returns what determines the result of a training as canonical
// JSON: all parts' fields in one object, sorted.
func settingsOf(parts ...any) (string, error) {
	all := map[string]any{}
	for _, part := range parts {
		text, err := json.Marshal(part)
		if err != nil {
			return "", err
		}
		fields := map[string]any{}
		if err := unmarshal(text, &fields); err != nil {
			return "", err
		}
		maps.Copy(all, fields)
	}
	text, err := json.Marshal(all)
	return string(text), err
}

// unmarshal reads an object as it was written: of a seed no float64 holds all
// digits.
func unmarshal(text []byte, fields *map[string]any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	return d.Decode(fields)
}

// contentsOf returns what tells the content of files from others, by the name
// of their flag.
func contentsOf(files map[string]string) (map[string]any, error) {
	all := map[string]any{}
	for flag, path := range files {
		if all[flag] = ""; path == "" {
			continue
		}
		content, err := contentOf(path)
		if err != nil {
			return nil, err
		}
		all[flag] = content
	}
	return all, nil
}

// contentOf returns what tells a file's content from others.
func contentOf(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	n, err := io.Copy(h, f)
	if err != nil {
		return "", fmt.Errorf("%s: %w", path, err)
	}
	return fmt.Sprintf("%d bytes, sha256 %s", n, hex.EncodeToString(h.Sum(nil)[:8])), nil
}

// await returns what f does, which cannot be interrupted, and returns early when
// ctx ends: f is then left to itself, since kd is about to end.
func await[T any](ctx context.Context, f func() (T, error)) (T, error) {
	type result struct {
		value T
		err   error
	}
	done := make(chan result, 1)
	go func() {
		value, err := f()
		done <- result{value, err}
	}()
	select {
	case r := <-done:
		return r.value, r.err
	case <-ctx.Done():
		var none T
		return none, ctx.Err()
	}
}
