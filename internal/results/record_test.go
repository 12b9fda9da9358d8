package results

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

func TestRecord(t *testing.T) {
	valid := 3.5
	r := &Record{
		Name: "lm/small/full", Seed: 2, Command: "kd train", KD: "v1", Backend: "go", Settings: []byte(`{"a":1}`), Metric: Perplexity, Test: 4.25, Valid: &valid,
		Parameters: 5, Bits: 160, FullBits: 640, Ratio: 4, Seconds: 6, SecondsPerEpoch: 3, TotalSeconds: 7, Jobs: 1,
		Epochs: []Epoch{{1, 5.5, &valid, 3}}, Words: &Words{MeanCosine: 0.5, Paper: []Group{{"1-2", []string{"a", "b"}}}},
	}
	s := Store{Dir: t.TempDir()}
	if got, err := s.Read(r.Name, 2); got != nil || err != nil {
		t.Errorf("of an empty folder: %v, %v", got, err)
	}
	write(t, s, r)
	got, err := s.Read(r.Name, 2)
	if err != nil {
		t.Fatal(err)
	}
	got.Settings = []byte(strings.Join(strings.Fields(string(got.Settings)), "")) // which the file indents
	if !reflect.DeepEqual(got, r) || r.Format != Format {
		t.Errorf("%+v\nwritten %+v", got, r)
	}
	if all, err := s.All(r.Name); len(all) != 1 || err != nil {
		t.Errorf("%v, %v", all, err)
	}
	if _, err := os.Stat(filepath.Join(s.Dir, "lm", "small", "full-seed2.json")); err != nil {
		t.Error(err)
	}
	entries, err := os.ReadDir(filepath.Dir(s.Path(r.Name, 2)))
	if len(entries) != 1 || err != nil {
		t.Errorf("left behind: %v, %v", entries, err)
	}
}

// Quick runs lie apart, and are never taken for others.
func TestQuickApart(t *testing.T) {
	dir := t.TempDir()
	quick, real := Store{Dir: dir, Quick: true}, Store{Dir: dir}
	write(t, quick, &Record{Name: "a/b", Seed: 1, Test: 1})
	if got, err := real.Read("a/b", 1); got != nil || err != nil {
		t.Errorf("%v, %v", got, err)
	}
	text, err := os.ReadFile(quick.Path("a/b", 1))
	if err != nil || !strings.Contains(string(text), `"quick": true`) {
		t.Errorf("%s, %v", text, err)
	}
	if err := os.MkdirAll(filepath.Dir(real.Path("a/b", 1)), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(real.Path("a/b", 1), text, 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := real.Read("a/b", 1); err == nil || !strings.Contains(err.Error(), "quick true") {
		t.Errorf("a quick run is taken for another: %v", err)
	}
}

func TestBadRecords(t *testing.T) {
	for want, text := range map[string]string{
		"unexpected EOF":    `{"format": 1`,
		"unknown field":     `{"format": 1, "name": "a/b", "seed": 1, "colour": "red"}`,
		"something follows": `{"format": 1, "name": "a/b", "seed": 1} {}`,
		"its format is 2":   `{"format": 2, "name": "a/b", "seed": 1}`,
		"its format is 3, and this kd knows 1; update kd": `{"format": 3, "name": "a/b", "seed": 1, "colour": "red", "test": [1]}`,
		"of another run: a/c":                             `{"format": 1, "name": "a/c", "seed": 1}`,
		"another run: a/b, seed":                          `{"format": 1, "name": "a/b", "seed": 3}`,
	} {
		s := Store{Dir: t.TempDir()}
		if err := os.MkdirAll(filepath.Join(s.Dir, "a"), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(s.Path("a/b", 1), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		_, err := s.Read("a/b", 1)
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "b-seed1.json: ") {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

func TestPerEpoch(t *testing.T) {
	at := func(seconds ...float64) []Epoch {
		var all []Epoch
		for _, s := range seconds {
			all = append(all, Epoch{Seconds: s})
		}
		return all
	}
	for _, c := range []struct {
		epochs []Epoch
		want   float64
	}{{nil, 0}, {at(9), 9}, {at(9, 11), 2}, {at(9, 11, 12), 1.5}, {at(9, 11, 12, 22), 2}} {
		if got := PerEpoch(c.epochs); got != c.want {
			t.Errorf("%v: %g, want %g", c.epochs, got, c.want)
		}
	}
}
