package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/kdcode/kdcode"
	"github.com/kdcode/kdcode/internal/ctxtest"
	"github.com/kdcode/kdcode/learn"
)

// writeTexts writes n labelled texts of two topics, which share some words.
func writeTexts(t *testing.T, path string, n int, seed uint64) {
	t.Helper()
	random := rand.New(rand.NewPCG(seed, 1))
	topics := [][]string{strings.Fields("ball goal team match league coach"), strings.Fields("stock bank market profit share price")}
	every := strings.Fields("the of a in on")
	var b strings.Builder
	for i := range n {
		for range 3 {
			fmt.Fprintf(&b, "%s %s ", topics[i%2][random.IntN(6)], every[random.IntN(5)])
		}
		fmt.Fprintf(&b, "\t%s\n", []string{"sport", "money"}[i%2])
	}
	writeText(t, path, b.String())
}

// inTexts changes to an empty folder with train.tsv and test.tsv in it.
func inTexts(t *testing.T) {
	t.Helper()
	t.Chdir(t.TempDir())
	writeTexts(t, "train.tsv", 120, 1)
	writeTexts(t, "test.tsv", 40, 2)
}

// smallText are arguments that train on them in no time.
var smallText = strings.Fields("train text --train train.tsv --backend go --dim 8 --batch 20 --rate 0.05 --code-rate 1 --drop-words 0")

// trainedText runs kd train text --json and returns what it says.
func trainedText(t *testing.T, args ...string) trainResult {
	t.Helper()
	r := kd(t, "", slices.Concat(smallText, args, []string{"--json"})...)
	r.want(t, exitDone)
	var got trainResult
	r.object(t, &got)
	return got
}

func TestTrainText(t *testing.T) {
	inTexts(t)
	r := kd(t, "", append(smallText, strings.Fields("--test test.tsv -o m.kd -K 4 -D 3 --drop-digits 0 --epochs 6")...)...)
	r.quiet(t)
	for _, want := range []string{"m.kd: text classifier, 17 embeddings of width 8, 2 labels\nkd, stored as K = 4, D = 3, sum, float16; backend go, seed 1\n",
		"\naccuracy             1.0000  on 40 to test, measured from the file\n", "\nvalidation ", "\nshared codes ", "\nfull table "} {
		if !strings.Contains(r.stdout, want) {
			t.Errorf("%s\nlacks %q", r.stdout, want)
		}
	}
	if all := files(t); !slices.Equal(all, []string{"m.kd", "test.tsv", "train.tsv"}) {
		t.Errorf("left behind: %v", all)
	}
	kd(t, "", "check", "m.kd").quiet(t)
	table, err := kdcode.Open("m.kd")
	if err != nil {
		t.Fatal(err)
	}
	defer table.Close()
	for key, want := range map[string]string{"made_by": "kd train text", "source": "train.tsv", "task": "text", "method": "kd", "seed": "1"} {
		if got := table.Info().Metadata[key]; got != want {
			t.Errorf("metadata %s is %q instead of %q", key, got, want)
		}
	}
}

func TestTrainTextJSON(t *testing.T) {
	inTexts(t)
	got := trainedText(t, strings.Fields("--test test.tsv -o m.kd -K 4 -D 3 --drop-digits 0 --epochs 6 --metrics m.jsonl --plot p.png --save-embedding v.txt --dtype float32 --seed 3")...)
	stat, err := os.Stat("m.kd")
	if err != nil {
		t.Fatal(err)
	}
	if got.Accuracy == nil || *got.Accuracy != 1 || *got.GraphAccuracy != 1 || *got.ValidAccuracy != 1 || got.N != 17 || got.Dim != 8 ||
		got.Ways != 4 || got.CodeLength != 3 || got.CodeDim != 8 || got.Composition != "sum" || got.DType != "float32" || got.Embedding != "kd" ||
		got.Backend != "go" || got.Seed != 3 || got.FileBytes != stat.Size() || len(got.Epochs) != 6 || got.Labels != 2 || got.TestExamples != 40 {
		t.Errorf("%+v", got)
	}
	if got.Parameters != 4*3*8+2*8 || got.Bits != 17*3*2+32*got.Parameters || got.Ratio != float64(17*8*32)/float64(got.Bits) || !(got.Seconds > 0) {
		t.Errorf("%+v", got)
	}
	if text := readText(t, "p.png"); !strings.HasPrefix(text, "\x89PNG") {
		t.Errorf("no picture: %q", text[:min(20, len(text))])
	}
	checkMetrics(t, "m.jsonl", 6)
	if lines := strings.Count(readText(t, "v.txt"), "\n"); lines != 17 {
		t.Errorf("%d vectors", lines)
	}
	for _, e := range got.Epochs[1:] {
		if e.CodesChanged == nil || e.SharingCodes == nil || e.Entropy == nil || e.Score == nil {
			t.Errorf("%+v", e)
		}
	}
}

