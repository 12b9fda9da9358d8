package graph

import (
	"errors"
	"fmt"
)

var (
	// ErrFormat is wrapped by every error about the contents of a file, as
	// opposed to failures of reading it.
	ErrFormat = errors.New("graph: bad data")
	// ErrUnwritable is wrapped where a name cannot stand in a text file.
	ErrUnwritable = errors.New("graph: not representable")
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

// atLine is a place that errors name.
func atLine(name string, line int) string { return fmt.Sprintf("%s:%d", name, line) }

// clip shortens what an error quotes.
func clip(s string) string {
	const most = 40
	if len(s) <= most {
		return s
	}
	return s[:most] + "…"
}
