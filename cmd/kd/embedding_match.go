package main

import (
	"context"
	"fmt"

	"github.com/kdcode/kdcode/codefile"
	"github.com/kdcode/kdcode/learn"
)

// matchedCodes returns the codes that a code file has for symbols. Those that
// it does not have get codes at random.
func matchedCodes(path string, symbols []string, seed uint64) (codefile.Codes, []string, error) {
	t, err := openTable(path)
	if err != nil {
		return codefile.Codes{}, nil, err
	}
	defer t.Close()
	info := t.Info()
	codes := learn.RandomCodes(len(symbols), info.K, info.D, seed)
	missing := 0
	for i, symbol := range symbols {
		id, ok := t.ID(symbol)
		if !ok {
			missing++
			continue
		}
		codes.Set(i, t.Code(nil, id))
	}
	notes, err := missingSymbols(path, missing, len(symbols), "their codes are random")
	return codes, notes, err
}

// matchedVectors returns the vectors [N, dim] that a file has for symbols, a
// table of ordinary vectors or a code file. Those that it does not have get the
// mean of the others.
func matchedVectors(ctx context.Context, s *streams, path string, symbols []string, dim int) ([]float32, []string, error) {
	code, err := isCodeFile(path)
	if err != nil {
		return nil, nil, err
	}
	place := make(map[string]int, len(symbols))
	for i, symbol := range symbols {
		place[symbol] = i
	}
	m := &matching{path: path, place: place, dim: dim, found: make([]bool, len(symbols)), data: make([]float32, len(symbols)*dim)}
	if code {
		err = m.codes(ctx)
	} else {
		err = m.table(ctx, s)
	}
	if err != nil {
		return nil, nil, err
	}
	missing := m.fillIn()
	notes, err := missingSymbols(path, missing, len(symbols), "they get the mean of the others")
	return m.data, notes, err
}

// missingSymbols says that a file does not have all symbols. It is an error if
// it has none.
func missingSymbols(path string, missing, n int, remedy string) ([]string, error) {
	switch missing {
	case 0:
		return nil, nil
	case n:
		return nil, dataf("%s: it has none of the %s to train: is it of other data?", path, plural(n, "symbol"))
	}
	return []string{fmt.Sprintf("%s: %s of %s are not in it: %s", path, grouped(int64(missing)), plural(n, "symbol"), remedy)}, nil
}

// matching fills in the vectors of symbols.
type matching struct {
	path  string
	place map[string]int // of the symbols
	dim   int
	found []bool
	data  []float32 // [N, dim]
}

// row returns where the vector of a symbol belongs, the first time that it is
// asked for.
func (m *matching) row(symbol string) ([]float32, bool) {
	i, ok := m.place[symbol]
	if !ok || m.found[i] {
		return nil, false
	}
	m.found[i] = true
	return m.data[i*m.dim:][:m.dim], true
}

func (m *matching) checkDim(dim int) error {
	if dim != m.dim {
		return dataf("%s: its vectors have the width %d, not %d: give --dim %d", m.path, dim, m.dim, dim)
	}
	return nil
}

// checkNumbers refuses what would only look like a training that diverges.
func (m *matching) checkNumbers(symbol string, v []float32) error {
	for i, x := range v {
		if !isFinite(float64(x)) {
			return dataf("%s: the vector of %q has the value %g in column %d; remove or mend it", m.path, symbol, x, i+1)
		}
	}
	return nil
}

func (m *matching) codes(ctx context.Context) error {
	t, err := openTable(m.path)
	if err != nil {
		return err
	}
	defer t.Close()
	if err := m.checkDim(t.Dim()); err != nil {
		return err
	}
	for id, symbol := range t.Symbols() {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if v, ok := m.row(symbol); ok {
			if err := t.Lookup(v, id); err != nil {
				return fmt.Errorf("%s: %w", m.path, err)
			}
			if err := m.checkNumbers(symbol, v); err != nil {
				return err
			}
		}
	}
	return nil
}

func (m *matching) table(ctx context.Context, s *streams) error {
	var input vectorsInput
	t, err := input.readAll(ctx, s, m.path)
	if err != nil {
		return err
	}
	if err := m.checkDim(t.Dim); err != nil {
		return err
	}
	if t.Symbols == nil {
		return dataf("%s: the table has no symbols to match with; give it some with kd convert %s t.vec --symbols FILE", m.path, m.path)
	}
	for i, symbol := range t.Symbols {
		if v, ok := m.row(symbol); ok {
			copy(v, t.Row(i))
			if err := m.checkNumbers(symbol, v); err != nil {
				return err
			}
		}
	}
	return nil
}

// fillIn gives symbols without a vector the mean of the others, and returns how
// many there are.
func (m *matching) fillIn() int {
	mean := make([]float64, m.dim)
	have := 0
	for i, found := range m.found {
		if found {
			have++
			for j, x := range m.data[i*m.dim:][:m.dim] {
				mean[j] += float64(x)
			}
		}
	}
	for i, found := range m.found {
		if !found && have > 0 {
			for j := range mean {
				m.data[i*m.dim+j] = float32(mean[j] / float64(have))
			}
		}
	}
	return len(m.found) - have
}
