package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/kdcode/kdcode/internal/ctxtest"
	"github.com/kdcode/kdcode/internal/results"
	"github.com/kdcode/kdcode/vectors"
)

// inProcess runs kd where startChild would start another.
func inProcess(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	switch code := run(ctx, args, strings.NewReader(""), stdout, stderr); {
	case code == exitDone:
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	default:
		return exitError(code)
	}
}

// countSuite is experiments on a corpus of counting, one of which fails.
func countSuite() *results.Suite {
	const base = "train lm --data {data:count} --dim 8 --batch 4 --steps-per-batch 5 --init-scale 0.3 --epochs 2 "
	e := func(name, flags string) results.Experiment {
		return results.Experiment{Name: "count/" + name, Command: base + flags, Data: "count", Seeds: 1, Quick: "--epochs 1"}
	}
	fixed := e("fixed", "--emb codes --codes-from {codes:count/codes} --code-dim 6")
	fixed.Quick = ""
	return &results.Suite{
		Name: "count", Title: "Counting", QuickLines: 40,
		Experiments: []results.Experiment{
			e("full", "--emb full"),
			e("pdg", "--guide pdg --guide-from {embedding:count/full}"+fewCodes),
			e("bad", "--clip -1"),
			{Name: "count/codes", Command: "train codes --vectors {embedding:count/full} -K 4 -D 3 --epochs 3", Data: "count", Seeds: 1},
			fixed,
			{Name: "count/away", Command: "train lm --data {data:away}", Data: "away", Seeds: 1},
		},
		Tables: []results.Table{{
			ID: "count", Title: "Table of counting", Columns: []results.Column{{Name: "perplexity", Measure: results.Tested, Digits: 1}},
			Rows: []results.Row{{Label: "full", Paper: []float64{5}, Of: []string{"count/full"}}, {Label: "bad", Of: []string{"count/bad"}}, {Label: "away", Of: []string{"count/away"}}},
		}},
	}
}

// reproduced runs the experiments, and returns what it printed and said.
func reproduced(t *testing.T, ctx context.Context, suite *results.Suite, change func(*reproduction)) (stdout, stderr string, err error) {
	t.Helper()
	var out, said bytes.Buffer
	o := reproduceOptions{data: ".", results: "results", work: "work", backend: "go", jobs: 2}
	r := &reproduction{s: newStreams(ctx, strings.NewReader(""), &out, &said), o: o, suite: suite, start: inProcess}
	if change != nil {
		change(r)
	}
	r.store = results.Store{Dir: "results", Quick: r.o.quick}
	err = r.run(ctx)
	if flushErr := r.s.out.Flush(); flushErr != nil {
		t.Fatal(flushErr)
	}
	return out.String(), said.String(), err
}

// recordOf reads the file of a run.
func recordOf(t *testing.T, path string) results.Record {
	t.Helper()
	var r results.Record
	if err := json.Unmarshal([]byte(readText(t, path)), &r); err != nil {
		t.Fatal(err)
	}
	return r
}

func TestReproduce(t *testing.T) {
	inCount(t, 60)
	out, said, err := reproduced(t, t.Context(), countSuite(), nil)
	if err == nil || !strings.Contains(err.Error(), "1 run failed") || !strings.Contains(err.Error(), "count/bad, seed 1: it ended with exit code 2: kd: --clip -1: give a number from 0 up") {
		t.Fatalf("%v\n%s", err, said)
	}
	for _, want := range []string{"kd: away is not here: its experiments are passed over\n", "kd: 5 runs to do, 0 done\n", "count/fixed, seed 1: perplexity "} {
		if !strings.Contains(said, want) {
			t.Errorf("%s\nlacks %q", said, want)
		}
	}
	if !strings.Contains(out, "Table of counting") || !strings.Contains(out, "  away                  –  not here           –\n") {
		t.Error(out)
	}
	full := recordOf(t, "results/count/full-seed1.json")
	if full.Metric != "perplexity" || full.Test <= 1 || full.Valid == nil || len(full.Epochs) != 2 || full.Bits != 32*11*8 || full.Jobs != 2 || full.Backend != "go" ||
		full.Command != "kd train lm --data count --dim 8 --batch 4 --steps-per-batch 5 --init-scale 0.3 --epochs 2 --emb full --seed 1 -o full-seed1.kd --save-embedding full-seed1.bin" {
		t.Errorf("%+v", full)
	}
	var settings map[string]any
	if err := json.Unmarshal(full.Settings, &settings); err != nil || settings["emb"] != "full" || settings["dim"] != 8.0 {
		t.Errorf("%v, %v", settings, err)
	}
	if codes := recordOf(t, "results/count/codes-seed1.json"); codes.Metric != "relative error" || codes.Words == nil {
		t.Errorf("%+v", codes)
	}
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"full", "pdg", "codes", "fixed"} {
		if text := readText(t, "results/count/"+name+"-seed1.json"); strings.Contains(text, dir) || strings.Contains(text, "work/") {
			t.Errorf("%s has paths of this machine", name)
		}
	}
	if log := readText(t, "work/count/bad-seed1.log"); !strings.HasPrefix(log, "kd train lm --data count ") || !strings.HasSuffix(log, "--help\n") {
		t.Error(log)
	}
	if lines := strings.Count(readText(t, "work/count/full-seed1.jsonl"), "\n"); lines != 2 {
		t.Errorf("%d lines of epochs, not 2", lines)
	}
	t.Run("again", reproduceAgain)
	t.Run("json", reproduceJSON)
}