// checkMetrics fails the test unless the file has a line an epoch.
func checkMetrics(t *testing.T, path string, epochs int) {
	t.Helper()
	n := 0
	for line := range strings.Lines(readText(t, path)) {
		n++
		var e learn.Epoch
		if err := json.Unmarshal([]byte(line), &e); err != nil || e.Epoch != n || !(e.Loss >= 0) {
			t.Errorf("line %d: %q, %v", n, line, err)
		}
	}
	if n != epochs {
		t.Errorf("%d lines instead of %d", n, epochs)
	}
}

// Every layer trains, and its file predicts what the graph does.
func TestTrainTextLayers(t *testing.T) {
	if testing.Short() {
		t.Skip("trains many times")
	}
	inTexts(t)
	trainedText(t, strings.Fields("-o codes.kd -K 4 -D 3 --epochs 2 --save-embedding v.txt")...)
	for _, args := range []string{
		"--emb full", "--emb lowrank", "--emb lowrank --rank 2", "--emb scalar --bits 4", "--emb dpq -D 4 -K 4", "--emb dpq --match vq -D 4 -K 4 --shared",
		"--emb random -K 4 -D 3", "--emb codes --codes-from codes.kd", "--emb chars", "--emb product --vectors-from v.txt -K 4 -D 4",
		"--compose concat -K 4 -D 4", "--compose lstm --hidden 5 -K 4 -D 3", "--compose paper-lstm -K 4 -D 3", "--compose sum --code-dim 4 -K 4 -D 3",
		"--relax soft -K 4 -D 3 --temperature 0.5", "--relax gumbel -K 4 -D 3 --temperature exp:2,5,0.9,0.5", "--relax threshold -K 2 -D 6 --temperature inverse:1,5,0.1",
		"--entropy 0.01 --drop-digits 0.1 --shared --no-norms --init-scale 0.5 -K 4 -D 3",
		"--guide odg -K 4 -D 3", "--guide pdg --guide-from v.txt --guide-weight 1 -K 4 -D 3", "--guide pdg --guide-from codes.kd --auto-encoder -K 4 -D 3",
	} {
		t.Run(args, func(t *testing.T) {
			epochs := "--test test.tsv -o out.kd --epochs 12 --dtype float32"
			if strings.Contains(args, "product") {
				epochs += " --rate 0.3" // only the classifier learns
			}
			got := trainedText(t, strings.Fields(args+" "+epochs)...)
			if *got.Accuracy < 0.8 || *got.Accuracy != *got.GraphAccuracy || got.Bits <= 0 || len(got.Notes) > 0 {
				t.Errorf("accuracy %g, by the graph %g; %+v", *got.Accuracy, *got.GraphAccuracy, got)
			}
			kd(t, "", "check", "out.kd").quiet(t)
		})
	}
}

