package quantize

import (
	"errors"
	"fmt"
	"math"

	"github.com/kdcode/kdcode/codefile"
	"github.com/kdcode/kdcode/quantize/internal/additive"
)

// ErrInput is wrapped by errors about a table that cannot be compressed.
var ErrInput = errors.New("table cannot be compressed")

// Findings are what Check noticed: plain sentences for people.
type Findings struct {
	Notes []string `json:"notes"`
}

func (f *Findings) note(format string, args ...any) {
	f.Notes = append(f.Notes, fmt.Sprintf(format, args...))
}

// Check reads the table once and says what stands in the way of compressing
// it, as an error, or what its user should know, as findings.
func Check(src Source, symbols []string, o Options) (Findings, error) {
	var f Findings
	if err := o.check(src, symbols); err != nil {
		return f, err
	}
	name := func(row int) string {
		if row < len(symbols) {
			return fmt.Sprintf("row %d (%q)", row+1, symbols[row])
		}
		return fmt.Sprintf("row %d", row+1)
	}
	zeros, constants, firstZero, firstConstant := 0, 0, -1, -1
	d := src.Dim()
	err := additive.EachChunk(src, func(first int, rows []float32) error {
		for i := 0; i < len(rows); i += d {
			row, at := rows[i:i+d], first+i/d
			switch kind, column := inspect(row); kind {
			case rowNotFinite:
				return fmt.Errorf("%w: %s has the value %v in column %d; remove or mend that row", ErrInput, name(at), row[column], column+1)
			case rowTooLarge:
				return fmt.Errorf("%w: %s has the value %v in column %d, whose square is too large to learn from; remove or mend that row, or scale the table down", ErrInput, name(at), row[column], column+1)
			case rowZero:
				if zeros++; zeros == 1 {
					firstZero = at
				}
			case rowConstant:
				if constants++; constants == 1 {
					firstConstant = at
				}
			}
		}
		return nil
	})
	if err != nil {
		return f, err
	}
	if zeros > 0 {
		f.note("%d of %d vectors are zero, the first in %s: they say nothing, and count nothing in the relative error", zeros, src.Len(), name(firstZero))
	}
	if constants > 0 {
		f.note("%d of %d vectors have the same number in every column, the first in %s: placeholders?", constants, src.Len(), name(firstConstant))
	}
	if space := float64(o.D) * math.Log2(float64(o.K)); space < math.Log2(float64(src.Len())) {
		f.note("K = %d and D = %d give %.0f codes for %d symbols: some must share a code, and with it their vector", o.K, o.D, math.Round(math.Exp2(space)), src.Len())
	}
	if need := o.needs(src.Len(), d); need > muchMemory {
		f.note("learning takes about %.1f GB of memory beside the vectors; a limit makes it learn from fewer of them", float64(need)/1e9)
	}
	return f, nil
}

// muchMemory is how much is worth a note.
const muchMemory = 1 << 30

// check returns an error unless the options fit the table.
func (o Options) check(src Source, symbols []string) error {
	n, d := src.Len(), src.Dim()
	switch {
	case n == 0 || d == 0:
		return fmt.Errorf("%w: it has %d vectors of width %d", ErrInput, n, d)
	case n > codefile.MaxN:
		return fmt.Errorf("%w: %d vectors; at most %d are possible", ErrInput, n, codefile.MaxN)
	case o.K < 2 || o.K > codefile.MaxK || o.D < 1 || o.D > codefile.MaxD:
		return fmt.Errorf("%w: K = %d and D = %d; K is 2 to %d, D 1 to %d", ErrInput, o.K, o.D, codefile.MaxK, codefile.MaxD)
	case n < o.K:
		return fmt.Errorf("%w: %d vectors are fewer than K = %d values of a digit; take a smaller K, or leave so small a table as it is", ErrInput, n, o.K)
	case len(symbols) != 0 && len(symbols) != n:
		return fmt.Errorf("%w: %d symbols for %d vectors", ErrInput, len(symbols), n)
	case o.Weights != nil && len(o.Weights) != n:
		return fmt.Errorf("%w: %d weights for %d vectors", ErrInput, len(o.Weights), n)
	case o.Memory > 0 && o.Memory < o.least(n, d):
		return fmt.Errorf("%w: it needs at least %d MB of memory for its codes and the learner, beside the vectors; allow that much", ErrInput, o.least(n, d)>>20+1)
	case o.Composition == codefile.Concat && d%o.D != 0:
		return fmt.Errorf("%w: concat cuts vectors of width %d into D = %d equal parts, which does not go: take a D that divides %d", ErrInput, d, o.D, d)
	case o.Composition == codefile.Affine && (o.CodeDim < 1 || o.CodeDim >= d):
		return fmt.Errorf("%w: affine needs code embeddings narrower than the vectors: d' = %d, d = %d", ErrInput, o.CodeDim, d)
	case o.Composition == codefile.Recur:
		return fmt.Errorf("%w: an lstm composition is learned with a task, by kd train", ErrInput)
	}
	for i, w := range o.Weights {
		if !(w > 0) || math.IsInf(float64(w), 0) {
			return fmt.Errorf("%w: weight %d is %v; weights are positive numbers", ErrInput, i+1, w)
		}
	}
	return nil
}

type rowKind int

const (
	rowSound rowKind = iota
	rowZero
	rowConstant
	rowNotFinite
	rowTooLarge
)

// largestValue is the largest whose squares float32 can sum up.
const largestValue = 1e16

// inspect says what kind of row it is, and the column of a value that is not
// finite or too large.
func inspect(row []float32) (rowKind, int) {
	same := true
	for c, v := range row {
		if v-v != 0 { // NaN or infinite
			return rowNotFinite, c
		}
		if v > largestValue || v < -largestValue {
			return rowTooLarge, c
		}
		same = same && v == row[0]
	}
	switch {
	case same && row[0] == 0:
		return rowZero, 0
	case same && len(row) > 1:
		return rowConstant, 0
	}
	return rowSound, 0
}
