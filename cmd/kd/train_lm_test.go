package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/kdcode/kdcode"
	"github.com/kdcode/kdcode/internal/ctxtest"
	"github.com/kdcode/kdcode/learn"
)

// inCount changes to an empty folder with a corpus of counting in it: of each
// sentence, every word but the first follows from the one before.
func inCount(t *testing.T, sentences int) {
	t.Helper()
	t.Chdir(t.TempDir())
	if err := os.Mkdir("count", 0o755); err != nil {
		t.Fatal(err)
	}
	for part, n := range map[string]int{"train": sentences, "valid": 12, "test": 15} {
		var b strings.Builder
		for i := range n {
			for j := range 6 {
				fmt.Fprintf(&b, " w%d", (i*5+j)%10)
			}
			b.WriteString(" \n")
		}
		writeText(t, "count/c."+part+".txt", b.String())
	}
}

// smallLM are arguments that train on it in no time.
var smallLM = strings.Fields("train lm --data count --backend go --dim 8 --batch 4 --steps-per-batch 5 --init-scale 0.3 --flat 3 --decay 0.8")

// fewCodes are those of a layer of codes.
const fewCodes = " -K 4 -D 3 --code-dim 6 "

// trainedLM runs kd train lm --json and returns what it says.
func trainedLM(t *testing.T, args string) trainResult {
	t.Helper()
	r := kd(t, "", slices.Concat(smallLM, strings.Fields(args), []string{"--json"})...)
	r.quiet(t)
	var got trainResult
	r.object(t, &got)
	return got
}

// A model is trained, measured and asked.
func TestLM(t *testing.T) {
	inCount(t, 240)
	args := append(smallLM, strings.Fields("--emb full --epochs 5 -o m.kd --metrics m.jsonl --plot p.svg --save-embedding v.txt")...)
	r := kd(t, "", args...)
	r.quiet(t)
	for _, want := range []string{"m.kd: language model, 11 embeddings of width 8\nfull, stored as K = 11, D = 1, sum, float32; backend go, seed 1\n",
		"\nperplexity ", "  on 105 words to test, measured from the file\n", "\nvalidation ", "  on 84 words held out, in the epoch that was kept\n", "  with symbols, LSTM and softmax\n"} {
		if !strings.Contains(r.stdout, want) {
			t.Errorf("%s\nlacks %q", r.stdout, want)
		}
	}
	if all := files(t); !slices.Equal(all, []string{"count", "m.jsonl", "m.kd", "p.svg", "v.txt"}) {
		t.Errorf("left behind: %v", all)
	}
	checkMetrics(t, "m.jsonl", 5)
	if text := readText(t, "p.svg"); !strings.Contains(text, "perplexity on validation") || strings.Contains(text, "accuracy") {
		t.Error("the picture shows something else")
	}
	kd(t, "", "check", "m.kd").quiet(t)
	table, err := kdcode.Open("m.kd")
	if err != nil {
		t.Fatal(err)
	}
	for key, want := range map[string]string{"made_by": "kd train lm", "source": "count", "task": "lm", "steps": "5"} {
		if got := table.Info().Metadata[key]; got != want {
			t.Errorf("metadata %s is %q instead of %q", key, got, want)
		}
	}
	if err := table.Close(); err != nil {
		t.Fatal(err)
	}
	t.Run("again", func(t *testing.T) {
		var again trainResult
		r := kd(t, "", append(args, "-o", "again.kd", "--json")...)
		r.object(t, &again)
		if again.Perplexity == nil || *again.Perplexity > 2 || readText(t, "again.kd") != readText(t, "m.kd") {
			t.Errorf("%+v", again)
		}
		if again.Accuracy != nil || again.Task != "lm" || again.N != 11 || again.TrainExamples != 240*7 || len(again.Epochs) != 5 ||
			*again.ValidPerplexity != *again.Epochs[4].Perplexity || math.Abs(*again.Perplexity / *again.GraphPerplexity - 1) > 1e-5 {
			t.Errorf("%+v", again)
		}
		if strings.Contains(r.stdout, "labels") {
			t.Errorf("%s", r.stdout)
		}
		evaluateLM(t, *again.Perplexity)
	})
	t.Run("predict", predictCounting)
	t.Run("errors", otherTasksFlags)
}

