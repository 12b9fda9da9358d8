package atomicfile

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

func write(t *testing.T, path, contents string, commit bool) {
	t.Helper()
	f, err := Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if f.Path() != path {
		t.Errorf("path %q", f.Path())
	}
	if _, err := f.WriteString(contents); err != nil {
		t.Fatal(err)
	}
	if commit {
		if err := f.Commit(); err != nil {
			t.Fatal(err)
		}
	}
}

func expect(t *testing.T, path, want string) {
	t.Helper()
	got, err := os.ReadFile(path)
	if err != nil || string(got) != want {
		t.Errorf("%q, %v instead of %q", got, err, want)
	}
	all, err := os.ReadDir(filepath.Dir(path))
	if err != nil || len(all) != 1 {
		t.Errorf("%v in the folder, %v", all, err)
	}
}

func TestCommitAndClose(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f")
	write(t, path, "one", true)
	expect(t, path, "one")
	if runtime.GOOS != "windows" {
		if err := os.Chmod(path, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(t, path, "half", false)
	expect(t, path, "one")
	write(t, path, "two", true)
	expect(t, path, "two")
	if info, err := os.Stat(path); runtime.GOOS != "windows" && (err != nil || info.Mode().Perm() != 0o600) {
		t.Errorf("the mode became %v, %v", info.Mode(), err)
	}
}

func TestErrors(t *testing.T) {
	dir := t.TempDir()
	if _, err := Create(filepath.Join(dir, "none", "f")); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
	// A folder is in the way: the rename fails and nothing is left behind.
	path := filepath.Join(dir, "d")
	if err := os.MkdirAll(filepath.Join(path, "x"), 0o755); err != nil {
		t.Fatal(err)
	}
	f, err := Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Commit(); err == nil {
		t.Error("a folder was replaced")
	}
	f.Close()
	if all, _ := os.ReadDir(dir); len(all) != 1 {
		t.Errorf("%v is left behind", all)
	}
}
