package vectors

import (
	"bufio"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/kdcode/kdcode/internal/atomicfile"
)

// WriterOptions are the choices in writing a table.
type WriterOptions struct {
	// Rows is the number of rows that will be written; 0 or less where it is
	// not known. All formats but GloVe state it at their beginning: it must be
	// known unless they are written to a file without Gzip.
	Rows int
	// DType is the type of the numbers. Only .npy (not bfloat16) and
	// safetensors have others than float32.
	DType DType
	// Gzip compresses the file.
	Gzip bool
	// Tensor is the tensor's name in a safetensors file, or "embeddings".
	Tensor string
}

var errEnded = errors.New("vectors: the table was committed or closed before")

// encoder is a format's way to write rows.
type encoder interface {
	// header returns the beginning of a file of that many rows, at least size
	// bytes long.
	header(rows, size int) ([]byte, error)
	// row appends a row.
	row(dst []byte, symbol string, row []float32) ([]byte, error)
}

// Writer writes a table row by row.
type Writer struct {
	name   string
	format Format
	dim    int
	enc    encoder
	file   *atomicfile.File // nil where it writes to a stream
	gz     *gzip.Writer     // nil where it does not compress
	out    *bufio.Writer
	want   int // rows promised, or -1
	rows   int // rows written
	start  int // length of the header
	buf    []byte
	err    error
}

// Create begins writing the table at path. The file appears whole at Commit:
// until then, and without it, an older file of that name stays as it is.
func Create(path string, format Format, dim int, opts WriterOptions) (*Writer, error) {
	w, err := newWriter(path, format, dim, opts)
	if err != nil {
		return nil, err
	}
	if w.want < 0 && opts.Gzip && format != GloVe {
		return nil, w.needsRows("a gzipped file")
	}
	if w.file, err = atomicfile.Create(path); err != nil {
		return nil, err
	}
	if err := w.begin(w.file, opts.Gzip); err != nil {
		w.file.Close()
		return nil, err
	}
	return w, nil
}

// NewWriter writes a table to out, such as standard output; name stands for it
// in errors. What is written before an error stays written.
func NewWriter(out io.Writer, name string, format Format, dim int, opts WriterOptions) (*Writer, error) {
	w, err := newWriter(name, format, dim, opts)
	if err != nil {
		return nil, err
	}
	if w.want < 0 && format != GloVe {
		return nil, w.needsRows("a stream")
	}
	if err := w.begin(out, opts.Gzip); err != nil {
		return nil, err
	}
	return w, nil
}

func newWriter(name string, format Format, dim int, opts WriterOptions) (*Writer, error) {
	w := &Writer{name: name, format: format, dim: dim, want: opts.Rows}
	if w.want <= 0 {
		w.want = -1
	}
	if dim < 1 || dim > MaxDim {
		return nil, w.errorf("vectors of %d dimensions: 1 to %d can be written", dim, MaxDim)
	}
	switch {
	case format == GloVe || format == Word2VecText:
		w.enc = &textEncoder{format: format, dim: dim}
	case format == Word2VecBinary:
		w.enc = &word2vecEncoder{dim: dim}
	case format == Npy && opts.DType != BFloat16:
		w.enc = &npyEncoder{dim: dim, dtype: opts.DType}
	case format == Safetensors:
		w.enc = &safetensorsEncoder{dim: dim, dtype: opts.DType, tensor: opts.Tensor}
	}
	if w.enc == nil || opts.DType < Float32 || opts.DType > Float64 || format.HasSymbols() && opts.DType != Float32 {
		return nil, w.errorf("%s cannot hold %s: write safetensors", format.title(), opts.DType)
	}
	return w, nil
}

func (w *Writer) needsRows(what string) error {
	return w.errorf("%s begins with the number of rows, and %s cannot be changed afterwards: say how many rows there are, or write GloVe text or a plain file", w.format.title(), what)
}

func (w *Writer) errorf(format string, args ...any) error {
	return &stated{ErrUnwritable, w.name + ": " + fmt.Sprintf(format, args...)}
}

// begin writes the header.
func (w *Writer) begin(out io.Writer, compress bool) error {
	if compress {
		w.gz = gzip.NewWriter(out)
		out = w.gz
	}
	w.out = bufio.NewWriterSize(out, window)
	rows := w.want
	if rows < 0 { // leave room for any number that a file can hold
		rows = math.MaxInt / (w.dim * Float64.size())
	}
	header, err := w.enc.header(rows, 0)
	if err != nil {
		return w.errorf("%v", err)
	}
	w.start = len(header)
	_, err = w.out.Write(header)
	return err
}

// Write writes a row. Formats without symbols leave the symbol out:
// WriteSymbols keeps it in a file of its own. It panics unless row has the
// table's dimension.
func (w *Writer) Write(symbol string, row []float32) error {
	if len(row) != w.dim {
		panic(fmt.Sprintf("vectors: Write of %d floats to a table of %d dimensions", len(row), w.dim))
	}
	if w.err != nil {
		return w.err
	}
	if w.rows == w.want {
		w.err = w.errorf("more than the %d rows that were announced", w.want)
		return w.err
	}
	var err error
	if w.buf, err = w.enc.row(w.buf[:0], symbol, row); err != nil {
		w.err = w.errorf("row %d, %q: %v", w.rows, clip(symbol), err)
		return w.err
	}
	w.rows++
	_, w.err = w.out.Write(w.buf)
	return w.err
}

// Commit ends the table: the file appears under its name. After an error it
// does not, and Close removes what was written of it.
func (w *Writer) Commit() error {
	if w.err != nil {
		return w.err
	}
	if w.err = w.finish(); w.err != nil {
		return w.err
	}
	w.err = errEnded
	return nil
}

func (w *Writer) finish() error {
	switch {
	case w.want >= 0 && w.rows != w.want:
		return w.errorf("%d rows were written, %d were announced", w.rows, w.want)
	case w.rows == 0 && w.format == GloVe:
		return w.errorf("no rows were written: GloVe text has at least one")
	}
	if err := w.out.Flush(); err != nil {
		return err
	}
	if w.gz != nil {
		if err := w.gz.Close(); err != nil {
			return err
		}
	}
	if w.want < 0 && w.start > 0 {
		header, err := w.enc.header(w.rows, w.start)
		if err != nil {
			return w.errorf("%v", err)
		}
		if _, err := w.file.WriteAt(header, 0); err != nil {
			return err
		}
	}
	if w.file != nil {
		return w.file.Commit()
	}
	return nil
}

// Close ends writing. Without a Commit before it nothing of the file remains.
// It is meant to be deferred; closing twice is harmless.
func (w *Writer) Close() error {
	w.err = errEnded
	if w.file == nil {
		return nil
	}
	return w.file.Close()
}