// An experiment may measure what another made of what a third one trained.
func TestReproduceMeasures(t *testing.T) {
	inCount(t, 60)
	suite := countSuite()
	suite.Experiments = append(suite.Experiments[:1],
		results.Experiment{Name: "count/small", Command: "compress {codes:count/full} -K 4 -D 6", Data: "count", Seeds: 1},
		results.Experiment{Name: "count/measured", Command: "eval {codes:count/small} --data {data:count}", Data: "count", Seeds: 1})
	for range 2 { // the second time there is nothing to do
		if _, said, err := reproduced(t, t.Context(), suite, nil); err != nil {
			t.Fatalf("%v\n%s", err, said)
		}
	}
	full, measured := recordOf(t, "results/count/full-seed1.json"), recordOf(t, "results/count/measured-seed1.json")
	if small := recordOf(t, "results/count/small-seed1.json"); full.Parameters != 88 || small.Parameters != 0 || small.TotalSeconds == 0 || measured.TotalSeconds == 0 {
		t.Errorf("%d and %d parameters, %g and %g seconds", full.Parameters, small.Parameters, small.TotalSeconds, measured.TotalSeconds)
	}
	if measured.Metric != "perplexity" || measured.Test < 0.9*full.Test || measured.Bits != storedBits(t, "work/count/small-seed1.kd") || measured.FullBits != full.FullBits ||
		measured.Command != "kd eval small-seed1.kd --data count" {
		t.Errorf("%+v, full %g", measured, full.Test)
	}
	if _, err := os.Stat("work/count/measured-seed1.kd"); err == nil {
		t.Error("measuring made a file")
	}
}

// reproduceAgain: only what has no result is run, and what that needs and is not
// there, whose result stands.
func reproduceAgain(t *testing.T) {
	if err := errors.Join(os.Remove("work/count/full-seed1.bin"), os.Remove("results/count/pdg-seed1.json")); err != nil {
		t.Fatal(err)
	}
	before := readText(t, "results/count/full-seed1.json")
	var began []string
	_, said, err := reproduced(t, t.Context(), countSuite(), func(r *reproduction) {
		r.o.only = []string{"full", "pdg", "codes", "fixed"}
		r.start = func(ctx context.Context, args []string, stdout, stderr io.Writer) error {
			began = append(began, filepath.Base(args[slices.Index(args, "-o")+1]))
			return inProcess(ctx, args, stdout, stderr)
		}
	})
	if err != nil || !slices.Equal(began, []string{"full-seed1.kd", "pdg-seed1.kd"}) {
		t.Errorf("%v, %v\n%s", began, err, said)
	}
	if readText(t, "results/count/full-seed1.json") != before {
		t.Error("a result that was there was replaced")
	}
	if _, err := os.Stat("results/count/pdg-seed1.json"); err != nil {
		t.Error(err)
	}
}

func reproduceJSON(t *testing.T) {
	out, _, err := reproduced(t, t.Context(), countSuite(), func(r *reproduction) { r.o.only, r.o.json = []string{"bad"}, true })
	var got reproduceResult
	if decodeErr := json.Unmarshal([]byte(out), &got); decodeErr != nil || err == nil {
		t.Fatalf("%v, %v: %s", decodeErr, err, out)
	}
	if got.Suite != "count" || len(got.Failed) != 1 || got.Failed[0].Name != "count/bad" || len(got.Tables) != 1 || *got.Tables[0].Lines[0].Cells[0].Paper != 5 ||
		got.Tables[0].Lines[0].Cells[0].Ours == nil || got.Tables[0].Lines[1].Cells[0].Ours != nil {
		t.Errorf("%s", out)
	}
}

