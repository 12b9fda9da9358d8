package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/kdcode/kdcode/codefile"
	"github.com/kdcode/kdcode/internal/atomicfile"
	"github.com/kdcode/kdcode/internal/mmap"
)

// codesToCodes stores a code file otherwise.
func codesToCodes(ctx context.Context, o convertOptions) (convertResult, error) {
	m, err := readModel(ctx, o.in)
	if err != nil {
		return convertResult{}, err
	}
	if o.fold {
		if m.Composition != codefile.Affine {
			return convertResult{}, usagef("--fold: the composition of %s is %s; only affine can be folded", o.in, m.Composition)
		}
		if m, err = m.Fold(); err != nil {
			return convertResult{}, fmt.Errorf("%s: %w", o.in, err)
		}
	}
	if o.dtype != "" {
		if m.Embeddings.DType, err = codefile.ParseDType(o.dtype); err != nil {
			return convertResult{}, usageError{err}
		}
	}
	if o.noSymbols {
		m.Symbols = nil
	}
	r := convertResult{From: "kd", To: "kd", N: m.Codes.N(), Dim: m.Dim(), DType: string(m.Embeddings.DType)}
	return r, writeModel(ctx, o.out, m)
}

// readModel reads a whole code file, having verified it: what is damaged must
// not get new checksums.
func readModel(ctx context.Context, path string) (*codefile.Model, error) {
	t, err := openTable(path)
	if err != nil {
		return nil, err
	}
	if err := verify(ctx, t, path); err != nil {
		return nil, err
	}
	if err := t.Close(); err != nil {
		return nil, err
	}
	f, err := mmap.Open(path)
	if err != nil {
		return nil, err
	}
	r, err := codefile.NewReader(f.Data)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", path, err), f.Close())
	}
	m, err := r.Model()
	if err != nil {
		err = fmt.Errorf("%s: %w", path, err)
	}
	return m, errors.Join(err, f.Close())
}

// writeModel is codefile.WriteFile, but leaves nothing when interrupted.
func writeModel(ctx context.Context, path string, m *codefile.Model) error {
	f, err := atomicfile.Create(path)
	if err != nil {
		return err
	}
	defer f.Close()
	w := bufio.NewWriterSize(interruptibleWriter{ctx, f}, 1<<20)
	if _, err := m.WriteTo(w); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	if err := w.Flush(); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return f.Commit()
}

// interruptibleWriter is a writer that fails once ctx has ended.
type interruptibleWriter struct {
	ctx context.Context
	w   io.Writer
}

func (i interruptibleWriter) Write(p []byte) (int, error) {
	if err := i.ctx.Err(); err != nil {
		return 0, err
	}
	return i.w.Write(p)
}
