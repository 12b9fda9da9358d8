package main

import (
	"strings"
	"testing"

	"github.com/kdcode/kdcode/learn"
)

// Codes of vectors are learned, and a model is trained on them.
func TestTrainCodes(t *testing.T) {
	inCount(t, 60)
	trainedLM(t, "--emb full --epochs 1 -o full.kd --save-embedding v.bin")
	args := "train codes --vectors v.bin -o c.kd -K 4 -D 3 --batch 11 --epochs 3 --backend go"
	r := kd(t, "", strings.Fields(args)...)
	r.quiet(t)
	for _, want := range []string{"c.kd: codes of vectors, 11 embeddings of width 8\nkd, stored as K = 4, D = 3, sum, float32; backend go, seed 1\n",
		"\nrelative error ", "\nneighbours kept ", "  with symbols\n"} {
		if !strings.Contains(r.stdout, want) {
			t.Errorf("%s\nlacks %q", r.stdout, want)
		}
	}
	var got trainResult
	r = kd(t, "", strings.Fields(args+" -o again.kd --json --plot p.svg")...)
	r.quiet(t)
	if r.object(t, &got); got.Fidelity == nil || got.RelativeError <= 0 || got.Accuracy != nil || len(got.Epochs) != 3 || got.Task != "codes" {
		t.Errorf("%+v", got)
	}
	if readText(t, "c.kd") != readText(t, "again.kd") {
		t.Error("the same command gave another file")
	}
	if picture := readText(t, "p.svg"); !strings.Contains(picture, "loss in training<") {
		t.Error("the picture speaks of a validation")
	}
	kd(t, "", strings.Fields("train codes --vectors v.bin -o side.kd -K 4 -D 2 --compose concat --code-dim 4 --epochs 1 --backend go")...).quiet(t)
	kd(t, "", strings.Fields("train codes --vectors v.bin -o side.kd -K 4 -D 2 --compose concat --code-dim 5 --epochs 1 --backend go")...).want(t, exitUsage, "code embeddings of width d/D = 4, not 5")
	fixed := trainedLM(t, "--emb codes --codes-from c.kd --code-dim 6 --epochs 1 -o m.kd")
	if want := learn.NewKD(11, 8).Ways(4).CodeLength(3).CodeDim(6).Size(); fixed.Bits != want.Bits() {
		t.Errorf("%d bits, want %d", fixed.Bits, want.Bits())
	}
	for args, want := range map[string]string{
		"train codes -o c.kd":                                   "--vectors FILE is missing",
		"train codes --vectors v.bin":                           "-o MODEL.kd is missing",
		"train codes --vectors v.bin -o x.kd --emb full":        "--emb is for the training of models",
		"train codes --vectors v.bin -o x.kd --guide odg":       "--guide is for the training of models",
		"train codes --vectors v.bin -o x.kd --batch 0":         "--batch 0",
		"train codes --vectors v.bin -o x.kd --epochs 0":        "--epochs 0",
		"train codes --vectors v.bin -o x.kd --relax threshold": "K = 2",
	} {
		kd(t, "", strings.Fields(args)...).want(t, exitUsage, want)
	}
	kd(t, "", strings.Fields("train codes --vectors c.kd -o x.kd")...).want(t, exitData, "c.kd: a code file, not a table of ordinary vectors; kd convert turns it into one")
	kd(t, "", "train", "codes", "--vectors", "none.txt", "-o", "x.kd").want(t, exitFailed, "none.txt")
	kd(t, "", strings.Fields("train codes --vectors v.bin -o v.bin")...).want(t, exitUsage, "v.bin")
}

// A vector that is none is told with its row, before anything is learned.
func TestTrainCodesNotANumber(t *testing.T) {
	inFolder(t)
	writeText(t, "v.txt", "cat 1 2\ndog 3 nan\n")
	kd(t, "", strings.Fields("train codes --vectors v.txt -o c.kd -K 2 -D 2")...).want(t, exitData, `v.txt: row 2 ("dog") has the value NaN in column 2`)
}
