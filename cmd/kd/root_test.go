package main

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/spf13/cobra"
)

func TestHelp(t *testing.T) {
	for _, args := range [][]string{nil, {"--help"}, {"help"}} {
		r := kd(t, "", args...)
		r.quiet(t)
		golden(t, "help", r.stdout)
	}
}

func TestVersion(t *testing.T) {
	r := kd(t, "", "--version")
	r.quiet(t)
	if !strings.HasPrefix(r.stdout, "kd ") || strings.Count(r.stdout, "\n") != 1 {
		t.Errorf("%q", r.stdout)
	}
}

// Every verb has an example, --json, and help on standard output.
func TestEveryVerb(t *testing.T) {
	var walk func(cmd *cobra.Command)
	walk = func(cmd *cobra.Command) {
		for _, c := range cmd.Commands() {
			walk(c)
		}
		if cmd.Name() == "help" || strings.Contains(cmd.CommandPath(), "completion") {
			return
		}
		if cmd.Example == "" {
			t.Errorf("%s has no example", cmd.CommandPath())
		}
		if !cmd.HasSubCommands() && cmd.Flags().Lookup("json") == nil {
			t.Errorf("%s has no --json", cmd.CommandPath())
		}
		r := kd(t, "", append(strings.Fields(cmd.CommandPath())[1:], "--help")...)
		r.quiet(t)
		if !strings.Contains(r.stdout, "Examples:") {
			t.Errorf("help of %s: %q", cmd.CommandPath(), r.stdout)
		}
		for line := range strings.Lines(r.stdout) {
			if len([]rune(line)) > 96 {
				t.Errorf("help of %s: a long line: %q", cmd.CommandPath(), line)
			}
		}
	}
	walk(newRoot(newStreams(t.Context(), strings.NewReader(""), io.Discard, io.Discard)))
}