// Symbols that a file does not have are told of.
func TestTrainTextMatching(t *testing.T) {
	inTexts(t)
	writeText(t, "few.txt", "ball 1 0 0 0 0 0 0 0\nbank 0 1 0 0 0 0 0 0\n")
	args := strings.Fields("-o out.kd --epochs 1 -K 4 -D 3 --guide pdg --guide-from")
	r := kd(t, "", slices.Concat(smallText, args, []string{"few.txt"})...)
	r.want(t, exitDone)
	if want := "kd: few.txt: 15 of 17 symbols are not in it: they get the mean of the others\n"; r.stderr != want {
		t.Errorf("%q", r.stderr)
	}
	write(t, "other.kd", model())
	writeText(t, "none.txt", "x 1 0 0 0 0 0 0 0\n")
	kd(t, "", slices.Concat(smallText, args, []string{"none.txt"})...).want(t, exitData, "none.txt: it has none of the 17 symbols")
	kd(t, "", slices.Concat(smallText, args, []string{"other.kd"})...).want(t, exitData, "other.kd: its vectors have the width 4, not 8: give --dim 4")
	kd(t, "", slices.Concat(smallText, strings.Fields("-o out.kd --emb codes --codes-from other.kd"))...).want(t, exitData, "other.kd: it has none")
}

func TestTrainTextUsage(t *testing.T) {
	t.Chdir(t.TempDir())
	for args, want := range map[string]string{
		"-o m.kd":                                         "--train FILE is missing",
		"--train t.tsv":                                   "-o MODEL.kd is missing",
		"--train t.tsv -o -":                              "name a file with -o",
		"--train t.tsv -o m.kd extra":                     "one argument too many",
		"--train t.tsv -o m.kd --format xml":              "auto, csv, tab, fasttext",
		"--train t.tsv -o m.kd --hold-out 1":              "--hold-out 1",
		"--train t.tsv -o m.kd --hold-out 0 --patience 3": "--patience needs",
		"--train t.tsv -o m.kd --patience -1":             "--patience -1",
		"--train t.tsv -o m.kd --valid v --hold-out .1":   "give one of them",
		"--train t.tsv -o m.kd --steps 5 --epochs 5":      "give one of them",
		"--train t.tsv -o m.kd --steps 0":                 "--steps 0",
		"--train t.tsv -o m.kd --epochs 0":                "--epochs 0",
		"--train t.tsv -o m.kd --batch 0":                 "--batch 0",
		"--train t.tsv -o m.kd --code-rate 0":             "--code-rate 0",
		"--train t.tsv -o m.kd --drop-words 1":            "--drop-words 1",
		"--train t.tsv -o m.kd --rate 0":                  "--rate 0",
		"--train t.tsv -o m.kd --dropout 1":               "--dropout 1",
		"--train t.tsv -o m.kd --min-count 0":             "--min-count 0",
		"--train t.tsv -o m.kd --max-words -1":            "--max-words -1",
		"--train t.tsv -o m.kd --dtype int4":              "float32, float16, int8",
		"--train t.tsv -o m.kd --plot p.gif":              ".png or .svg",
		"--train t.tsv -o m.kd --save-embedding v.npy":    ".txt, .vec or .bin",
		"--train t.tsv -o m.kd --emb magic":               "kd, full, lowrank",
		"--train t.tsv -o m.kd -K 1":                      "-K 1",
		"--train t.tsv -o m.kd -D 0":                      "-D 0",
		"--train t.tsv -o m.kd --dim 0":                   "--dim 0",
		"--train t.tsv -o m.kd --emb full -K 4":           "--ways is for --emb kd",
		"--train t.tsv -o m.kd --rank 4":                  "--rank is for --emb lowrank, not kd",
		"--train t.tsv -o m.kd --emb lowrank --rank 0":    "--rank 0",
		"--train t.tsv -o m.kd --emb scalar --bits 9":     "bits",
		"--train t.tsv -o m.kd --emb dpq -D 7":            "--dim 300: code embeddings side by side need a multiple of -D 7",
		"--train t.tsv -o m.kd --compose concat -D 7":     "a multiple of -D 7",
		"--train t.tsv -o m.kd --compose blend":           "mean, sum, concat, lstm, paper-lstm",
		"--train t.tsv -o m.kd --relax hard":              "ste, soft, gumbel, threshold",
		"--train t.tsv -o m.kd --relax threshold":         "K = 2",
		"--train t.tsv -o m.kd --hidden 5":                "--hidden is for --compose lstm",
		"--train t.tsv -o m.kd --init-scale 0":            "--init-scale 0",
		"--train t.tsv -o m.kd --drop-digits 1":           "dropping digits",
		"--train t.tsv -o m.kd --emb codes":               "--codes-from FILE.kd",
		"--train t.tsv -o m.kd --emb product":             "--vectors-from FILE",
		"--train t.tsv -o m.kd --guide pdg":               "--guide-from FILE",
		"--train t.tsv -o m.kd --guide up":                "none, odg, pdg",
		"--train t.tsv -o m.kd --auto-encoder":            "are for --guide pdg",
		"--train t.tsv -o m.kd --guide-mix 0.2":           "--guide-mix is for --guide odg",
		"--train t.tsv -o m.kd --guide-weight 2":          "--guide-weight is for",
		"--train t.tsv -o m.kd --guide odg --guide-mix 2": "--guide-mix 2",
		"--train t.tsv -o m.kd --temperature 0":           "a number above 0",
		"--train t.tsv -o m.kd --temperature warm:1":      `no schedule "warm"`,
		"--train t.tsv -o m.kd --temperature exp:1":       "exp:INITIAL,STEPS,RATE",
		"--train t.tsv -o m.kd --temperature exp:1,0,1":   "STEPS",
		"--train t.tsv -o m.kd --temperature exp:1,5,x":   "RATE",
	} {
		t.Run(args, func(t *testing.T) {
			kd(t, "", append([]string{"train", "text"}, strings.Fields(args)...)...).want(t, exitUsage, want, "see kd train text --help")
		})
	}
	if all := files(t); len(all) > 0 {
		t.Errorf("left behind: %v", all)
	}
}

