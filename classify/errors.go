package classify

import (
	"errors"
	"fmt"
)

var (
	// ErrFormat is wrapped by every error about the contents of a file of
	// labelled texts, as opposed to failures of reading it.
	ErrFormat = errors.New("classify: bad data")
	// ErrLabel is wrapped where a label is none of the classifier's. It is
	// an ErrFormat too.
	ErrLabel = fmt.Errorf("%w: unknown label", ErrFormat)
	// ErrNoClassifier is wrapped by errors about a code file that holds no
	// text classifier, or one that cannot be used.
	ErrNoClassifier = errors.New("not a text classifier")
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

// atLine is the place that an error names.
func atLine(name string, line int) string { return fmt.Sprintf("%s:%d", name, line) }

// clip shortens what an error quotes, at a rune.
func clip[T ~string | ~[]byte](s T) string {
	const most = 40
	n := 0
	for i := range string(s) {
		if n == most {
			return string(s[:i]) + "…"
		}
		n++
	}
	return string(s)
}