// An interrupted run goes on from its checkpoint, to the same result.
func TestReproduceResumes(t *testing.T) {
	inCount(t, 60)
	only := func(r *reproduction) { r.o.only = []string{"full"} }
	if _, _, err := reproduced(t, t.Context(), countSuite(), func(r *reproduction) { only(r); r.o.work = "whole" }); err != nil {
		t.Fatal(err)
	}
	whole := recordOf(t, "results/count/full-seed1.json")
	if err := os.RemoveAll("results"); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	_, said, err := reproduced(t, ctx, countSuite(), func(r *reproduction) {
		only(r)
		r.start = func(ctx context.Context, args []string, stdout, stderr io.Writer) error {
			defer cancel()
			code := run(ctxtest.Countdown(t, 30), args, strings.NewReader(""), stdout, stderr)
			if code != exitInterrupted {
				t.Errorf("the child ended with %d", code)
			}
			cancel()
			return ctx.Err()
		}
	})
	var stop interruption
	if !errors.As(err, &stop) || exitCode(err) != exitInterrupted || strings.Contains(said, "failed") {
		t.Fatalf("%v\n%s", err, said)
	}
	if entries, err := os.ReadDir("results"); err != nil || len(entries) > 0 {
		t.Errorf("an interrupted run has a result: %v, %v", entries, err)
	}
	resumed := false
	if _, _, err := reproduced(t, t.Context(), countSuite(), func(r *reproduction) {
		only(r)
		r.start = func(ctx context.Context, args []string, stdout, stderr io.Writer) error {
			resumed = slices.Contains(args, "--resume")
			return inProcess(ctx, args, stdout, stderr)
		}
	}); err != nil {
		t.Fatal(err)
	}
	if again := recordOf(t, "results/count/full-seed1.json"); !resumed || again.Test != whole.Test || len(again.Epochs) != 2 {
		t.Errorf("resumed %t: %g, in one piece %g", resumed, again.Test, whole.Test)
	}
}

// A run that is done as Ctrl-C comes is done: its checkpoints are gone.
func TestReproduceDoneWhenStopped(t *testing.T) {
	t.Setenv(asKD, "1")
	inCount(t, 60)
	for range 3 {
		if err := errors.Join(os.RemoveAll("work"), os.RemoveAll("results")); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			for ctx.Err() == nil {
				_, saved := os.Stat("work/count/full-seed1.bin")
				_, checkpoints := os.Stat("work/count/full-seed1.kd.checkpoints/settings.json")
				if saved == nil && checkpoints != nil {
					cancel()
				}
			}
		}()
		_, said, _ := reproduced(t, ctx, countSuite(), func(r *reproduction) { r.o.only, r.start = []string{"full"}, startChild })
		cancel()
		_, record := os.Stat("results/count/full-seed1.json")
		_, printed := os.Stat("work/count/full-seed1.result") // which the record will be made of
		_, checkpoints := os.Stat("work/count/full-seed1.kd.checkpoints")
		if record != nil && printed != nil && checkpoints != nil {
			t.Fatalf("neither a result nor checkpoints are left\n%s", said)
		}
	}
}

// A run that fails when all that counts is there is not done again.
func TestReproduceFailedAtTheEnd(t *testing.T) {
	inCount(t, 60)
	begun := 0
	once := func(r *reproduction) {
		r.o.only = []string{"full"}
		r.start = func(ctx context.Context, args []string, stdout, stderr io.Writer) error {
			begun++
			fmt.Fprintln(stderr, "kd: drawing failed")
			return errors.Join(inProcess(ctx, args, stdout, stderr), exitError(exitFailed))
		}
	}
	if _, _, err := reproduced(t, t.Context(), countSuite(), once); err == nil || !strings.Contains(err.Error(), "drawing failed") {
		t.Errorf("got %v", err)
	}
	if _, said, err := reproduced(t, t.Context(), countSuite(), once); err != nil || begun != 1 {
		t.Errorf("begun %d times, %v\n%s", begun, err, said)
	}
	if recordOf(t, "results/count/full-seed1.json").Metric != results.Perplexity {
		t.Error("there is no result")
	}
}

