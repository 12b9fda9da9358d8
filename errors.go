package kdcode

import (
	"errors"

	"github.com/kdcode/kdcode/codefile"
)

var (
	// ErrClosed is returned by methods of a closed Table.
	ErrClosed = errors.New("kdcode: table is closed")
	// ErrID is wrapped by errors about an id outside [0, Len).
	ErrID = errors.New("kdcode: no such id")
	// ErrLength is wrapped by errors about a destination of the wrong length.
	ErrLength = errors.New("kdcode: wrong length of destination")
	// ErrNoSymbols is returned where symbols are asked of a table without.
	ErrNoSymbols = errors.New("kdcode: table has no symbols")

	// ErrFormat is wrapped by errors about a file that is no code file.
	ErrFormat = codefile.ErrFormat
	// ErrDamaged is wrapped by errors about damaged contents.
	ErrDamaged = codefile.ErrDamaged
	// ErrNotFound is wrapped by errors about a tensor that is not in the file.
	ErrNotFound = codefile.ErrNotFound
)
