package main

import (
	"strings"
	"testing"
)

func TestBenchSearch(t *testing.T) {
	t.Chdir(t.TempDir())
	writeBlobs(t, "blobs.txt", 600, 8)
	kd(t, "", "compress", "blobs.txt", "-o", "blobs.kd", "-K", "8", "-D", "4", "--effort", "fast").want(t, exitDone)
	for _, metric := range []string{"cosine", "inner", "euclidean"} {
		r := kd(t, "", "bench", "search", "blobs.kd", "--original", "blobs.txt", "--queries", "20", "-k", "5", "--rounds", "1", "--metric", metric, "--json")
		r.quiet(t)
		var got benchSearchResult
		r.object(t, &got)
		if got.N != 600 || got.Ways != 8 || got.CodeLength != 4 || got.Limit != 5 || got.Queries != 20 || got.Threads != 1 || got.Metric != metric {
			t.Errorf("%+v", got)
		}
		if got.Recall != 1 {
			t.Errorf("%s: recall %v", metric, got.Recall)
		}
		if got.OriginalRecall == nil || *got.OriginalRecall < 0.05 || *got.OriginalRecall > 1 {
			t.Errorf("%s: recall of the original %v", metric, got.OriginalRecall)
		}
		if got.QueriesPerSecond <= 0 || got.BatchQueriesPerSecond <= 0 || got.FastestPerSecond < got.QueriesPerSecond || got.BatchFastestPerSecond < got.BatchQueriesPerSecond || got.Batch != 32 || got.ExactQueriesPerSecond <= 0 || got.OpenMS <= 0 || got.IndexBytes < 600*4 {
			t.Errorf("%+v", got)
		}
	}
	r := kd(t, "", "bench", "search", "blobs.kd", "--queries", "3", "--threads", "0")
	r.quiet(t)
	for _, want := range []string{"blobs.kd: N = 600, K = 8, D = 4, d = 8, sum", "\n3 queries, the 10 nearest by cosine, on ", "\nmaking the index ", "\none at a time ", "\nin batches of ", "\nrecall@10                1.0000 of composing all"} {
		if !strings.Contains(r.stdout, want) {
			t.Errorf("%q does not say %q", r.stdout, want)
		}
	}
}

func TestBenchSearchErrors(t *testing.T) {
	inFolder(t)
	writeText(t, "other.txt", "a 1 2\nb 3 4\n")
	for _, test := range []struct {
		args string
		code int
		want string
	}{
		{"", exitUsage, "FILE is missing"},
		{"t.kd -k 0", exitUsage, "-k 0"},
		{"t.kd --queries 0", exitUsage, "--queries 0"},
		{"t.kd --rounds 0", exitUsage, "--rounds 0"},
		{"t.kd --threads -1", exitUsage, "--threads -1"},
		{"t.kd --metric x", exitUsage, "cosine, inner, euclidean"},
		{"t.kd --dim 3", exitUsage, "for the table of --original"},
		{"t.kd --original other.txt", exitData, "other.txt: 2 vectors of width 2, but t.kd has 9 of width 4"},
		{"t.kd --original none.txt", exitFailed, "none.txt"},
	} {
		t.Run(test.args, func(t *testing.T) {
			kd(t, "", append([]string{"bench", "search"}, strings.Fields(test.args)...)...).want(t, test.code, test.want)
		})
	}
	if code := run(interrupted(t), []string{"bench", "search", "t.kd"}, strings.NewReader(""), &strings.Builder{}, &strings.Builder{}); code != exitInterrupted {
		t.Errorf("exit code %d", code)
	}
}
