package main

import (
	"os"
	"strings"
	"testing"
)

// asKD makes the test binary kd itself, for the verb that starts kd.
const asKD = "KD_TEST_AS_KD"

func TestMain(m *testing.M) {
	if os.Getenv(asKD) != "" {
		main()
		return
	}
	os.Exit(m.Run())
}

func TestBenchLearn(t *testing.T) {
	shape := strings.Fields("bench learn -K 4 -D 3 --dim 8 --batch-tokens 64 --steps 3 --backend go")
	r := kd(t, "", append(shape, "-N", "50")...)
	r.quiet(t)
	if !strings.HasPrefix(r.stdout, "a training step: K = 4, D = 3, d = 8, 64 symbols a batch, 3 steps; backend go\n") {
		t.Errorf("%s", r.stdout)
	}
	t.Setenv(asKD, "1")
	r = kd(t, "", append(shape, "-N", "50,5000", "--json")...)
	r.quiet(t)
	var got benchLearnResult
	r.object(t, &got)
	if len(got.Sizes) != 2 || got.Backend != "go" || got.Ways != 4 || got.CodeLength != 3 || got.Dim != 8 || got.BatchTokens != 64 || got.Steps != 3 {
		t.Fatalf("%+v", got)
	}
	for i, m := range got.Sizes {
		if m.N != []int{50, 5000}[i] || !(m.StepMS > 0 && m.StepMinMS > 0 && m.StepMinMS <= m.StepMS && m.FirstSeconds > 0 && m.Distinct > 10) {
			t.Errorf("%+v", m)
		}
		if m.Ratio != m.StepMS/got.Sizes[0].StepMS {
			t.Errorf("%+v", m)
		}
	}
	r = kd(t, "", append(shape, "-N", "50,5000", "--dim", "8", "--backend", "warp")...)
	r.want(t, exitFailed, "measuring N = 50", "no backend warp")
}