func TestUsage(t *testing.T) {
	inFolder(t)
	for _, test := range []struct {
		args string
		want string
	}{
		{"lokup", `no verb "lokup"; did you mean lookup? see kd --help`},
		{"--nonsense", "unknown flag: --nonsense; see kd --help"},
		{"bench", ""},
		{"bench nonsense", `no verb "nonsense"; see kd bench --help`},
		{"completion nonsense", `no verb "nonsense"; see kd completion --help`},
		{"completion bash x", `"x" is one argument too many; see kd completion bash --help`},
		{"help", ""},
		{"help bench lookup", ""},
		{"help nonsense", `no verb "nonsense"; see kd`},
		{"help bench nonsense", `no verb "nonsense"; see kd`},
		{"help lokup", `no verb "lokup"; did you mean lookup?`},
		{"lookup", "FILE is missing; see kd lookup --help"},
		{"lookup --nonsense", "unknown flag: --nonsense; see kd lookup --help"},
		{"lookup t.kd --id cat", `"cat" is not an id`},
		{"codes", "FILE is missing"},
		{"codes t.kd --limit -1", "--limit -1"},
		{"codes t.kd --limit many", "--limit many: give a whole number"},
		{"codes t.kd --within 1", "--within needs symbols"},
		{"codes t.kd up --within -1", "--within -1"},
		{"codes t.kd up --prefix 3", "leave the symbols out"},
		{"codes t.kd --prefix 4", "digits are 0 to 3"},
		{"codes t.kd --prefix x", `"x" is no digit`},
		{"codes t.kd --prefix 1-1-1-1", "has 4 digits, the codes have 3"},
		{"compress", "IN is missing"},
		{"compress in.txt", "-o OUT is missing"},
		{"compress in.txt -o -", "name a file with -o"},
		{"compress in.txt -o out.kd --nonsense", "unknown flag: --nonsense; see kd compress --help"},
		{"compress in.txt out.kd", `"out.kd" is one argument too many`},
		{"compress in.txt -o out.kd -K 1", "-K 1"},
		{"compress in.txt -o out.kd -D 0", "-D 0"},
		{"compress in.txt -o out.kd --compose lstm", "sum, affine, concat"},
		{"compress in.txt -o out.kd --code-dim 5", "--code-dim is for --compose affine"},
		{"compress in.txt -o out.kd --compose affine --code-dim -5", "--code-dim -5"},
		{"compress in.txt -o out.kd --dtype int4", "float32, float16, int8"},
		{"compress in.txt -o out.kd --effort lazy", "fast, normal, best"},
		{"compress in.txt -o out.kd --threads -1", "--threads -1"},
		{"compress in.txt -o out.kd --target-size 2XB", "2MB, 3MiB or 500k"},
		{"compress in.txt -o out.kd --target-size 2MB -K 16", "leave -K and -D out"},
		{"compress in.txt -o out.kd --target-size 2MB --max-error 0.1", "ask for one of them"},
		{"compress in.txt -o out.kd --max-error 1.5", "between 0 and 1"},
		{"compress in.txt -o out.kd --max-error 0", "between 0 and 1"},
		{"compress in.txt -o out.kd --memory much", "2MB, 3MiB or 500k"},
		{"compress in.txt -o out.kd --plot chart.gif", ".png or .svg"},
		{"similar", "FILE is missing"},
		{"similar t.kd", "SYMBOL is missing"},
		{"similar t.kd cat --limit -1", "--limit -1"},
		{"similar t.kd cat --metric hamming", "cosine, inner, euclidean"},
		{"analogy t.kd cat cats", "C is missing"},
		{"analogy t.kd a b c d", `"d" is one argument too many`},
		{"analogy t.kd a b c --limit -1", "--limit -1"},
		{"info", "FILE is missing"},
		{"info t.kd u.kd", `"u.kd" is one argument too many`},
		{"info t.kd --tensor x", "t.kd is a code file"},
		{"check", "FILE is missing"},
		{"convert t.kd", "OUT is missing"},
		{"train", ""},
		{"train nonsense", `no verb "nonsense"; see kd train --help`},
		{"train graph -o m.kd", "--data DIR is missing"},
		{"train graph --data d", "-o MODEL.kd is missing"},
		{"train graph --data d -o m.kd --epochs 0", "--epochs 0"},
		{"train graph --data d -o m.kd --window -1", "--window -1"},
		{"train graph --data d -o m.kd --decay -1", "--decay -1"},
		{"train graph --data d -o m.kd --code-rate -1", "--code-rate -1"},
		{"train graph --data d -o m.kd --dropout 1", "--dropout 1"},
		{"train graph --data d -o m.kd --dim 0", "--dim 0"},
		{"predict", "MODEL.kd is missing"},
		{"predict t.kd -k -1", "-k -1"},
		{"predict t.kd --threads -1", "--threads -1"},
		{"predict t.kd --json --labels-only", "ask for one of them"},
		{"eval", "MODEL.kd is missing"},
		{"eval t.kd", "--test FILE or --data DIR is missing"},
		{"eval t.kd --test x --data y", "give one of them"},
		{"eval t.kd --test x --format xml", "auto, csv, tab, fasttext"},
		{"eval t.kd --test x --threads -1", "--threads -1"},
		{"bench learn -N 1", "-N 1"},
		{"bench learn -N x", "--n x: give whole numbers, with commas between"},
		{"bench learn -K 1", "-K 1"},
		{"bench learn -D 0", "-D 0"},
		{"bench learn --dim 0", "--dim 0"},
		{"bench learn --steps 0", "--steps 0"},
		{"bench learn --batch-tokens 0", "--batch-tokens 0"},
		{"bench learn -N 10 --backend warp", "there is no backend warp"},
		{"bench lookup t.kd -K 3", "--ways is for a made-up table"},
		{"bench lookup t.kd u.kd", "one argument too many"},
		{"bench lookup -K 1", "-K 1"},
		{"bench lookup -N 0", "-N 0"},
		{"bench lookup -D 2000", "-D 2000"},
		{"bench lookup --dim 0", "--dim 0"},
		{"bench lookup --compose product", "sum, affine, concat, lstm"},
		{"bench lookup --dtype int4", "float32, float16, int8"},
		{"bench lookup --compose concat -D 32 --dim 100", "multiple of -D 32"},
		{"bench lookup --seconds 0", "--seconds 0"},
		{"bench lookup --threads 0", "--threads 0"},
	} {
		t.Run(test.args, func(t *testing.T) {
			r := kd(t, "", strings.Fields(test.args)...)
			if test.want == "" {
				r.quiet(t)
				return
			}
			r.want(t, exitUsage, test.want, "--help")
			if r.stdout != "" {
				t.Errorf("stdout: %q", r.stdout)
			}
		})
	}
}