// A quick run is of few lines, and of files of its own.
func TestReproduceQuick(t *testing.T) {
	inCount(t, 60)
	if err := os.Mkdir("away", 0o755); err != nil { // here, but not asked for
		t.Fatal(err)
	}
	out, said, err := reproduced(t, t.Context(), countSuite(), func(r *reproduction) { r.o.quick, r.o.only = true, []string{"full", "fixed"} })
	if strings.Contains(out, "not here") {
		t.Errorf("data that was not cut is called missing:\n%s", out)
	}
	if err != nil || !strings.Contains(said, "kd: no quick run: count/fixed\nkd: 1 run to do") || !strings.HasPrefix(out, "Quick runs, ") {
		t.Fatalf("%v\n%s%s", err, said, out)
	}
	r := recordOf(t, "results/quick/count/full-seed1.json")
	if !r.Quick || len(r.Epochs) != 1 {
		t.Errorf("%+v", r)
	}
	if text := readText(t, "work/quick/data/count/c.train.txt"); strings.Count(text, "\n") != 40 || !strings.HasPrefix(text, " w0 w1 ") {
		t.Error(text)
	}
	if text := readText(t, "work/quick/data/count/c.valid.txt"); text != readText(t, "count/c.valid.txt") {
		t.Error("fewer lines than are to be kept were cut")
	}
	if _, err := os.Stat("results/count"); err == nil {
		t.Error("a quick run lies among the others")
	}
	if _, _, err := reproduced(t, t.Context(), countSuite(), func(r *reproduction) { r.o.quick, r.o.only = true, []string{"fixed"} }); err == nil || exitCode(err) != exitUsage || !strings.Contains(err.Error(), "none of these experiments has a quick run") {
		t.Errorf("nothing to run: %v", err)
	}
}

// Two of them in one folder do each run once, and wait for one another.
func TestReproduceTwice(t *testing.T) {
	needLocks(t)
	inCount(t, 60)
	suite := countSuite()
	suite.Experiments = suite.Experiments[:2]
	var started atomic.Int64
	both := make(chan string, 2)
	slow := func(ctx context.Context, args []string, stdout, stderr io.Writer) error {
		started.Add(1)
		time.Sleep(50 * time.Millisecond) // for the other to come by
		return inProcess(ctx, args, stdout, stderr)
	}
	for range 2 {
		go func() {
			_, said, err := reproduced(t, t.Context(), suite, func(r *reproduction) { r.start = slow })
			both <- fmt.Sprint(said, err)
		}()
	}
	said := <-both + <-both
	if n := started.Load(); n != 2 || strings.Count(said, "<nil>") != 2 {
		t.Errorf("%d runs were started: %s", n, said)
	}
}

// That results cannot be written is found out before anything is run.
func TestReproduceUnwritable(t *testing.T) {
	inCount(t, 60)
	if err := os.Symlink("missing/folder", "results"); err != nil {
		t.Skip(err)
	}
	_, _, err := reproduced(t, t.Context(), countSuite(), func(r *reproduction) {
		r.start = func(context.Context, []string, io.Writer, io.Writer) error {
			t.Error("a run is started")
			return nil
		}
	})
	if err == nil || !strings.Contains(err.Error(), "results") {
		t.Errorf("got %v", err)
	}
}

