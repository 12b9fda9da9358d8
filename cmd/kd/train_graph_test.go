package main

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// inGraph changes to an empty folder with a graph in it: two groups of nodes,
// joined among themselves, with features of their own.
func inGraph(t *testing.T) {
	t.Helper()
	t.Chdir(t.TempDir())
	if err := os.Mkdir("pets", 0o755); err != nil {
		t.Fatal(err)
	}
	var features, edges, labels, split strings.Builder
	for i := range 40 {
		group := i % 2
		fmt.Fprintf(&features, "n%d f%d g%d all\n", i, 2*(i%5)+group, 2*(i%3)+group)
		fmt.Fprintf(&edges, "n%d n%d\nn%d n%d\n", i, (i+2)%40, i, (i+8)%40)
		fmt.Fprintf(&labels, "n%d %s\n", i, []string{"cat", "dog"}[group])
		fmt.Fprintf(&split, "n%d %s\n", i, []string{"train", "valid", "test", "test"}[i/10])
	}
	for name, b := range map[string]*strings.Builder{"features": &features, "edges": &edges, "labels": &labels, "split": &split} {
		writeText(t, "pets/"+name, b.String())
	}
}

func TestTrainGraph(t *testing.T) {
	inGraph(t)
	args := strings.Fields("train graph --data pets -o m.kd --backend go -K 4 -D 2 --dim 4 --epochs 100 --rate 0.05 --plot p.svg --metrics m.jsonl --save-embedding v.txt")
	r := kd(t, "", args...)
	r.quiet(t)
	if !strings.HasPrefix(r.stdout, "m.kd: graph classifier, 17 embeddings of width 4, 2 labels\nkd, stored as K = 4, D = 2") {
		t.Errorf("%s", r.stdout)
	}
	kd(t, "", "check", "m.kd").quiet(t)
	if all := files(t); !slices.Equal(all, []string{"m.jsonl", "m.kd", "p.svg", "pets", "v.txt"}) {
		t.Errorf("left behind: %v", all)
	}
	for _, more := range []string{"", "--emb full", "--emb lowrank --rank 2", "--dropout 0 --decay 0 --window 0", "--relax ste --norm-scale 1"} {
		argsNow := args
		if strings.Contains(more, "--emb") {
			argsNow = slices.DeleteFunc(slices.Clone(args), func(a string) bool { return slices.Contains([]string{"-K", "4", "-D", "2"}, a) })
			argsNow = slices.Insert(argsNow, slices.Index(argsNow, "--dim")+1, "4")
		}
		r := kd(t, "", slices.Concat(argsNow, strings.Fields(more), []string{"--json"})...)
		r.quiet(t)
		var got trainResult
		r.object(t, &got)
		if got.Task != "graph" || got.Accuracy == nil || *got.Accuracy < 0.9 || got.N != 17 || got.Labels != 2 || got.TrainExamples != 10 || got.TestExamples != 20 || len(got.Epochs) == 0 {
			t.Errorf("%s: %+v", more, got)
		}
	}
}

// Several seeds are trained as each would be alone.
func TestTrainGraphSeeds(t *testing.T) {
	inGraph(t)
	args := strings.Fields("train graph --data pets -o m.kd --backend go --dim 4 --json")
	for _, emb := range []string{"kd -K 4 -D 2 --epochs 5", "random -K 2 -D 1 --epochs 30"} {
		var all, second trainResult
		of := append(args, strings.Fields("--emb "+emb)...)
		kd(t, "", append(of, "--seeds", "2", "--seed", "5")...).object(t, &all)
		kd(t, "", append(of, "--seed", "6")...).object(t, &second)
		switch {
		case all.Seeds == nil || len(all.Seeds.Runs) != 2 || second.Seeds != nil:
			t.Fatalf("%+v, %+v", all.Seeds, second.Seeds)
		case *all.Seeds.Runs[1].Accuracy != *second.GraphAccuracy || *all.Seeds.Runs[0].Accuracy != *all.GraphAccuracy:
			t.Errorf("%s: %+v, alone %g and %g", emb, all.Seeds.Runs, *all.GraphAccuracy, *second.GraphAccuracy)
		case math.Abs(*all.Seeds.Mean-(*all.GraphAccuracy+*second.GraphAccuracy)/2) > 1e-12:
			t.Errorf("%s: the mean is %g", emb, *all.Seeds.Mean)
		}
	}
	r := kd(t, "", slices.DeleteFunc(append(args, "--epochs", "5", "--seeds", "2"), func(a string) bool { return a == "--json" })...)
	r.quiet(t)
	if !strings.Contains(r.stdout, "over 2 seeds, standard deviation ") {
		t.Errorf("%s", r.stdout)
	}
}

