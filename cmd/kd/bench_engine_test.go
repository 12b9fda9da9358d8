package main

import (
	"strings"
	"testing"
)

func TestBenchEngine(t *testing.T) {
	few := strings.Fields("bench engine --elements 5000 --seconds 0.001 --only")
	r := kd(t, "", append(few, "^(exp|transpose|gather|random|product 20×200)")...)
	r.quiet(t)
	for _, want := range []string{"backend simd; kernels: ", "a plain copy of 5,000 floats: ", "\nexp ", "\ntranspose ", "\ngather ", "\nrandom numbers ", "\nproduct ", " GFLOP/s ", " GB/s ", " ratio\n"} {
		if !strings.Contains(r.stdout, want) {
			t.Errorf("no %q in:\n%s", want, r.stdout)
		}
	}

	r = kd(t, "", append(few, "chain|axis|scatter|one-hot", "--json")...)
	r.quiet(t)
	var got benchEngineResult
	r.object(t, &got)
	if got.Backend != "simd" || got.Beside != "go" || got.Elements != 5000 || got.Threads < 1 || !(got.CopyNS > 0) || len(got.Operations) != 8 {
		t.Fatalf("%+v", got)
	}
	for _, m := range got.Operations {
		if m.Name == "" || m.Shape == "" || m.Unit != gigabytes || m.Ratio != m.Beside.NS/m.Engine.NS {
			t.Errorf("%+v", m)
		}
		for _, b := range []benchEngineTiming{m.Engine, m.Beside} {
			if b.Runs < fewestRuns || !(b.MinNS > 0 && b.MinNS <= b.NS && b.Rate > 0) {
				t.Errorf("%s: %+v", m.Name, b)
			}
		}
	}
}

// TestBenchEngineAlone measures one backend, and the steps of a language model.
func TestBenchEngineAlone(t *testing.T) {
	if testing.Short() {
		t.Skip("trains a language model")
	}
	r := kd(t, "", strings.Fields("bench engine --elements 5000 --seconds 0.001 --only lm --lm small --lm-words 50 --beside= --json")...)
	r.quiet(t)
	var got benchEngineResult
	r.object(t, &got)
	if len(got.Operations) != 2 || got.Beside != "" {
		t.Fatalf("%+v", got)
	}
	for i, name := range []string{"lm step, small, full", "lm step, small, KD"} {
		if m := got.Operations[i]; m.Name != name || m.Engine.Runs < fewestRuns || !(m.Engine.NS > 0) || m.Beside.Runs != 0 || m.Ratio != 0 || m.Unit != "" {
			t.Errorf("%+v", m)
		}
	}
}

func TestBenchEngineUsage(t *testing.T) {
	for args, want := range map[string]string{
		"--elements 0":      "--elements 0",
		"--seconds 0":       "--seconds 0",
		"--seconds nan":     "--seconds NaN",
		"--lm tiny":         "--lm tiny: use some of small, medium, large",
		"--lm-words 1":      "--lm-words 1",
		"--only (":          "--only (: ",
		"--only warp":       "--only warp: no operation",
		"--backend warp":    "there is no backend warp",
		"--beside warp":     "there is no backend warp",
		"--elements 1 file": "file",
	} {
		kd(t, "", strings.Fields("bench engine "+args)...).want(t, exitUsage, want)
	}
}
