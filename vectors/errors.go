package vectors

import (
	"errors"
	"fmt"
)

var (
	// ErrFormat is wrapped by every error about the contents of a file, as
	// opposed to failures of reading it. Its message names the file, the line
	// or offset, what is wrong and what to do.
	ErrFormat = errors.New("vectors: bad data")
	// ErrTensor is wrapped where a safetensors file leaves open which tensor
	// to read, or does not have the one asked for. The message lists those
	// that can be read.
	ErrTensor = errors.New("vectors: no such choice of tensor")
	// ErrRandomAccess is returned by ReadRows where RandomAccess is false.
	ErrRandomAccess = errors.New("vectors: rows of this input can only be read in order")
	// ErrUnwritable is wrapped where a symbol, a number or a table cannot be
	// represented in the format written.
	ErrUnwritable = errors.New("vectors: not representable")
)

// stated is an error with a message of its own that belongs to a sentinel.
type stated struct {
	kind error
	msg  string
}

func (e *stated) Error() string { return e.msg }
func (e *stated) Unwrap() error { return e.kind }

// badf returns an ErrFormat that begins with place.
func badf(place, format string, args ...any) error {
	return &stated{ErrFormat, place + ": " + fmt.Sprintf(format, args...)}
}

// atLine and atOffset are the places that errors name.
func atLine(name string, line int) string { return fmt.Sprintf("%s:%d", name, line) }

func atOffset(name string, offset int64) string { return fmt.Sprintf("%s: offset %d", name, offset) }

// clip shortens what an error quotes.
func clip[T ~string | ~[]byte](s T) string {
	const most = 40
	if len(s) <= most {
		return string(s)
	}
	return string(s[:most]) + "…"
}
