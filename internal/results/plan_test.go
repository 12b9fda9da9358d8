package results

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
)

// tiny is a suite of a teacher, two that need it, and one that needs one of these.
var tiny = &Suite{Name: "tiny", Experiments: []Experiment{
	{Name: "tiny/alone", Command: "train x", Seeds: 1},
	{Name: "tiny/full", Command: "train x --emb full", Seeds: 2},
	{Name: "tiny/pdg", Command: "train x --guide-from {embedding:tiny/full}", Seeds: 2},
	{Name: "tiny/codes", Command: "train codes --vectors {embedding:tiny/full}", Seeds: 1},
	{Name: "tiny/fixed", Command: "train x --codes-from {codes:tiny/codes}", Seeds: 1},
}}

// nothing is there, and everything.
func nothing(string, string, int) bool    { return false }
func everything(string, string, int) bool { return true }

func planOf(t *testing.T, store Store, exists func(string, string, int) bool, seeds int, only ...string) *Plan {
	t.Helper()
	experiments, err := tiny.Select(only)
	if err != nil {
		t.Fatal(err)
	}
	p, err := tiny.NewPlan(experiments, seeds, store, exists)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func names(runs []*Run) string {
	var all []string
	for _, r := range runs {
		name := strings.TrimPrefix(r.Experiment.Name, "tiny/") + fmt.Sprint(r.Seed)
		if r.Again {
			name += "!"
		}
		all = append(all, name)
	}
	return strings.Join(all, " ")
}

func TestPlan(t *testing.T) {
	for _, c := range []struct {
		name   string
		done   []string // with seed 1
		exists func(string, string, int) bool
		seeds  int
		only   []string
		want   string
	}{
		{"all", nil, nothing, 0, nil, "alone1 full1 full2 pdg1 pdg2 codes1 fixed1"},
		{"what is needed comes first", nil, nothing, 1, []string{"fixed"}, "full1 codes1 fixed1"},
		{"of other seeds, too", nil, nothing, 0, []string{"pdg"}, "full1 pdg1 full2 pdg2"},
		{"what is done is not done again", []string{"alone", "full"}, everything, 1, nil, "pdg1 codes1 fixed1"},
		{"unless a file is missing", []string{"full"}, nothing, 1, []string{"pdg", "alone"}, "alone1 full1! pdg1"},
		{"that nobody needs is not", []string{"full", "pdg", "codes", "fixed"}, nothing, 1, nil, "alone1"},
		{"a chain of missing files", []string{"full", "codes"}, nothing, 1, []string{"fixed"}, "full1! codes1! fixed1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			store := Store{Dir: t.TempDir()}
			for _, name := range c.done {
				write(t, store, &Record{Name: "tiny/" + name, Seed: 1})
			}
			if got := names(planOf(t, store, c.exists, c.seeds, c.only...).Runs); got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
}

func write(t *testing.T, s Store, r *Record) {
	t.Helper()
	if err := s.Write(r); err != nil {
		t.Fatal(err)
	}
}

// A run that another process is at is put off, with those that need it, until
// there is nothing else to do.
func TestExecuteBusy(t *testing.T) {
	p := planOf(t, Store{Dir: t.TempDir()}, nothing, 1)
	var order []string
	err := p.Execute(t.Context(), 1, func(_ context.Context, r *Run) error {
		order = append(order, fmt.Sprintf("%s %t", r.Experiment.Name, r.Wait))
		if r.Experiment.Name == "tiny/alone" && !r.Wait || r.Experiment.Name == "tiny/codes" && !r.Wait {
			return fmt.Errorf("now: %w", ErrBusy)
		}
		return nil
	})
	want := "tiny/alone false, tiny/full false, tiny/pdg false, tiny/codes false, tiny/alone true, tiny/codes true, tiny/fixed false"
	if got := strings.Join(order, ", "); err != nil || got != want || len(p.Failed()) > 0 {
		t.Errorf("%v, %s, want %s", err, got, want)
	}
}

// Runs wait for what they need, and a failed one fails those that need it alone.
func TestExecute(t *testing.T) {
	for _, jobs := range []int{1, 2, 8} {
		p := planOf(t, Store{Dir: t.TempDir()}, nothing, 0)
		var mu sync.Mutex
		ended := map[string]bool{}
		under, most := 0, 0
		err := p.Execute(t.Context(), jobs, func(_ context.Context, r *Run) error {
			mu.Lock()
			under++
			most = max(most, under)
			for _, need := range r.needs {
				if !ended[need.String()] {
					t.Errorf("%s begins before %s ended", r, need)
				}
			}
			mu.Unlock()
			mu.Lock()
			defer mu.Unlock()
			under--
			ended[r.String()] = true
			if r.Experiment.Name == "tiny/full" && r.Seed == 1 {
				return errors.New("bad luck")
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if got := names(p.Failed()); got != "full1 pdg1 codes1 fixed1" {
			t.Errorf("failed: %s", got)
		}
		if len(ended) != 4 || most > jobs {
			t.Errorf("%d runs, up to %d of %d side by side", len(ended), most, jobs)
		}
		for i, want := range []string{"bad luck", "it needs tiny/full, seed 1, which failed", "it needs tiny/full, seed 1, which failed", "it needs tiny/codes, seed 1, which failed"} {
			if got := p.Failed()[i].Err().Error(); got != want {
				t.Errorf("%q, want %q", got, want)
			}
		}
	}
}

// With one job the order is that of the plan.
func TestExecuteInOrder(t *testing.T) {
	p := planOf(t, Store{Dir: t.TempDir()}, nothing, 0)
	var order []*Run
	if err := p.Execute(t.Context(), 1, func(_ context.Context, r *Run) error { order = append(order, r); return nil }); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(order, p.Runs) || len(p.Failed()) > 0 {
		t.Errorf("%s, planned %s", names(order), names(p.Runs))
	}
}

// When the context ends nothing new begins, and what was interrupted has not
// failed.
func TestExecuteInterrupted(t *testing.T) {
	p := planOf(t, Store{Dir: t.TempDir()}, nothing, 0)
	ctx, cancel := context.WithCancel(t.Context())
	var begun []*Run
	err := p.Execute(ctx, 1, func(ctx context.Context, r *Run) error {
		if begun = append(begun, r); len(begun) == 2 {
			cancel()
			return fmt.Errorf("kept: %w", ctx.Err())
		}
		return nil
	})
	if !errors.Is(err, context.Canceled) || len(begun) != 2 || len(p.Failed()) > 0 {
		t.Errorf("%v after %s; failed %s", err, names(begun), names(p.Failed()))
	}
}

func TestUnknownNeed(t *testing.T) {
	s := &Suite{Name: "s", Experiments: []Experiment{{Name: "s/a", Command: "train {codes:s/b}", Seeds: 1}}}
	if _, err := s.NewPlan([]*Experiment{&s.Experiments[0]}, 0, Store{Dir: t.TempDir()}, nothing); err == nil || !strings.Contains(err.Error(), "s/b, which is no experiment") {
		t.Error(err)
	}
}
