package gunzip_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/kdcode/kdcode/internal/gunzip"
)

func TestReader(t *testing.T) {
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	z.Write(bytes.Repeat([]byte("some text "), 500))
	z.Close()
	whole := packed.Bytes()
	changed := bytes.Clone(whole)
	changed[len(changed)-6] ^= 1 // of the checksum
	errBad := errors.New("bad")
	for _, c := range []struct {
		name, in, want string
		gzipped        bool
	}{
		{"plain", "text", "", false},
		{"empty", "", "", false},
		{"whole", string(whole), "", true},
		{"truncated", string(whole[:len(whole)-9]), "ends early", true},
		{"header", string(whole[:4]), "ends early", true},
		{"checksum", string(changed), "checksum differs", true},
		{"another follows", string(whole) + "text that is no gzip", "something else follows", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			said := ""
			r, gzipped, err := gunzip.Reader(bufio.NewReader(strings.NewReader(c.in)), func(what string) error { said = what; return errBad })
			if err == nil {
				_, err = io.ReadAll(r)
			}
			if gzipped != c.gzipped || (err != nil) != (c.want != "") || !strings.Contains(said, c.want) {
				t.Fatalf("gzipped %t, %v, %q", gzipped, err, said)
			}
			if err != nil && !errors.Is(err, errBad) {
				t.Errorf("the error %v is not the caller's", err)
			}
		})
	}
}

// A file that cannot be read is not damaged.
func TestFailure(t *testing.T) {
	failure := errors.New("no disk")
	in := io.MultiReader(strings.NewReader(gunzip.Magic+"\x08"), failing{failure})
	_, _, err := gunzip.Reader(bufio.NewReader(in), func(string) error { t.Error("it is called damage"); return nil })
	if !errors.Is(err, failure) {
		t.Errorf("got %v", err)
	}
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }
