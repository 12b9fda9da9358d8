package main

import (
	"strings"
	"testing"
)

func TestSimilar(t *testing.T) {
	inFolder(t)
	for _, test := range []struct{ name, args string }{
		{"similar", "cat up"},
		{"similar-inner", "cat --metric inner --limit 3"},
		{"similar-euclidean", "cat --metric euclidean --limit 3"},
	} {
		r := kd(t, "", append([]string{"similar", "t.kd"}, strings.Fields(test.args)...)...)
		r.quiet(t)
		golden(t, test.name, r.stdout)
	}
	all := kd(t, "", "similar", "t.kd", "cat", "--limit", "0")
	all.quiet(t)
	if got, want := strings.Count(all.stdout, "\n"), 2+len(words)-1; got != want {
		t.Errorf("%d lines instead of %d: %q", got, want, all.stdout)
	}
	if r := kd(t, "", "similar", "t.kd", "--id", "5", "--limit", "0"); r.stdout != all.stdout {
		t.Errorf("by id: %q", r.stdout)
	}
}

func TestSimilarJSON(t *testing.T) {
	inFolder(t)
	r := kd(t, "", "similar", "t.kd", "up", "cat", "--limit", "2", "--json")
	r.quiet(t)
	var got similarResult
	r.object(t, &got)
	if len(got.Symbols) != 2 || got.Symbols[0].Symbol != "up" || got.Symbols[0].Near[0].Symbol != "when" || *got.Symbols[0].Near[0].Score < 0.9999 {
		t.Errorf("%+v", got)
	}
}

// Ordinary vectors have the same neighbours as the code file they come from.
func TestSimilarVectors(t *testing.T) {
	inFolder(t)
	kd(t, "", "convert", "t.kd", "t.npy", "--write-symbols").quiet(t)
	for _, args := range []string{"similar FILE cat up --limit 4", "similar FILE cat --metric inner", "similar FILE week --metric euclidean", "analogy FILE cat cats week"} {
		codes := kd(t, "", strings.Fields(strings.Replace(args, "FILE", "t.kd", 1))...)
		codes.quiet(t)
		ordinary := kd(t, "", strings.Fields(strings.Replace(args, "FILE", "t.npy --symbols t.npy.symbols.txt", 1))...)
		ordinary.quiet(t)
		if codes.stdout != ordinary.stdout {
			t.Errorf("%s: %q and %q", args, codes.stdout, ordinary.stdout)
		}
	}
	kd(t, "", "similar", "t.npy", "cat").want(t, exitData, "t.npy: the table has no symbols; ask by number with --id")
	kd(t, "", "similar", "t.npy", "5", "--id").quiet(t)
	kd(t, "", "similar", "t.npy", "cat", "--symbols", "t.npy.symbols.txt").quiet(t)
	kd(t, "", "similar", "t.npy", "bat", "--symbols", "t.npy.symbols.txt").want(t, exitData, `did you mean "cat"?`)
	kd(t, "a 1 2\nb 3 4\nc 2 4\n", "similar", "-", "a").quiet(t)
	writeText(t, "zero.txt", "a 0 0\nb 3 4\n")
	kd(t, "", "similar", "zero.txt", "a").quiet(t)
}

// Of vectors with numbers that are none, nothing is near, nor are they.
func TestSimilarNotANumber(t *testing.T) {
	inFolder(t)
	writeText(t, "v.txt", "cat 1 2 3\ndog nan 3 4\ncow 1 2 4\npig 1 inf 3\n")
	for _, metric := range []string{"cosine", "inner", "euclidean"} {
		r := kd(t, "", "similar", "v.txt", "cat", "--metric", metric, "--json")
		r.quiet(t)
		var got similarResult
		if r.object(t, &got); len(got.Symbols[0].Near) != 1 || got.Symbols[0].Near[0].Symbol != "cow" {
			t.Errorf("%s: %s", metric, r.stdout)
		}
	}
	kd(t, "", "similar", "v.txt", "dog").want(t, exitData, "v.txt: the vector of dog has the value NaN in column 1")
	kd(t, "", "similar", "v.txt", "pig").want(t, exitData, "v.txt: the vector of pig has the value +Inf in column 2")
	kd(t, "", "analogy", "v.txt", "cat", "dog", "cow").want(t, exitData, "v.txt: the vector of dog has the value NaN in column 1")
}

// A code file is mapped, which a pipe cannot be.
func TestCodeFileThroughPipe(t *testing.T) {
	inFolder(t)
	text := readText(t, "t.kd")
	for _, args := range []string{"similar - cat", "convert - o.txt", "compress - -o o.kd", "encode t.kd - -o o.kd"} {
		kd(t, text, strings.Fields(args)...).want(t, exitData, "stdin: a code file", "name the file")
	}
}

// Nor can a gzipped one.
func TestGzippedCodeFile(t *testing.T) {
	inFolder(t)
	writeText(t, "t.kd.gz", gzipped(t, readText(t, "t.kd")))
	for _, args := range []string{"similar t.kd.gz cat", "lookup t.kd.gz cat", "info t.kd.gz", "convert t.kd.gz o.txt", "compress t.kd.gz -o o.kd", "serve t.kd.gz"} {
		kd(t, "", strings.Fields(args)...).want(t, exitData, "t.kd.gz: a gzipped code file", "gunzip t.kd.gz")
	}
}

func TestSimilarUnknown(t *testing.T) {
	inFolder(t)
	m := model()
	m.Symbols = nil
	write(t, "ids.kd", m)
	for _, test := range []struct {
		args string
		code int
		want string
	}{
		{"similar t.kd bat", exitData, `t.kd: no symbol "bat"; did you mean "cat"`},
		{"similar t.kd cat bat", exitData, `no symbol "bat"`},
		{"similar t.kd --id 9", exitData, "no id 9; ids are 0 to 8"},
		{"similar t.kd --id cat", exitUsage, `"cat" is not an id`},
		{"similar ids.kd cat", exitData, "ids.kd: the table has no symbols; ask by number with --id"},
		{"similar t.kd cat --tensor x", exitUsage, "t.kd is a code file"},
		{"analogy t.kd cat bat up", exitData, `t.kd: no symbol "bat"; did you mean "cat"`},
		{"analogy t.kd --id 0 1 9", exitData, "no id 9"},
	} {
		t.Run(test.args, func(t *testing.T) {
			r := kd(t, "", strings.Fields(test.args)...)
			r.want(t, test.code, test.want)
			if r.stdout != "" {
				t.Errorf("stdout: %q", r.stdout)
			}
		})
	}
	r := kd(t, "", "similar", "ids.kd", "--id", "0", "--limit", "1")
	r.quiet(t)
	if want := "cosine  word\n     -  0\n1.0000  3\n"; r.stdout != want {
		t.Errorf("%q", r.stdout)
	}
}