func evaluateLM(t *testing.T, want float64) {
	r := kd(t, "", "eval", "m.kd", "--data", "count", "--backend", "go", "--json")
	r.quiet(t)
	var got evalLMResult
	r.object(t, &got)
	bits := storedBits(t, "m.kd")
	if got != (evalLMResult{"m.kd", "lm", "count", "test", want, 105, "go", tableSize{bits, 11 * 8 * 32, 11 * 8 * 32 / float64(bits)}}) {
		t.Errorf("%+v, trained %g", got, want)
	}
	r = kd(t, "", "eval", "m.kd", "--data", "count", "--part", "valid", "--backend", "go")
	r.quiet(t)
	if !strings.HasPrefix(r.stdout, "m.kd on the valid part of count: perplexity 1.") || !strings.HasSuffix(r.stdout, ", 84 words\nits embedding takes 363 B; as float32 vectors it would take 352 B\n") {
		t.Errorf("%q", r.stdout)
	}
}

func predictCounting(t *testing.T) {
	predict := func(stdin, args string) string {
		t.Helper()
		r := kd(t, stdin, append([]string{"predict", "m.kd", "--backend", "go"}, strings.Fields(args)...)...)
		r.quiet(t)
		return r.stdout
	}
	if got := predict("w5 w6\r\nw0 w1 w2 \n", "--temperature 0"); got != "w5 w6 w7 w8 w9 w0\nw0 w1 w2 w3 w4 w5\n" {
		t.Errorf("%q", got)
	}
	if got := predict("w5 w6", "--temperature 0 --words 6 --json"); !strings.HasPrefix(got, `{"text":"w5 w6","continuation":"w7 w8 w9 w0 <eos> w`) || !strings.HasSuffix(got, `,"ended":false}`+"\n") {
		t.Errorf("%q", got)
	}
	if got := predict("w5 w6\n", "--temperature 0 --json"); got != `{"text":"w5 w6","continuation":"w7 w8 w9 w0","ended":true}`+"\n" {
		t.Errorf("%q", got)
	}
	// Chance begins from the seed, and goes on with the lines.
	empty := strings.Repeat("\n", 8)
	once := predict(empty, "--temperature 3")
	lines := strings.Split(once, "\n")
	slices.Sort(lines)
	if once != predict(empty, "--temperature 3") || once == predict(empty, "--temperature 3 --seed 2") || len(slices.Compact(lines)) < 4 {
		t.Errorf("%q", once)
	}
	writeText(t, "texts.txt", "w5 w6\n")
	if got := predict("", "texts.txt texts.txt --temperature 0"); got != strings.Repeat("w5 w6 w7 w8 w9 w0\n", 2) {
		t.Errorf("%q", got)
	}
	kd(t, "w1\nw2 zz\n", "predict", "m.kd", "--backend", "go").want(t, exitData, `stdin:2: `, `word 2, "zz"`)
	var stderr bytes.Buffer
	if code := run(interrupted(t), []string{"predict", "m.kd", "--backend", "go"}, strings.NewReader("w1\n"), &bytes.Buffer{}, &stderr); code != exitInterrupted {
		t.Errorf("exit code %d, stderr %q", code, stderr.String())
	}
}

