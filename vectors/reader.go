package vectors

import (
	"fmt"
	"io"
)

// decoder is a format's way to read rows.
type decoder interface {
	// next fills row and returns its symbol, which is valid until the next
	// call and nil in formats without symbols. After the last row it returns
	// io.EOF.
	next(row []float32) ([]byte, error)
	// place says where the row last read stands, for messages.
	place() string
}

// Reader reads a table row by row. It is not safe for concurrent use, except
// for ReadRows.
type Reader struct {
	in         *input
	dec        decoder
	format     Format
	dim        int
	rows       int // that the file claims, or -1
	symbols    symbolSource
	row        int // rows read, dropped ones included
	duplicates Duplicates
	seen       map[string]struct{}
	dropped    Skip
	err        error
}

// Open opens the table at path.
func Open(path string, opts Options) (*Reader, error) {
	in, err := openInput(path)
	if err != nil {
		return nil, err
	}
	r, err := newReader(in, opts)
	if err != nil {
		in.Close()
		return nil, err
	}
	return r, nil
}

// NewReader reads a table from r, which need not seek; name stands for it in
// errors. An index of sharded safetensors files cannot be read so: Open finds
// the shards beside it. Closing the Reader does not close r.
func NewReader(r io.Reader, name string, opts Options) (*Reader, error) {
	in, err := newInput(r, name)
	if err != nil {
		return nil, err
	}
	return newReader(in, opts)
}

func newReader(in *input, opts Options) (*Reader, error) {
	format, err := sniff(in)
	if err != nil {
		return nil, err
	}
	r := &Reader{in: in, format: format, rows: -1, duplicates: opts.Duplicates}
	switch format {
	case GloVe, Word2VecText:
		var d *textDecoder
		if d, err = newTextDecoder(in, format, opts.Dim); err == nil {
			r.dec, r.dim, r.rows = d, d.dim, d.rows
		}
	case Word2VecBinary:
		var d *word2vecDecoder
		if d, err = newWord2vecDecoder(in); err == nil {
			r.dec, r.dim, r.rows = d, d.dim, d.rows
		}
	case Npy:
		err = r.setMatrix(newNpyDecoder(in))
	case Safetensors:
		err = r.setMatrix(newSafetensorsDecoder(in, opts.Tensor))
	case index:
		r.format = Safetensors
		err = r.setMatrix(newShardDecoder(in, opts.Tensor))
	}
	if err != nil {
		return nil, err
	}
	if err := r.check(opts); err != nil {
		r.Close()
		return nil, err
	}
	return r, nil
}

// setMatrix takes a decoder of a format without symbols. The matrix may lie in
// another file than the one first opened.
func (r *Reader) setMatrix(m *matrix, err error) error {
	if err != nil {
		return err
	}
	r.in, r.dec, r.dim, r.rows = m.in, m, m.dim, m.rows
	return nil
}

// check ends the opening: the dimension, and symbols from elsewhere.
func (r *Reader) check(opts Options) error {
	switch {
	case r.dim < 1 || r.dim > MaxDim:
		return badf(r.in.name, "vectors of %d dimensions: 1 to %d can be read", r.dim, MaxDim)
	case opts.Dim != 0 && opts.Dim != r.dim:
		return badf(r.in.name, "vectors of %d dimensions, %d were asked for", r.dim, opts.Dim)
	case opts.Symbols != "" && r.format.HasSymbols():
		return fmt.Errorf("vectors: %s is %s and has its own symbols: leave %s out", r.in.name, r.format.title(), opts.Symbols)
	case opts.Symbols != "":
		var err error
		if r.symbols, err = openSymbols(opts.Symbols, r.rows); err != nil {
			return err
		}
	}
	if r.HasSymbols() && r.duplicates != KeepAll {
		r.seen = make(map[string]struct{})
	}
	return nil
}

// Format returns the table's format.
func (r *Reader) Format() Format { return r.format }

// Dim returns the dimension of the vectors.
func (r *Reader) Dim() int { return r.dim }

// Len returns the rows that the file says it has, duplicates included, or -1
// where it does not say. It is a claim until the last row is read: do not
// allocate from it.
func (r *Reader) Len() int { return r.rows }

// HasSymbols reports whether Next returns symbols.
func (r *Reader) HasSymbols() bool { return r.format.HasSymbols() || r.symbols != nil }

// Skipped returns what was passed over so far.
func (r *Reader) Skipped() Skipped {
	s := Skipped{Duplicates: r.dropped}
	if d, ok := r.dec.(*textDecoder); ok {
		s.Blanks = d.blanks
	}
	return s
}

// Next fills row with the next vector and returns its symbol: "" where the
// table has none. After the last row it returns io.EOF. After any error row is
// undefined, and Next returns the same error again. Next panics unless row has
// length Dim.
func (r *Reader) Next(row []float32) (string, error) {
	if len(row) != r.dim {
		panic(fmt.Sprintf("vectors: Next into %d floats of a table of %d dimensions", len(row), r.dim))
	}
	for r.err == nil {
		var symbol []byte
		if symbol, r.err = r.dec.next(row); r.err != nil {
			break
		}
		r.row++
		if !r.HasSymbols() {
			return "", nil
		}
		s, fresh := r.fresh(symbol)
		if fresh {
			return s, nil
		}
		if r.duplicates == RefuseDuplicates {
			r.err = badf(r.dec.place(), "%q has a vector already: delete one of the two", clip(s))
			break
		}
		r.dropped.add(1, r.dec.place)
	}
	return "", r.err
}

// fresh returns the current row's symbol and whether no row had it before.
func (r *Reader) fresh(symbol []byte) (string, bool) {
	s := string(symbol)
	if r.symbols != nil {
		s = r.symbols.symbol(r.row - 1)
	}
	if r.seen == nil {
		return s, true
	}
	_, found := r.seen[s]
	r.seen[s] = struct{}{}
	return s, !found
}

// RandomAccess reports whether ReadRows can be used: for .npy and safetensors
// in plain files.
func (r *Reader) RandomAccess() bool {
	m, ok := r.dec.(*matrix)
	return ok && m.in.file != nil
}

// ReadRows fills dst with the rows from first on, as many as fit; they are the
// file's rows, whatever Next drops. It does not affect Next, is safe for
// concurrent use, and returns ErrRandomAccess where RandomAccess is false. It
// panics unless dst holds whole rows that the table has.
func (r *Reader) ReadRows(dst []float32, first int) error {
	if !r.RandomAccess() {
		return fmt.Errorf("%s: %w", r.in.name, ErrRandomAccess)
	}
	n := len(dst) / r.dim
	if n*r.dim != len(dst) || first < 0 || first > r.rows-n {
		panic(fmt.Sprintf("vectors: ReadRows of %d floats from row %d of a table of %d rows of %d", len(dst), first, r.rows, r.dim))
	}
	return r.dec.(*matrix).readRows(dst, first)
}

// Close closes the file that Open opened.
func (r *Reader) Close() error { return r.in.Close() }
