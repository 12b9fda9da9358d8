package main

import (
	"io/fs"
	"net"
	"os"
	"strings"
	"testing"
)

// special puts something that is neither a file nor a folder under a name, and
// returns whether it is still there.
func special(t *testing.T, name string) (there func() bool) {
	t.Helper()
	l, err := net.Listen("unix", name)
	if err != nil {
		t.Skipf("no socket can be made here: %v", err)
	}
	t.Cleanup(func() { l.Close() })
	return func() bool {
		stat, err := os.Stat(name)
		return err == nil && stat.Mode()&fs.ModeSocket != 0
	}
}

// TestOutputs: what a verb writes replaces no input of it, and nothing but
// files.
func TestOutputs(t *testing.T) {
	inFolder(t)
	writeText(t, "v.txt", "a 1 2 3 4\nb 4 3 2 1\nc 1 1 2 2\n")
	writeText(t, "ids.txt", "a\nb\nc\n")
	writeText(t, "texts.tsv", "good film\t1\nbad film\t0\n")
	kd(t, "", "convert", "v.txt", "v.npy").want(t, exitDone)
	if err := os.Mkdir("folder.npy", 0o755); err != nil {
		t.Fatal(err)
	}
	before := readText(t, "t.kd")
	there := special(t, "pipe")
	for _, test := range []struct{ args, want string }{
		{"compress v.txt -K 2 -D 2 -o pipe", "pipe is a device or a pipe"},
		{"compress v.npy -K 2 -D 2 -o ids.txt --symbols ids.txt", "ids.txt would replace the input"},
		{"compress v.txt -K 2 -D 2 -o ids.txt --weights ids.txt", "ids.txt would replace the input"},
		{"compress v.txt -K 2 -D 2 -o o.png --plot ./o.png", "-o and --plot are both ./o.png"},
		{"encode t.kd v.txt -o pipe", "pipe is a device or a pipe"},
		{"convert t.kd pipe --to kd", "pipe is a device or a pipe"},
		{"convert t.kd pipe --to glove", "pipe is a device or a pipe"},
		{"convert v.txt pipe --to npy", "pipe is a device or a pipe"},
		{"convert v.txt folder.npy", "folder.npy is a folder"},
		{"map t.kd -o pipe", "pipe is a device or a pipe"},
		{"map t.kd -o t.kd", "t.kd would replace the input"},
		{"map t.kd -o .", ". is a folder"},
		{"map t.kd -o -", "--json prints the map"},
		{"demo --keep pipe", "pipe is a device or a pipe"},
		{"train text --train texts.tsv -o pipe", "pipe is a device or a pipe"},
		{"train text --train texts.tsv -o m.kd --metrics pipe", "pipe is a device or a pipe"},
	} {
		kd(t, "", strings.Fields(test.args)...).want(t, exitUsage, test.want)
		if !there() {
			t.Fatalf("kd %s replaced what was there", test.args)
		}
	}
	if readText(t, "t.kd") != before || readText(t, "ids.txt") != "a\nb\nc\n" {
		t.Error("an input was replaced")
	}
}