// Flags of classifiers are refused for a language model, and the other way
// round.
func otherTasksFlags(t *testing.T) {
	write(t, "text.kd", textModel(t))
	broken := textModel(t)
	broken.Metadata["task"] = "lm"
	write(t, "broken.kd", broken)
	for args, want := range map[string]string{
		"predict m.kd -k 2":                                "--top is for classifiers: m.kd is a language model",
		"predict m.kd --labels-only":                       "--labels-only is for classifiers",
		"predict m.kd --threads 2":                         "--threads is for classifiers",
		"predict m.kd --words 0":                           "--words 0: give a number from 1 up",
		"predict m.kd --temperature -1":                    "--temperature -1: give",
		"predict m.kd --backend warp":                      "there is no backend warp",
		"predict text.kd --words 3":                        "--words is for language models: text.kd is none",
		"predict text.kd --seed 3":                         "--seed is for language models",
		"eval m.kd --test t.tsv":                           "--data DIR is missing: m.kd is a language model",
		"eval m.kd --data count --name cora":               "--name does not go with m.kd, which is a language model",
		"eval m.kd --data count --threads 2":               "--threads does not go with m.kd",
		"eval m.kd --data count --part all":                "--part all: use one of train, valid, test",
		"eval m.kd --data count --backend warp":            "there is no backend warp",
		"eval text.kd --test t.tsv --part valid":           "--part does not go with text.kd, which is a text classifier",
		"train text --train t.tsv -o x.kd --keep 1":        "unknown flag: --keep",
		"train lm --data count -o x.kd --dropout 0.5":      "unknown flag: --dropout",
		"train graph --data count -o x.kd --size small":    "unknown flag: --size",
		"train lm --data count -o x.kd --guide-from v.txt": "are for --guide pdg",
	} {
		kd(t, "", strings.Fields(args)...).want(t, exitUsage, want)
	}
	kd(t, "", strings.Fields("eval m.kd --data missing")...).want(t, exitFailed, "missing: no such file")
	kd(t, "", strings.Fields("eval broken.kd --data count")...).want(t, exitData, "broken.kd: not a language model")
	kd(t, "", strings.Fields("predict broken.kd")...).want(t, exitData, "broken.kd: not a language model")
	writeText(t, "count/c.valid.txt", "w1 w2\nw1 zz w3\n")
	kd(t, "", strings.Fields("eval m.kd --data count --part valid --backend go")...).want(t, exitData, `count/c.valid.txt:2: `, `word 2, "zz"`)
}

// Every layer trains, and its file has the graph's perplexity.
func TestTrainLMLayers(t *testing.T) {
	if testing.Short() {
		t.Skip("trains many times")
	}
	inCount(t, 40)
	full := trainedLM(t, "--emb full -o full.kd --epochs 1 --save-embedding v.txt")
	if full.Bits != 11*8*32 || full.Ratio != 1 {
		t.Errorf("%+v", full)
	}
	trainedLM(t, "-o codes.kd --epochs 1"+fewCodes)
	for _, args := range []string{
		"--emb lowrank --rank 2", "--emb lowrank --ratio 0.7", "--emb scalar --bits 4", "--emb dpq -K 4 -D 4", "--emb dpq --match vq -K 4 -D 4 --shared=false",
		"--emb random" + fewCodes, "--emb codes --codes-from codes.kd --code-dim 6", "--emb chars --code-dim 6", "--emb product --vectors-from v.txt -K 4 -D 4",
		"--compose concat -K 4 -D 4", "--guide odg" + fewCodes, "--keep 0.5" + fewCodes,
	} {
		t.Run(args, func(t *testing.T) {
			got := trainedLM(t, args+" -o out.kd --epochs 1")
			if *got.Perplexity > 12 || math.Abs(*got.Perplexity / *got.GraphPerplexity - 1) > 1e-4 || len(got.Notes) > 0 {
				t.Errorf("perplexity %g, by the graph %g; %+v", *got.Perplexity, *got.GraphPerplexity, got)
			}
			if args == "--emb lowrank --ratio 0.7" && got.Parameters != 3*(11+8) {
				t.Errorf("%d parameters", got.Parameters)
			}
		})
	}
}

// What --save-embedding writes guides as the model's own file does.
func TestTrainLMGuided(t *testing.T) {
	inCount(t, 40)
	trainedLM(t, "--emb full -o full.kd --epochs 2 --save-embedding v.txt")
	trainedLM(t, "-o none.kd --epochs 2"+fewCodes)
	trainedLM(t, "-o one.kd --epochs 2 --guide pdg --guide-from v.txt"+fewCodes)
	trainedLM(t, "-o two.kd --epochs 2 --guide pdg --guide-from full.kd"+fewCodes)
	got := trainedLM(t, "-o auto.kd --epochs 2 --guide pdg --guide-from v.txt --auto-encoder"+fewCodes)
	if got.Perplexity == nil || math.Abs(*got.Perplexity / *got.GraphPerplexity - 1) > 1e-4 {
		t.Errorf("%+v", got)
	}
	if readText(t, "one.kd") != readText(t, "two.kd") {
		t.Error("the saved vectors guide otherwise than the model")
	}
	if readText(t, "one.kd") == readText(t, "none.kd") || readText(t, "one.kd") == readText(t, "auto.kd") {
		t.Error("guidance changes nothing")
	}
	for _, bad := range []string{"nan", "inf"} {
		writeText(t, bad+".txt", "w1 1 2 3 4 5 6 7 8\nw2 1 2 3 "+bad+" 5 6 7 8\n")
		kd(t, "", append(smallLM, strings.Fields("-o x.kd --guide pdg --guide-from "+bad+".txt")...)...).want(t, exitData, bad+`.txt: the vector of "w2" has the value `, "in column 4; remove or mend it")
	}
	kd(t, "", append(smallLM, strings.Fields("-o x.kd --dim 9 --guide pdg --guide-from v.txt")...)...).want(t, exitData, "v.txt: its vectors have the width 8, not 9: give --dim 8")
}