// A record that cannot be written, as on a full disk, is written the next time,
// and nothing is run again. So it is with a run whose kd was killed.
func TestReproduceUnrecorded(t *testing.T) {
	inCount(t, 60)
	started := 0
	again := func(r *reproduction) {
		r.o.only, r.o.jobs = []string{"full"}, 8
		r.start = func(ctx context.Context, args []string, stdout, stderr io.Writer) error {
			started++
			if started == 1 {
				if err := os.Symlink("missing/folder", "results/count"); err != nil {
					t.Error(err)
				}
			}
			return inProcess(ctx, args, stdout, stderr)
		}
	}
	_, _, err := reproduced(t, t.Context(), countSuite(), again)
	printed := filepath.Join("work", "count", "full-seed1.result")
	if err == nil || !strings.Contains(err.Error(), "what the run printed is kept in "+printed) {
		t.Errorf("%v", err)
	}
	if err := os.Remove("results/count"); err != nil {
		t.Fatal(err)
	}
	if _, _, err := reproduced(t, t.Context(), countSuite(), again); err != nil || started != 1 {
		t.Fatalf("%d runs were started, %v", started, err)
	}
	if r := recordOf(t, "results/count/full-seed1.json"); r.Jobs != 1 || len(r.Epochs) != 2 {
		t.Errorf("%d side by side, %d epochs", r.Jobs, len(r.Epochs))
	}
	if entries, err := os.ReadDir("results/count"); err != nil || len(entries) != 1 {
		t.Errorf("left behind: %v, %v", entries, err)
	}
	// A record that is removed is made again, and so is one of another command.
	if err := os.RemoveAll("results"); err != nil {
		t.Fatal(err)
	}
	if _, _, err := reproduced(t, t.Context(), countSuite(), again); err != nil || started != 2 {
		t.Fatalf("%d runs were started, %v", started, err)
	}
	other := countSuite()
	other.Experiments[0].Command += " --rate 0.5"
	text := readText(t, "results/count/full-seed1.json")
	for _, half := range []string{"", text[:9], text} {
		writeText(t, printed, half)
		if err := os.RemoveAll("results"); err != nil {
			t.Fatal(err)
		}
		before := started
		if _, _, err := reproduced(t, t.Context(), other, again); err != nil || started != before+1 {
			t.Fatalf("%d runs were started, %v", started-before, err)
		}
	}
}

// Words that share codes are looked for in the vectors' own words.
func TestReproduceGlove(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.Mkdir("glove", 0o755); err != nil {
		t.Fatal(err)
	}
	table := writeBlobs(t, "glove/blobs.txt", 120, 6)
	days := []string{"tuesday", "wednesday", "monday", "thursday", "friday"}
	for i, day := range days {
		table.Symbols[7*i] = day // all of one blob
	}
	writeTable(t, "glove/glove.10k.100d.txt", &vectors.Table{Symbols: table.Symbols, Dim: table.Dim, Data: table.Data})
	out, said, err := reproduced(t, t.Context(), results.Glove, nil)
	if err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	for _, name := range []string{"auto-encoder", "quantize"} {
		r := recordOf(t, "results/glove/"+name+"-seed1.json")
		if r.Test <= 0 || r.Test >= 0.3 || r.Words.DistinctCodes < 5 || len(r.Words.Paper) != 4 || r.Words.Paper[0].Code != "" {
			t.Errorf("%s: %+v", name, r)
		}
		if group := r.Words.Paper[1].Words; !slices.ContainsFunc(days, func(day string) bool { return slices.Contains(group, day) }) {
			t.Errorf("%s: %v", name, group)
		}
	}
	if !strings.Contains(out, "Table 7: words that share a code") || !strings.Contains(out, "paper                 3-1-0-4  week tuesday") {
		t.Error(out)
	}
}

func TestReproduceVerbs(t *testing.T) {
	t.Chdir(t.TempDir())
	list := kd(t, "", "reproduce", "lm", "--list", "--only", "small/full,*/dpq")
	list.quiet(t)
	if lines := strings.Split(list.stdout, "\n"); len(lines) != 5 || !strings.HasPrefix(lines[0], "lm/small/full                 0 of  3  kd train lm --data ptb --size small --emb full --seed 1 -o full-seed1.kd --save-embedding full-seed1.bin") {
		t.Error(list.stdout)
	}
	var listed reproduceList
	list = kd(t, "", "reproduce", "glove", "--list", "--json")
	list.quiet(t)
	if list.object(t, &listed); len(listed.Experiments) != 2 || listed.Experiments[1].Name != "glove/quantize" || listed.Experiments[1].Seeds != 1 || listed.Experiments[1].Done != 0 {
		t.Errorf("%+v", listed)
	}
	tables := kd(t, "", "reproduce", "graph", "--tables")
	tables.quiet(t)
	if !strings.Contains(tables.stdout, "Citeseer, KD") || strings.Contains(tables.stdout, "not here") {
		t.Error(tables.stdout)
	}
	for args, want := range map[string]string{
		"lm --only nothing":        `no experiment is called "nothing"`,
		"lm --jobs 0":              "--jobs 0",
		"lm --seeds 1000":          "--seeds 1000",
		"lm --seeds 0":             "--seeds 0: give a number from 1 to",
		"lm --list --tables":       "give one of them",
		"lm --tables --only small": "--tables prints them all",
		"page":                     "-o PAGE.md is missing",
		"page -o results":          "-o results: give a name that ends in .md",
		"chess":                    `no verb "chess"`,
	} {
		kd(t, "", append([]string{"reproduce"}, strings.Fields(args)...)...).want(t, exitUsage, want)
	}
	kd(t, "", "reproduce", "lm", "--list", "--only", "").want(t, exitUsage, "--only has no name")
	kd(t, "", "reproduce", "page", "-o", "page.md").want(t, exitData, "results: no such file or directory; name the folder of the results with --results")
	if all := files(t); len(all) > 0 {
		t.Errorf("left behind: %v", all)
	}
	r := kd(t, "", "reproduce", "lm", "--data", "none")
	if r.code != exitData || !strings.Contains(r.stderr, "kd: none has no data for these experiments: name the folder with --data\n") {
		t.Errorf("%d, %s", r.code, r.stderr)
	}
	if err := os.MkdirAll("results/lm/small", 0o777); err != nil {
		t.Fatal(err)
	}
	writeText(t, "results/lm/small/full-seed1.json", "{")
	kd(t, "", "reproduce", "lm", "--tables").want(t, exitData, "full-seed1.json: not a whole result: unexpected EOF; remove it")
}