func TestTrainTextBadInput(t *testing.T) {
	inTexts(t)
	writeText(t, "one.tsv", "a b\tsport\nc d\tsport\n")
	writeText(t, "torn.tsv", "a b\tsport\nno label here\n")
	writeText(t, "other.tsv", "ball goal\tsport\nrain\tweather\n")
	writeText(t, "empty.tsv", "")
	writeText(t, "folder", "")
	for _, test := range []struct {
		args string
		code int
		want string
	}{
		{"--train missing.tsv -o m.kd", exitFailed, "missing.tsv: no such file"},
		{"--train one.tsv -o m.kd", exitData, `one.tsv: `},
		{"--train torn.tsv -o m.kd", exitData, "torn.tsv:2: "},
		{"--train empty.tsv -o m.kd", exitData, "empty.tsv"},
		{"--train train.tsv --test other.tsv -o m.kd", exitData, `other.tsv:2: `},
		{"--train train.tsv --valid torn.tsv -o m.kd", exitData, "torn.tsv:2: "},
		{"--train train.tsv -o missing/m.kd", exitFailed, "missing"},
		{"--train train.tsv -o m.kd --metrics missing/m.jsonl", exitFailed, "missing"},
		{"--train train.tsv -o m.kd --plot missing/p.png", exitFailed, "missing"},
		{"--train train.tsv -o m.kd --checkpoints folder", exitFailed, "folder"},
		{"--train train.tsv -o train.tsv", exitUsage, "would replace the input"},
		{"--train train.tsv -o m.kd --backend warp", exitUsage, "there is no backend warp; use auto, simd, go"},
		{"--train train.tsv -o m.kd --min-count 1000", exitFailed, "train.tsv: "},
		{"--train train.tsv -o m.kd --rate 1e30 --epochs 9 --backend go --dim 4 --emb full", exitFailed, "training diverged: the loss is"},
	} {
		t.Run(test.args, func(t *testing.T) {
			kd(t, "", append([]string{"train", "text"}, strings.Fields(test.args)...)...).want(t, test.code, test.want)
		})
	}
	if all := files(t); len(all) != 7 {
		t.Errorf("left behind: %v", all)
	}
}