// The mean of the weights is what is measured and written; the best of the
// epochs is said and kept.
func TestTrainLMAverage(t *testing.T) {
	inCount(t, 240)
	last := trainedLM(t, "-o last.kd --emb full --epochs 4")
	mean := trainedLM(t, "-o mean.kd --emb full --epochs 4 --average 2 --best")
	if *mean.Perplexity == *last.Perplexity || math.Abs(*mean.Perplexity / *mean.GraphPerplexity - 1) > 1e-5 {
		t.Errorf("perplexity %g from the file, %g by the graph, %g without a mean", *mean.Perplexity, *mean.GraphPerplexity, *last.Perplexity)
	}
	best := slices.MinFunc(mean.Epochs, func(a, b learn.Epoch) int { return cmp.Compare(*a.Perplexity, *b.Perplexity) })
	if *mean.ValidPerplexity != *best.Perplexity {
		t.Errorf("%g is said of the epoch that was kept, the best had %g", *mean.ValidPerplexity, *best.Perplexity)
	}
	if all := files(t); !slices.Equal(all, []string{"count", "last.kd", "mean.kd"}) {
		t.Errorf("left behind: %v", all)
	}
}

// Wherever Ctrl-C comes, --resume goes on to the same bytes as without it.
func TestTrainLMInterrupted(t *testing.T) {
	inCount(t, 40)
	args := append(smallLM, strings.Fields("--epochs 2 --keep 0.8 --metrics m.jsonl"+fewCodes+"-o")...)
	kd(t, "", append(args, "whole.kd")...).quiet(t)
	whole := withoutSeconds(t, "m.jsonl")
	resumed := 0
	for _, n := range []int{2, 10, 19, 24, 40} { // of the times that the context is asked; 15 batches and 5 to validate
		var stderr bytes.Buffer
		code := run(ctxtest.Countdown(t, n), append(args, "out.kd"), strings.NewReader(""), &bytes.Buffer{}, &stderr)
		if code != exitInterrupted || slices.Contains(files(t), "out.kd") {
			t.Fatalf("%d: exit code %d, stderr %q, %v", n, code, stderr.String(), files(t))
		}
		if !slices.Contains(files(t), "out.kd.checkpoints") {
			continue
		}
		resumed++
		kd(t, "", append(args, "out.kd", "--resume", "--batch", "5")...).want(t, exitUsage, "whose batch was 4, not 5")
		kd(t, "", append(args, "out.kd", "--resume", "--average", "1")...).want(t, exitUsage, "whose average was 0, not 1")
		kd(t, "", append(args, "out.kd", "--resume")...).quiet(t)
		if readText(t, "out.kd") != readText(t, "whole.kd") || withoutSeconds(t, "m.jsonl") != whole {
			t.Errorf("interrupted at %d, it ends otherwise", n)
		}
		if err := os.Remove("out.kd"); err != nil {
			t.Fatal(err)
		}
	}
	if resumed < 3 {
		t.Errorf("%d runs left a checkpoint", resumed)
	}
}

