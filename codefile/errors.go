package codefile

import "errors"

var (
	// ErrFormat is wrapped by errors about a file that is not a code file of
	// a known version, or whose header contradicts itself or the file's size.
	ErrFormat = errors.New("bad code file")
	// ErrDamaged is wrapped by errors about contents that a sound file cannot
	// have: a wrong checksum, a digit ≥ K, an index that leads nowhere.
	ErrDamaged = errors.New("damaged code file")
	// ErrModel is wrapped by errors about a Model that cannot be written.
	ErrModel = errors.New("model cannot be written")
	// ErrNotFound is wrapped by errors about a tensor or symbol that is not
	// in the file.
	ErrNotFound = errors.New("not in the code file")
)
