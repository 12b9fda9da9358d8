package main

import (
	"bytes"
	"io"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/kdcode/kdcode/vectors"
)

func TestLookup(t *testing.T) {
	inFolder(t)
	r := kd(t, "", "lookup", "t.kd", "cat", "new york", "up")
	r.quiet(t)
	golden(t, "lookup", r.stdout)
}

// What lookup prints can be read as a table.
func TestLookupIsATable(t *testing.T) {
	inFolder(t)
	r := kd(t, "", "lookup", "t.kd", "--id", "0", "7")
	r.quiet(t)
	table, err := vectors.NewReader(strings.NewReader(r.stdout), "stdout", vectors.Options{})
	if err != nil {
		t.Fatal(err)
	}
	all, err := table.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(all.Symbols, []string{"up", "new york"}) || all.Dim != 4 {
		t.Errorf("%v, width %d", all.Symbols, all.Dim)
	}
}

func TestLookupStdin(t *testing.T) {
	inFolder(t)
	named := kd(t, "", "lookup", "t.kd", "cat", "up")
	for _, stdin := range []string{"cat\nup\n", "cat\r\n\r\nup"} {
		r := kd(t, stdin, "lookup", "t.kd")
		r.quiet(t)
		if r.stdout != named.stdout {
			t.Errorf("stdin %q: %q instead of %q", stdin, r.stdout, named.stdout)
		}
	}
	kd(t, "5\n0\n", "lookup", "t.kd", "--id").quiet(t)
	kd(t, "5\nup\n", "lookup", "t.kd", "--id").want(t, exitData, "stdin:2:", `"up" is not an id`)
	kd(t, "", "lookup", "t.kd").quiet(t)
}

func TestLookupByteOrderMark(t *testing.T) {
	inFolder(t)
	r := kd(t, "\ufeffcat\r\n", "lookup", "t.kd")
	r.quiet(t)
	if !strings.HasPrefix(r.stdout, "cat ") {
		t.Errorf("%q", r.stdout)
	}
}

func TestLookupUnknown(t *testing.T) {
	inFolder(t)
	for _, test := range []struct {
		args string
		want string
	}{
		{"bat", `t.kd: no symbol "bat"; did you mean "cat"?`},
		{"cas", `did you mean "cat" or "cats"?`},
		{"x", "check the spelling"},
		{"WHEN", `did you mean "when"?`},
		{"tuedsay", `did you mean "tuesday"?`},
		{"antidisestablishment", "check the spelling"},
		{"--id 9", "t.kd: no id 9; ids are 0 to 8"},
		{"--id -- -1", "no id -1"},
	} {
		r := kd(t, "", append([]string{"lookup", "t.kd"}, strings.Fields(test.args)...)...)
		r.want(t, exitData, test.want)
		if r.stdout != "" {
			t.Errorf("stdout: %q", r.stdout)
		}
	}
	// All arguments are found before anything is printed; of a stream, that
	// which comes before the error is.
	if r := kd(t, "", "lookup", "t.kd", "cat", "dog"); r.code != exitData || r.stdout != "" {
		t.Errorf("%+v", r)
	}
	r := kd(t, "cat\nkat\n", "lookup", "t.kd")
	r.want(t, exitData, `stdin:2: no symbol "kat" in t.kd; did you mean "cat"`)
	if !strings.HasPrefix(r.stdout, "cat ") {
		t.Errorf("stdout: %q", r.stdout)
	}
}

func TestLookupSkipUnknown(t *testing.T) {
	inFolder(t)
	r := kd(t, "", "lookup", "t.kd", "dog", "cat", "the pig", "--skip-unknown")
	r.want(t, exitDone)
	if r.stdout != kd(t, "", "lookup", "t.kd", "cat").stdout {
		t.Errorf("stdout: %q", r.stdout)
	}
	if want := "kd: t.kd: left 2 symbols out that the table does not have: dog \"the pig\"\n"; r.stderr != want {
		t.Errorf("stderr %q, want %q", r.stderr, want)
	}
}

func TestLookupJSON(t *testing.T) {
	inFolder(t)
	r := kd(t, "", "lookup", "t.kd", "cat", "dog", "--skip-unknown", "--json")
	r.quiet(t)
	golden(t, "lookup.json", r.stdout)
	var got lookupResult
	r.object(t, &got)
	if got.Dim != 4 || len(got.Vectors) != 1 || got.Vectors[0].ID != 5 || !slices.Equal(got.Unknown, []string{"dog"}) {
		t.Errorf("%+v", got)
	}
	kd(t, "", "lookup", "t.kd", "--json").object(t, &got) // none asked for
}

func TestLookupNotANumber(t *testing.T) {
	inFolder(t)
	m := model()
	// Both are code embeddings of cat; their sum is beyond float32.
	m.Embeddings.Values[0], m.Embeddings.Values[24] = math.MaxFloat32, math.MaxFloat32
	write(t, "inf.kd", m)
	kd(t, "", "lookup", "inf.kd", "cat").quiet(t)
	r := kd(t, "", "lookup", "inf.kd", "cat", "--json")
	r.want(t, exitData, "the number +Inf, which JSON cannot express")
	if r.stdout != "" {
		t.Errorf("stdout: %q", r.stdout)
	}
}

func TestLookupWithoutSymbols(t *testing.T) {
	inFolder(t)
	m := model()
	m.Symbols = nil
	write(t, "ids.kd", m)
	kd(t, "", "lookup", "ids.kd", "cat").want(t, exitData, "ids.kd: the table has no symbols; ask by number with --id")
	r := kd(t, "", "lookup", "ids.kd", "--id", "5")
	r.quiet(t)
	if !strings.HasPrefix(r.stdout, "5 ") {
		t.Errorf("%q", r.stdout)
	}
	var got lookupResult
	kd(t, "", "lookup", "ids.kd", "--id", "5", "--json").object(t, &got)
}

// Whoever asks by and by gets answers by and by.
func TestLookupConversation(t *testing.T) {
	inFolder(t)
	ask, stdin := io.Pipe()
	answers, stdout := io.Pipe()
	var stderr bytes.Buffer
	done := make(chan int)
	go func() {
		done <- run(t.Context(), []string{"lookup", "t.kd"}, ask, stdout, &stderr)
	}()
	buf := make([]byte, 1000)
	for _, symbol := range []string{"cat", "up"} {
		if _, err := io.WriteString(stdin, symbol+"\n"); err != nil {
			t.Fatal(err)
		}
		n, err := answers.Read(buf)
		if err != nil || !strings.HasPrefix(string(buf[:n]), symbol+" ") {
			t.Fatalf("%q, %v", buf[:n], err)
		}
	}
	stdin.Close()
	if code := <-done; code != exitDone {
		t.Errorf("exit code %d: %s", code, stderr.String())
	}
}
