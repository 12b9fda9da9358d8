package main

import (
	"strings"
	"testing"
)

func TestCompletion(t *testing.T) {
	inFolder(t)
	for _, test := range []struct {
		args string
		want []string
	}{
		{"inf", []string{"info\t"}},
		{"lookup t.kd ca", []string{"cat\n", "cats\n", ":4"}},
		{"lookup missing.kd ca", []string{":4"}},
		{"lookup t", []string{"kd\n", "safetensors\n", ":8"}},
		{"convert t.kd out --to wo", []string{"word2vec\n", "word2vec-binary\n", ":4"}},
		{"convert t.kd o", []string{":0"}},
		{"convert t.kd out x", []string{":4"}},
		{"bench lookup --compose a", []string{"affine\n"}},
		{"compress in.txt --effort b", []string{"best\n"}},
		{"similar t.kd cat --metric e", []string{"euclidean\n"}},
		{"completion b", []string{"bash\t"}},
	} {
		r := kd(t, "", append([]string{"__complete"}, strings.Fields(test.args)...)...)
		r.want(t, exitDone)
		for _, want := range test.want {
			if !strings.Contains(r.stdout, want) {
				t.Errorf("%s: %q does not offer %q", test.args, r.stdout, want)
			}
		}
	}
	for _, shell := range []string{"bash", "zsh", "fish", "powershell"} {
		r := kd(t, "", "completion", shell)
		r.quiet(t)
		if len(r.stdout) < 1000 {
			t.Errorf("%s: %q", shell, r.stdout)
		}
	}
}