// A checkpoint that is damaged, or that another kd is writing, is told of, and
// what to do.
func TestTrainLMBadCheckpoint(t *testing.T) {
	needLocks(t)
	inCount(t, 40)
	args := append(smallLM, strings.Fields("--emb full --epochs 3 -o m.kd")...)
	var stdout, stderr bytes.Buffer
	if code := run(ctxtest.Countdown(t, 20), args, strings.NewReader(""), &stdout, &stderr); code != exitInterrupted {
		t.Fatalf("exit code %d, %s", code, stderr.String())
	}
	args = append(args, "--resume")
	lock, err := (&trainingOutputs{checkpoints: "m.kd.checkpoints"}).lockCheckpoints()
	if err != nil {
		t.Fatal(err)
	}
	kd(t, "", args...).want(t, exitFailed, "m.kd.checkpoints: another kd is training there; wait for it to end")
	if err := lock.Close(); err != nil {
		t.Fatal(err)
	}
	data, err := filepath.Glob("m.kd.checkpoints/last/*.bin")
	if err != nil || len(data) != 1 {
		t.Fatal(data, err)
	}
	if err := os.Truncate(data[0], 100); err != nil {
		t.Fatal(err)
	}
	r := kd(t, "", args...)
	r.want(t, exitData, "bad checkpoint: m.kd.checkpoints/last: ", "; remove it to begin anew\n")
	if err := os.RemoveAll("m.kd.checkpoints/last"); err != nil {
		t.Fatal(err)
	}
	kd(t, "", args...).quiet(t)
	if all := files(t); !slices.Equal(all, []string{"count", "m.kd"}) {
		t.Errorf("left behind: %v", all)
	}
}

// What determines a result is kept to the last digit of a seed.
func TestSettingsOfSeeds(t *testing.T) {
	const large = 1<<53 + 1 // which is no float64
	text, err := settingsOf(map[string]any{"seed": uint64(large), "rate": 1e-7}, map[string]any{"task": "lm"})
	if want := `{"rate":1e-7,"seed":9007199254740993,"task":"lm"}`; err != nil || text != want {
		t.Errorf("%s, %v", text, err)
	}
}