// What is measured from the file is what the graph measured.
func TestEvalGraph(t *testing.T) {
	inGraph(t)
	var made trainResult
	r := kd(t, "", strings.Fields("train graph --data pets -o m.kd --backend go -K 4 -D 2 --dim 4 --epochs 8 --rate 0.02 --dtype float32 --json")...)
	r.quiet(t)
	r.object(t, &made)
	var got evalResult
	r = kd(t, "", "eval", "m.kd", "--data", "pets", "--json")
	r.quiet(t)
	r.object(t, &got)
	if got.Accuracy != *made.Accuracy || got.Accuracy != *made.GraphAccuracy || got.Task != "graph" || got.Test != "pets" || got.Examples != 20 || len(got.Classes) != 2 {
		t.Errorf("%+v, trained %+v", got, made)
	}
	r = kd(t, "", "eval", "m.kd", "--data", "pets")
	r.quiet(t)
	if !strings.HasPrefix(r.stdout, "m.kd on pets: accuracy ") || !strings.Contains(r.stdout, "20 nodes\n") {
		t.Errorf("%s", r.stdout)
	}
	kd(t, "", "eval", "m.kd", "--test", "x.tsv").want(t, exitUsage, "--data DIR is missing: m.kd classifies the nodes of a graph")
	writeText(t, "pets/features", strings.ReplaceAll(readText(t, "pets/features"), "all", "other"))
	kd(t, "", "eval", "m.kd", "--data", "pets").want(t, exitData, "m.kd: ", `no feature "other"`)
	write(t, "text.kd", textModel(t))
	kd(t, "", "eval", "text.kd", "--data", "pets").want(t, exitUsage, "--test FILE is missing: text.kd classifies texts")
}

func TestTrainGraphErrors(t *testing.T) {
	inGraph(t)
	for flag, want := range map[string]string{
		"--window -1": "--window -1: give a number from 0 up", "--seeds 0": "--seeds 0: give", "--code-rate 0": "--code-rate 0: give", "--norm-scale 0": "--norm-scale 0: give",
		"--no-norms --norm-scale 1": "--norm-scale and --no-norms",
	} {
		kd(t, "", strings.Fields("train graph --data pets -o m.kd "+flag)...).want(t, exitUsage, want)
	}
	kd(t, "", strings.Fields("train graph --data missing -o m.kd")...).want(t, exitFailed, "missing")
	kd(t, "", strings.Fields("train graph --data pets --name cora -o m.kd")...).want(t, exitFailed, "ind.cora")
	planetoid := t.TempDir()
	writeText(t, filepath.Join(planetoid, "ind.cora.x"), "")
	kd(t, "", "train", "graph", "--data", planetoid, "-o", "m.kd").want(t, exitUsage, "such as --name cora")
	writeText(t, "pets/edges", "n1 n2\nn1\n")
	kd(t, "", strings.Fields("train graph --data pets -o m.kd")...).want(t, exitData, "edges:2: ")
	if all := files(t); !slices.Equal(all, []string{"pets"}) {
		t.Errorf("left behind: %v", all)
	}
}