// Every verb that reads a code file says what is wrong with a file that is none.
func TestBadFiles(t *testing.T) {
	inFolder(t)
	whole := readText(t, "t.kd")
	writeText(t, "empty.kd", "")
	writeText(t, "cut.kd", whole[:len(whole)-10])
	writeText(t, "cutheader.kd", whole[:100])
	writeText(t, "text.kd", "this is no table\n")
	writeText(t, "glove.txt", "a 1 2\nb 3 4\n")
	if err := os.Mkdir("folder", 0o755); err != nil {
		t.Fatal(err)
	}
	for _, verb := range []string{"lookup FILE cat", "codes FILE", "codes FILE cat", "similar FILE cat", "analogy FILE a b c", "info FILE", "check FILE", "convert FILE out.txt", "bench lookup FILE", "predict FILE", "eval FILE --test glove.txt"} {
		for _, test := range []struct {
			file string
			code int
			want string
		}{
			{"missing.kd", exitFailed, "no such file"},
			{"folder", exitFailed, "folder"},
			{"empty.kd", exitData, "truncated"},
			{"cut.kd", exitData, "truncated"},
			{"cutheader.kd", exitData, "truncated"},
			{"text.kd", exitData, "bad code file"},
			{"glove.txt", exitData, "ordinary vectors"},
		} {
			t.Run(strings.ReplaceAll(verb, "FILE", test.file), func(t *testing.T) {
				if readsVectors := slices.Contains([]string{"info", "convert", "similar", "analogy"}, strings.Fields(verb)[0]); readsVectors && test.file == "glove.txt" {
					t.Skip("reads ordinary vectors")
				}
				r := kd(t, "", strings.Fields(strings.ReplaceAll(verb, "FILE", test.file))...)
				if strings.HasPrefix(verb, "check") { // says it on stdout
					if r.code != test.code || !strings.Contains(r.stdout, test.file+": ") || !strings.Contains(r.stdout, test.want) {
						t.Errorf("%+v", r)
					}
					return
				}
				r.want(t, test.code, test.file, test.want)
			})
		}
	}
}

// brokenPipe fails as writing to a pipe does that nobody reads any more.
type brokenPipe struct{ left int }

func (b *brokenPipe) Write(p []byte) (int, error) {
	if b.left -= len(p); b.left < 0 {
		return 0, &os.PathError{Op: "write", Path: "/dev/stdout", Err: syscall.EPIPE}
	}
	return len(p), nil
}

func TestClosedPipe(t *testing.T) {
	inFolder(t)
	write(t, "m.kd", textModel(t))
	writeText(t, "texts.tsv", "up\ta\nby\tb\n")
	for _, args := range []string{"codes t.kd", "lookup t.kd cat", "info t.kd", "check t.kd", "predict m.kd texts.tsv", "eval m.kd --test texts.tsv", "convert t.kd - --to glove", "--help"} {
		var stderr bytes.Buffer
		if code := run(t.Context(), strings.Fields(args), strings.NewReader(""), &brokenPipe{}, &stderr); code != exitDone || stderr.Len() > 0 {
			t.Errorf("%s: exit code %d, stderr %q", args, code, stderr.String())
		}
	}
}

func TestFullDisk(t *testing.T) {
	inFolder(t)
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip("no /dev/full here")
	}
	defer full.Close()
	var stderr bytes.Buffer
	code := run(t.Context(), []string{"codes", "t.kd"}, strings.NewReader(""), full, &stderr)
	if code != exitFailed || !strings.Contains(stderr.String(), "no space left") {
		t.Errorf("exit code %d, stderr %q", code, stderr.String())
	}
}

// TestMessage: a file that could not be completed is called as the user does.
func TestMessage(t *testing.T) {
	full := &fs.PathError{Op: "write", Path: "out.d/.t.kd.tmp-4255201929", Err: syscall.ENOSPC}
	for _, test := range []struct {
		err  error
		want string
	}{
		{full, "out.d/t.kd: no space left on device; make room there"},
		{fmt.Errorf("v.txt: write .t.kd.checkpoint: %w", &fs.PathError{Op: "write", Path: "..t.kd.checkpoint.tmp-7", Err: syscall.EIO}),
			"v.txt: write .t.kd.checkpoint: write .t.kd.checkpoint: input/output error"},
		{&fs.PathError{Op: "open", Path: "a.b", Err: fs.ErrNotExist}, "a.b: file does not exist; check the name"},
	} {
		if got := message(test.err); got != test.want {
			t.Errorf("%q, want %q", got, test.want)
		}
	}
}

func TestInterrupted(t *testing.T) {
	inFolder(t)
	writeText(t, "in.txt", "a 1 2 3 4\nb 3 4 5 6\n")
	writeText(t, "texts.tsv", "up\ta\nby\tb\n")
	write(t, "m.kd", textModel(t))
	for _, args := range []string{"lookup t.kd", "codes t.kd", "codes t.kd cat", "similar t.kd cat", "analogy t.kd cat up by", "compress in.txt -o out.kd", "encode t.kd in.txt -o out.kd", "check t.kd", "convert t.kd out.txt", "convert t.kd out.kd", "bench lookup t.kd", "bench lookup",
		"predict m.kd", "predict m.kd texts.tsv", "eval m.kd --test texts.tsv", "train text --train texts.tsv -o out.kd", "train graph --data . -o out.kd", "bench learn -N 10"} {
		var stdout, stderr bytes.Buffer
		code := run(interrupted(t), strings.Fields(args), strings.NewReader("cat\n"), &stdout, &stderr)
		if code != exitInterrupted || stderr.String() != "kd: interrupted\n" {
			t.Errorf("%s: exit code %d, stderr %q", args, code, stderr.String())
		}
	}
	if all := files(t); len(all) != 4 {
		t.Errorf("left behind: %v", all)
	}
}