// Metrics that could not be written are told of when a training ends early, too.
func TestMetricsFailedEarly(t *testing.T) {
	t.Chdir(t.TempDir())
	full := errors.New("the disk is full")
	r := &trainingRun{s: &streams{progress: newProgress(io.Discard, false)}, o: trainingOutputs{checkpoints: "c"}, failed: full}
	if err := r.ended(context.Canceled); !errors.Is(err, full) || !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// A training that diverges keeps its best epoch, if that is all there is.
func TestTrainLMDivergedKeepsBest(t *testing.T) {
	inCount(t, 60)
	args := strings.Fields("train lm --data count --backend go --dim 8 --batch 4 --steps-per-batch 5 --emb full --epochs 8 --flat 3 --decay 1e12 --clip 0 --best -o")
	r := kd(t, "", append(args, "m [1].kd")...)
	r.want(t, exitFailed, "training diverged", "the last good checkpoint is kept in m [1].kd.checkpoints; a lower learning rate or clipping may help")
	if !learn.HasCheckpoint("m [1].kd.checkpoints") {
		t.Errorf("it is not: %v", files(t))
	}
}

func TestTrainLMUsage(t *testing.T) {
	t.Chdir(t.TempDir())
	r := kd(t, "", "train", "lm", "--help")
	r.quiet(t)
	golden(t, "train-lm-help", r.stdout)
	for args, want := range map[string]string{
		"-o m.kd":                                            "--data DIR is missing",
		"--data d":                                           "-o MODEL.kd is missing",
		"--data d -o m.kd extra":                             "one argument too many",
		"--data d -o m.kd --size huge":                       "--size huge: use one of small, medium, large",
		"--data d -o m.kd --dim 0":                           "--dim 0",
		"--data d -o m.kd --steps-per-batch 0":               "--steps-per-batch 0",
		"--data d -o m.kd --steps-per-batch 10001":           "--steps-per-batch 10001: give a number from 1 to 10000",
		"--data d -o m.kd --clip inf":                        "--clip +Inf: give a number from 0 up",
		"--data d -o m.kd --decay inf":                       "--decay +Inf: give a number above 0",
		"--data d -o m.kd --rate inf":                        "--rate +Inf: give a number above 0",
		"--data d -o m.kd --init-scale inf":                  "--init-scale +Inf: give a number above 0",
		"--data d -o m.kd --norm-scale inf":                  "--norm-scale +Inf: give a number above 0",
		"--data d -o m.kd --entropy inf":                     "--entropy +Inf: give a number",
		"--data d -o m.kd --temperature inf":                 "give a number above 0",
		"--data d -o m.kd --guide odg --guide-weight inf":    "--guide-weight +Inf: give a number from 0 up",
		"--data d -o m.kd --guide odg --guide-weight -1":     "--guide-weight -1: give a number from 0 up",
		"--data d -o m.kd --compose lstm --hidden 0":         "--hidden 0: give a number from 1 to 1048576",
		"--data d -o m.kd --metrics -":                       "--metrics cannot go to standard output: name a file",
		"--data d -o m.kd --metrics ./m.kd":                  "-o and --metrics are both ./m.kd: give them names of their own",
		"--data d -o m.kd --metrics p.png --plot p.png":      "--metrics and --plot are both p.png",
		"--data d -o m.kd --checkpoints m.kd":                "-o and --checkpoints are both m.kd",
		"--data d -o m.kd --emb full -K 3 --bits 3":          "--bits is for --emb scalar, not full",
		"--data d -o m.kd --keep 0":                          "--keep 0",
		"--data d -o m.kd --keep 1.1":                        "--keep 1.1",
		"--data d -o m.kd --init-scale 0":                    "--init-scale 0",
		"--data d -o m.kd --clip -1":                         "--clip -1",
		"--data d -o m.kd --flat -1":                         "--flat -1",
		"--data d -o m.kd --average -1":                      "--average -1",
		"--data d -o m.kd --decay 0":                         "--decay 0",
		"--data d -o m.kd --epochs 0":                        "--epochs 0",
		"--data d -o m.kd --batch 0":                         "--batch 0",
		"--data d -o m.kd --rate 0":                          "--rate 0",
		"--data d -o m.kd --dim 1000000000000":               "--dim 1000000000000: give a number from 1 to 1048576",
		"--data d -o m.kd --emb lowrank --rank 201":          "--rank 201: give a number from 1 to --dim, 200",
		"--data d -o m.kd --ratio 0.2":                       "--ratio is for --emb lowrank, not kd",
		"--data d -o m.kd --emb lowrank --ratio 2":           "--ratio 2",
		"--data d -o m.kd --emb lowrank --ratio 1 --rank":    "flag needs an argument",
		"--data d -o m.kd --emb lowrank --ratio .1 --rank 3": "--ratio and --rank: give one of them",
		"--data d -o m.kd --emb lowrank -K 4":                "give --rank or --ratio",
		"--data d -o m.kd --emb dpq -D 7":                    "--dim 200: code embeddings side by side need a multiple of -D 7",
		"--data d -o m.kd --emb dpq --dim 47":                "--dim 47: code embeddings side by side need a D that divides it: give -D",
		"--data d -o m.kd --emb scalar --dim 1025":           "a code file holds up to 1024; take product or dpq",
		"--data d -o m.kd --guide pdg":                       "--guide-from FILE",
		"--data d -o m.kd --emb magic":                       "kd, full, lowrank",
	} {
		kd(t, "", append([]string{"train", "lm"}, strings.Fields(args)...)...).want(t, exitUsage, want, "see kd train lm --help")
	}
	if all := files(t); len(all) > 0 {
		t.Errorf("left behind: %v", all)
	}
}

func TestTrainLMBadInput(t *testing.T) {
	inCount(t, 40)
	for _, test := range []struct {
		args string
		code int
		want string
	}{
		{"--data missing -o m.kd", exitFailed, "missing: no such file"},
		{"--data . -o m.kd", exitData, "there is no *train.txt: a corpus is a folder of *train.txt, *valid.txt and *test.txt"},
		{"--data count/c.train.txt -o m.kd", exitData, "count/c.train.txt: bad corpus: a corpus is a folder"},
		{"--data count -o count", exitUsage, "count is a folder: name a file"},
		{"--data count -o m.kd --checkpoints count", exitUsage, "count is no folder of checkpoints: it has no settings.json; choose another with --checkpoints"},
		{"--data count -o count/c.test.txt", exitUsage, "would replace the input"},
		{"--data count -o missing/m.kd", exitFailed, "missing"},
		{"--data count -o m.kd --backend warp", exitUsage, "there is no backend warp"},
		{"--data count -o m.kd --backend go --batch 200", exitData, "280 words are too few for 200 rows of 20 steps: take fewer of either, or more text"},
		{"--data count -o m.kd --backend go --dim 8 --batch 4 --rate 1e30 --clip 0 --emb full", exitFailed, "training diverged"},
	} {
		kd(t, "", append([]string{"train", "lm"}, strings.Fields(test.args)...)...).want(t, test.code, test.want)
	}
	if all := files(t); !slices.Equal(all, []string{"count"}) {
		t.Errorf("left behind: %v", all)
	}
	writeText(t, "count/c.test.txt", "w1\nw2 zz\n")
	kd(t, "", strings.Fields("train lm --data count -o m.kd")...).want(t, exitData, "count/c.test.txt:2: ", `word 2, "zz"`)
	writeText(t, "count/c.test.txt", "")
	kd(t, "", strings.Fields("train lm --data count -o m.kd")...).want(t, exitData, "c.test.txt: ", "the file is empty")
}

// The paper's settings follow from the size and the kind of embedding.
func TestTrainLMDefaults(t *testing.T) {
	for args, want := range map[string]string{
		"--size small":                        "d=200 T=20 K=32 D=32 d'=300 clip=3 flat=4 epochs=15 shared=false",
		"--size medium":                       "d=650 T=35 K=32 D=32 d'=300 clip=5 flat=12 epochs=35 shared=false",
		"--size medium --emb full":            "d=650 T=35 K=32 D=32 d'=0 clip=5 flat=6 epochs=30 shared=false",
		"--size large --emb full --flat 3":    "d=1500 T=35 K=32 D=32 d'=0 clip=10 flat=3 epochs=35 shared=false",
		"--size large --emb lowrank":          "d=1500 T=35 K=32 D=32 d'=0 clip=5 flat=14 epochs=35 shared=false",
		"--size small --emb dpq":              "d=200 T=20 K=8 D=25 d'=0 clip=3 flat=4 epochs=15 shared=true",
		"--size medium --emb dpq -K 4":        "d=650 T=35 K=4 D=50 d'=0 clip=5 flat=6 epochs=35 shared=true",
		"--size large --emb dpq --shared=0":   "d=1500 T=35 K=16 D=50 d'=0 clip=5 flat=14 epochs=25 shared=false",
		"--size small --emb random":           "d=200 T=20 K=32 D=32 d'=300 clip=3 flat=4 epochs=15 shared=false",
		"--size small --guide odg":            "d=200 T=20 K=32 D=32 d'=300 clip=3 flat=4 epochs=15 shared=false mix=0.5 weight=0.1",
		"--size large --guide odg":            "d=1500 T=35 K=32 D=32 d'=300 clip=5 flat=14 epochs=35 shared=false mix=0.3 weight=1000",
		"--guide odg --guide-weight 7":        "d=200 T=20 K=32 D=32 d'=300 clip=3 flat=4 epochs=15 shared=false mix=0.5 weight=7",
		"--guide pdg --guide-from f":          "d=200 T=20 K=32 D=32 d'=300 clip=3 flat=4 epochs=15 shared=false mix=0.5 weight=1000",
		"--compose concat -D 20 --emb random": "d=200 T=20 K=32 D=20 d'=0 clip=3 flat=4 epochs=15 shared=false",
	} {
		var o trainLMOptions
		cmd := trainLMCommand(&o)
		if err := cmd.ParseFlags(strings.Fields("--data d -o m.kd " + args)); err != nil {
			t.Fatal(err)
		}
		if err := o.check(cmd); err != nil {
			t.Errorf("%s: %v", args, err)
			continue
		}
		e, s := o.embedding, o.size
		got := fmt.Sprintf("d=%d T=%d K=%d D=%d d'=%d clip=%g flat=%d epochs=%d shared=%t", e.Dim, s.Steps, e.Ways, e.CodeLength, e.CodeDim, s.Clip, s.Flat, s.Epochs, e.Shared)
		if e.Guide != guideNone {
			got += fmt.Sprintf(" mix=%g weight=%g", e.GuideMix, e.GuideWeight)
		}
		if got != want {
			t.Errorf("%s: %s instead of %s", args, got, want)
		}
	}
}

// The bar shows the perplexity.
func TestTrainingProgressLM(t *testing.T) {
	var screen bytes.Buffer
	r := &trainingRun{s: &streams{progress: newProgress(&screen, true)}}
	score, perplexity := -4.7, 110.25
	r.onEpoch(learn.Epoch{Epoch: 1, Score: &score, Perplexity: &perplexity})
	r.onStep(learn.Progress{Epoch: 1, Epochs: 4, Step: 32, Steps: 64, Loss: 95.5})
	if got, want := screen.String(), "loss 95.5000  perplexity 110.25"; !strings.HasSuffix(got, want) {
		t.Errorf("%q instead of %q", got, want)
	}
}