func TestReproducePage(t *testing.T) {
	t.Chdir(t.TempDir())
	store := results.Store{Dir: "results"}
	for i, name := range []string{"none", "mean-k32-d8-w300", "mean-k32-d64-w300", "mean-k2-d8-w300", "mean-k32-d32-w25", "lstm-k8-d8-w300"} {
		valid := 110.0
		if err := store.Write(&results.Record{Name: "lm/small/" + name, Seed: 1, Metric: results.Perplexity, Test: 108 + float64(i), Valid: &valid, Bits: 13_388_800, FullBits: 64_000_000}); err != nil {
			t.Fatal(err)
		}
	}
	r := kd(t, "", "reproduce", "page", "-o", "page.md")
	r.quiet(t)
	if !strings.HasSuffix(r.stdout, " tables, 2 pictures\n") {
		t.Error(r.stdout)
	}
	if r := kd(t, "", "reproduce", "page", "-o", "again.md", "--json"); !strings.Contains(r.stdout, `"pictures":2`) {
		t.Error(r.stdout)
	}
	text := readText(t, "page.md")
	for _, want := range []string{"| small, KD, no guidance | 108.50 | 108.00 | −0.50 |\n", "![K and D, linear composition](page/kd-linear.png)\n", "LSTM of width 500 over the D code embeddings.\n\nNot run yet.\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if entries, err := os.ReadDir("page"); err != nil || len(entries) != 2 {
		t.Errorf("%v, %v", entries, err)
	}
	f, err := os.Open("page/kd-linear.png")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if c, err := png.DecodeConfig(f); err != nil || c.Width < 800 {
		t.Errorf("%+v, %v", c, err)
	}
}

// A child is this program; it is asked to end as by Ctrl-C, and waited for.
func TestChild(t *testing.T) {
	t.Setenv(asKD, "1")
	inCount(t, 400)
	var out, said bytes.Buffer
	if err := startChild(t.Context(), []string{"--version"}, &out, &said); err != nil || !strings.HasPrefix(out.String(), "kd ") {
		t.Fatalf("%v, %s%s", err, out.String(), said.String())
	}
	var exit exitError
	if err := startChild(t.Context(), []string{"chess"}, &out, &said); !errors.As(err, &exit) || exit != exitUsage || !strings.Contains(said.String(), `no verb "chess"`) {
		t.Errorf("%v, %s", err, said.String())
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	go func() { // as soon as it trains
		for ctx.Err() == nil {
			if text, err := os.ReadFile("m.jsonl"); err == nil && len(text) > 0 {
				cancel()
			}
			time.Sleep(10 * time.Millisecond)
		}
	}()
	err := startChild(ctx, append(slices.Clone(smallLM), strings.Fields("--emb full --epochs 100000 -o m.kd --metrics m.jsonl")...), &out, &said)
	if !errors.Is(err, context.Canceled) || !strings.Contains(said.String(), "kd: interrupted; what was learned is kept") {
		t.Errorf("%v, %s", err, said.String())
	}
	if _, err := os.Stat("m.kd.checkpoints/last"); err != nil {
		t.Error(fmt.Errorf("no checkpoint is left: %w", err))
	}
}
