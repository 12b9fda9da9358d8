package main

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/kdcode/kdcode/quantize"
	"github.com/kdcode/kdcode/vectors"
)

func TestSample(t *testing.T) {
	table, err := sample()
	if err != nil {
		t.Fatal(err)
	}
	if table.Len() != 10_000 || len(table.Symbols) != 10_000 || table.Dim != 100 || table.Symbols[0] != "the" {
		t.Errorf("%d vectors of width %d, %d words", table.Len(), table.Dim, len(table.Symbols))
	}
	for _, word := range demoWords {
		if !slices.Contains(table.Symbols, word) {
			t.Errorf("%s is not in the sample", word)
		}
	}
}

func TestDemo(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	t.Chdir(t.TempDir())
	r := kd(t, "", "demo", "--effort", "fast", "--keep", "glove.kd", "--json")
	r.quiet(t)
	var got demoResult
	r.object(t, &got)
	if got.N != 10_000 || got.Ways != 32 || got.CodeLength != 32 || got.RelativeError > 0.12 || got.Ratio < 12 {
		t.Errorf("%+v", got.compressResult)
	}
	kept := 0
	for _, n := range got.Neighbours {
		if len(n.Before) != demoNearest || len(n.After) != demoNearest {
			t.Errorf("%+v", n)
		}
		for _, word := range n.After {
			if slices.Contains(n.Before, word) {
				kept++
			}
		}
	}
	if len(got.Neighbours) != len(demoWords) || kept < 2*len(demoWords) {
		t.Errorf("%d neighbours kept: %+v", kept, got.Neighbours)
	}
	if len(got.Groups) != demoGroups || !slices.IsSortedFunc(got.Groups, func(a, b demoGroup) int { return strings.Compare(a.Code, b.Code) }) {
		t.Errorf("%+v", got.Groups)
	}
	kd(t, "", "similar", "glove.kd", "cat").quiet(t)
	kd(t, "", "check", "glove.kd").quiet(t)
	if all := files(t); len(all) != 1 {
		t.Errorf("left behind: %v", all)
	}
}

func TestDemoText(t *testing.T) {
	r := demoResult{
		compressResult: compressResult{
			File: "glove.kd", N: 10_000, Dim: 100, Ways: 32, CodeLength: 32, Ratio: 6.56, Seconds: 4.2,
			Fidelity: quantize.Fidelity{RelativeError: 0.067, MeanCosine: 0.965}, Bits: infoBits{Codes: 1_600_000, Parameters: 3_276_800},
		},
		Neighbours: []demoNeighbours{
			{"paris", []string{"france", "london"}, []string{"london", "rome"}},
			{"king", []string{"prince", "queen", "son"}, []string{"queen", "prince", "brother"}},
		},
		Groups: []demoGroup{{Code: "3-1-0-4", Words: []string{"week", "tuesday"}}, {Code: "3-1-1-1", Words: strings.Fields("a b c d e f g h i j k l m")}},
	}
	var b bytes.Buffer
	r.print(&b)
	golden(t, "demo", b.String())
}

func TestDemoErrors(t *testing.T) {
	t.Chdir(t.TempDir())
	kd(t, "", "demo", "words.txt").want(t, exitUsage, "one argument too many")
	kd(t, "", "demo", "--effort", "lazy").want(t, exitUsage, "fast, normal, best")
	kd(t, "", "demo", "--keep", "missing/glove.kd").want(t, exitFailed, "missing")
	var stdout, stderr bytes.Buffer
	if code := run(interrupted(t), []string{"demo", "--keep", "glove.kd"}, strings.NewReader(""), &stdout, &stderr); code != exitInterrupted || stderr.String() != "kd: interrupted\n" {
		t.Errorf("exit code %d, stderr %q", code, stderr.String())
	}
	if all := files(t); len(all) != 0 {
		t.Errorf("left behind: %v", all)
	}
}

func TestLikeness(t *testing.T) {
	table := &vectors.Table{Dim: 2, Data: []float32{1, 0, 2, 0, 0, 3, -1, 0, 0, 0}}
	for _, test := range []struct {
		ids  []int
		want float64
	}{{[]int{0, 1}, 1}, {[]int{0, 2}, 0}, {[]int{0, 3}, -1}, {[]int{0, 1, 2}, 1. / 3}, {[]int{0, 4}, 0}, {nil, 0}} {
		if got := likeness(table, test.ids); got < test.want-1e-6 || got > test.want+1e-6 {
			t.Errorf("%v: %g instead of %g", test.ids, got, test.want)
		}
	}
}
