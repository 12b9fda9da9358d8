//go:build unix

package atomicfile

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// A new file has what the umask leaves: one that keeps others out does.
func TestUmask(t *testing.T) {
	for umask, want := range map[int]os.FileMode{0o077: 0o600, 0o022: 0o644, 0o002: 0o664} {
		path := filepath.Join(t.TempDir(), "f")
		old := syscall.Umask(umask)
		write(t, path, "one", true)
		syscall.Umask(old)
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != want {
			t.Errorf("umask %o: mode %v, %v", umask, info.Mode(), err)
		}
	}
}
