package codefile_test

import (
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/kdcode/kdcode/codefile"
	"github.com/kdcode/kdcode/internal/tabletest"
)

// TestKilledWriter kills a process again and again while it replaces a file:
// what is under the name is always whole, the old one or the new one.
func TestKilledWriter(t *testing.T) {
	if path := os.Getenv("KDCODE_TEST_WRITE"); path != "" {
		writeForever(t, path)
		return
	}
	path := filepath.Join(t.TempDir(), "t.kd")
	if err := codefile.WriteFile(path, killModel(0)); err != nil {
		t.Fatal(err)
	}
	for kill := range 8 {
		child := exec.Command(os.Args[0], "-test.run=^TestKilledWriter$")
		child.Env = append(os.Environ(), "KDCODE_TEST_WRITE="+path)
		out, err := child.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := child.Start(); err != nil {
			t.Skipf("cannot start a process here: %v", err)
		}
		if _, err := io.ReadFull(out, make([]byte, 1)); err != nil { // it writes now
			t.Fatal(err)
		}
		time.Sleep(time.Duration(1+kill*3) * time.Millisecond)
		if err := child.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = child.Wait()
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := open(t, data).Verify(); err != nil {
			t.Fatalf("after kill %d: %v", kill, err)
		}
	}
}

func killModel(seed uint64) *codefile.Model {
	return tabletest.Model(tabletest.Shape{N: 3000, K: 32, D: 32, Dim: 40, CodeDim: 40, Composition: codefile.Sum}, seed)
}

func writeForever(t *testing.T, path string) {
	models := []*codefile.Model{killModel(1), killModel(2)}
	os.Stdout.Write([]byte("w"))
	for i := 0; ; i++ {
		if err := codefile.WriteFile(path, models[i%2]); err != nil {
			t.Fatal(err)
		}
	}
}

// fullDisk fails after some bytes, like a disk that has no more room.
type fullDisk struct{ room int }

var errFull = errors.New("no space left on device")

func (d *fullDisk) Write(b []byte) (int, error) {
	if len(b) > d.room {
		n := d.room
		d.room = 0
		return n, errFull
	}
	d.room -= len(b)
	return len(b), nil
}

func TestFullDisk(t *testing.T) {
	m := killModel(3)
	var whole bytes.Buffer
	size, err := m.WriteTo(&whole)
	if err != nil {
		t.Fatal(err)
	}
	for _, room := range []int{0, 1, 100, 5000, int(size) - 1} {
		n, err := m.WriteTo(&fullDisk{room})
		if !errors.Is(err, errFull) || n != int64(room) {
			t.Errorf("room for %d bytes: %d written, %v", room, n, err)
		}
	}
	// A folder that cannot be written to leaves the old file as it was.
	if err := codefile.WriteFile(filepath.Join(t.TempDir(), "none", "t.kd"), m); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a missing folder: %v", err)
	}
}
