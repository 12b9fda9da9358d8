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
	// ErrNoNetwork is wrapped by errors about a code file that holds no
	// network, or one that cannot be used.
	ErrNoNetwork = errors.New("not a graph convolutional network")
	// ErrMismatch is wrapped where a network and a data set do not belong
	// together.
	ErrMismatch = errors.New("graph: the network was trained on other data")
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