// Wherever Ctrl-C comes, there is no MODEL, and --resume goes on to the same
// bytes as without it.
func TestTrainTextInterrupted(t *testing.T) {
	if testing.Short() {
		t.Skip("trains many times")
	}
	for _, test := range []struct {
		args string
		upTo int // which of the times that the context is asked
	}{
		{"--hold-out 0 -K 4 -D 3", 1000},
		{"-K 4 -D 3 --relax gumbel --dropout 0.2", 1000},
	} {
		t.Run(test.args, func(t *testing.T) { interruptText(t, strings.Fields(test.args), test.upTo) })
	}
}

func interruptText(t *testing.T, more []string, upTo int) {
	inTexts(t)
	args := slices.Concat(smallText, more, strings.Fields("--epochs 4 --metrics m.jsonl -o"))
	kd(t, "", append(args, "whole.kd")...).quiet(t)
	whole := withoutSeconds(t, "m.jsonl")
	resumed := 0
	for n := 1; n <= upTo; n += 1 + n/2 {
		var stdout, stderr bytes.Buffer
		code := run(ctxtest.Countdown(t, n), append(args, "out.kd"), strings.NewReader(""), &stdout, &stderr)
		if code == exitDone {
			break
		}
		if code != exitInterrupted || stdout.Len() > 0 {
			t.Fatalf("exit code %d, stdout %q, stderr %q", code, stdout.String(), stderr.String())
		}
		all := files(t)
		if slices.Contains(all, "out.kd") {
			t.Fatalf("there is an output: %v", all)
		}
		if !slices.Contains(all, "out.kd.checkpoints") {
			if stderr.String() != "kd: interrupted\n" {
				t.Fatalf("stderr %q, files %v", stderr.String(), all)
			}
			continue
		}
		if want := "kd: interrupted; what was learned is kept: go on with the same command and --resume\n"; stderr.String() != want {
			t.Errorf("stderr %q", stderr.String())
		}
		kd(t, "", append(args, "out.kd")...).want(t, exitUsage, "out.kd.checkpoints is left of a run that did not end: pass --resume to go on, or remove it")
		kd(t, "", append(args, "out.kd", "--resume", "--dim", "9")...).want(t, exitUsage, "whose dim was 8, not 9")
		kd(t, "", append(args, "out.kd", "--resume")...).quiet(t)
		if readText(t, "out.kd") != readText(t, "whole.kd") {
			t.Errorf("after %d steps and --resume the file is another", n)
		}
		if got := withoutSeconds(t, "m.jsonl"); got != whole {
			t.Errorf("metrics\n%s\ninstead of\n%s", got, whole)
		}
		resumed++
		if err := os.Remove("out.kd"); err != nil {
			t.Fatal(err)
		}
	}
	if resumed < 2 {
		t.Errorf("%d runs left a checkpoint", resumed)
	}
	if all := files(t); slices.Contains(all, "out.kd.checkpoints") {
		t.Errorf("left behind: %v", all)
	}
}

// withoutSeconds returns metrics without what differs from run to run.
func withoutSeconds(t *testing.T, path string) string {
	t.Helper()
	var b strings.Builder
	for line := range strings.Lines(readText(t, path)) {
		var e map[string]any
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		delete(e, "seconds")
		text, _ := json.Marshal(e)
		b.Write(append(text, '\n'))
	}
	return b.String()
}

// What can be told while it trains stands in the bar.
func TestTrainingProgress(t *testing.T) {
	var screen bytes.Buffer
	s := &streams{progress: newProgress(&screen, true)}
	r := &trainingRun{s: s}
	score, changed, sharing, entropy := 0.912, 0.013, 35, 1.25
	r.onEpoch(learn.Epoch{Epoch: 2, Score: &score, CodesChanged: &changed, SharingCodes: &sharing, Entropy: &entropy})
	r.onStep(learn.Progress{Epoch: 2, Epochs: 4, Step: 32, Steps: 64, Loss: 0.5})
	if got, want := screen.String(), "  62%  epoch 3/4 step 32/64  loss 0.5000  accuracy 0.9120  changed 1.3%  sharing 35  entropy 1.25"; !strings.HasSuffix(got, want) {
		t.Errorf("%q instead of %q", got, want)
	}
}

// A file that cannot be written does not lose what was learned.
func TestTrainTextUnwritten(t *testing.T) {
	inTexts(t)
	args := append(smallText, strings.Fields("-K 4 -D 3 --epochs 2 --no-norms --init-scale 1e6 --rate 1e-3 -o out.kd")...)
	r := kd(t, "", args...)
	r.want(t, exitData, "too large", "what was learned is kept: go on with the same command and --resume")
	kd(t, "", append(args, "--resume", "--dtype", "float32")...).quiet(t)
	if all := files(t); !slices.Equal(all, []string{"out.kd", "test.tsv", "train.tsv"}) {
		t.Errorf("left behind: %v", all)
	}
}

func TestTrainTextResume(t *testing.T) {
	inTexts(t)
	args := append(smallText, strings.Fields("-K 4 -D 3 --epochs 1 -o out.kd")...)
	r := kd(t, "", append(args, "--resume")...)
	r.want(t, exitDone)
	if want := "kd: out.kd.checkpoints: there is no checkpoint to go on from: begins anew\n"; r.stderr != want {
		t.Errorf("%q", r.stderr)
	}
	// A folder with something else in it is left alone.
	if err := os.Mkdir("mine", 0o755); err != nil {
		t.Fatal(err)
	}
	writeText(t, "mine/letter.txt", "dear")
	kd(t, "", append(args, "--checkpoints", "mine", "--resume")...).want(t, exitUsage, "mine is no folder of checkpoints")
	kd(t, "", append(args, "--checkpoints", "mine")...).want(t, exitUsage, "mine is no folder of checkpoints")
	if readText(t, "mine/letter.txt") != "dear" {
		t.Error("it is gone")
	}
	// One whose kd was killed while it wrote the settings is its own.
	if err := os.Mkdir("killed", 0o755); err != nil {
		t.Fatal(err)
	}
	writeText(t, "killed/.settings.json.tmp-1", "{")
	kd(t, "", append(args, "--checkpoints", "killed")...).want(t, exitDone)
}

// Lines of epochs that are trained again are replaced, half-written ones too.
func TestMetricsResumed(t *testing.T) {
	t.Chdir(t.TempDir())
	writeText(t, "m.jsonl", `{"epoch":1}`+"\n"+`{"epoch":2}`+"\n"+`{"epoch":3}`+"\n"+`{"epo`)
	m, err := openMetrics("m.jsonl", true)
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{3, 4} {
		if err := m.write(learn.Epoch{Epoch: n}); err != nil {
			t.Fatal(err)
		}
	}
	if err := m.close(); err != nil {
		t.Fatal(err)
	}
	checkMetrics(t, "m.jsonl", 4)
}

// More words than K can be, without codes.
func TestTrainTextManyWords(t *testing.T) {
	if testing.Short() {
		t.Skip("trains on many words")
	}
	t.Chdir(t.TempDir())
	var b strings.Builder
	for i := range 70_000 {
		if fmt.Fprintf(&b, "w%d ", i); i%1000 == 999 {
			fmt.Fprintf(&b, "%s\t%s\n", []string{"yes", "no"}[i/1000%2], []string{"a", "b"}[i/1000%2])
		}
	}
	writeText(t, "train.tsv", b.String())
	var got trainResult
	kd(t, "", strings.Fields("train text --train train.tsv --test train.tsv -o m.kd --emb full --dim 2 --epochs 1 --hold-out 0 --backend go --json --save-embedding v.txt")...).object(t, &got)
	if got.Accuracy == nil || *got.Accuracy != *got.GraphAccuracy || got.N != 70_002 || got.Parameters != 140_004 {
		t.Errorf("%+v", got)
	}
	kd(t, "", "check", "m.kd").quiet(t)
	if lines := strings.Count(readText(t, "v.txt"), "\n"); lines != 70_002 {
		t.Errorf("%d vectors", lines)
	}
}
