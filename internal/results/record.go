package results

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/kdcode/kdcode/internal/atomicfile"
)

// Format is the version of the files.
const Format = 1

// Record is what a run leaves: how it was made, and what came out.
type Record struct {
	Format   int             `json:"format"`
	Name     string          `json:"name"` // of the experiment
	Seed     int             `json:"seed"`
	Quick    bool            `json:"quick"`   // cut short: no result to compare with
	Command  string          `json:"command"` // that gives it again
	KD       string          `json:"kd"`      // the version that ran it
	Backend  string          `json:"backend"`
	Settings json.RawMessage `json:"settings,omitempty"` // all that determines the result

	Metric string   `json:"metric"` // Perplexity, Accuracy or RelativeError
	Test   float64  `json:"test"`
	Valid  *float64 `json:"valid,omitempty"` // of the model that was tested

	Parameters int64   `json:"parameters,omitempty"` // of a trained embedding layer, by the paper's count
	Bits       int64   `json:"bits"`                 // of a trained one by the paper's count, of what was compressed those stored
	FullBits   int64   `json:"full_bits"`
	Ratio      float64 `json:"ratio"`

	Seconds         float64 `json:"seconds"`                 // of training, compiling included
	SecondsPerEpoch float64 `json:"seconds_per_epoch"`       // the median without the first epoch, which compiles
	TotalSeconds    float64 `json:"total_seconds,omitempty"` // of the last start, reading and measuring included; 0 is unknown
	Jobs            int     `json:"jobs"`                    // how many could run side by side: times of more than 1 are not of a run alone

	Epochs []Epoch `json:"epochs"`
	Words  *Words  `json:"words,omitempty"` // of runs that give words codes
}

// Metrics of records.
const (
	Perplexity    = "perplexity"
	Accuracy      = "accuracy"
	RelativeError = "relative error"
)

// Epoch is what is kept of one.
type Epoch struct {
	Epoch   int      `json:"epoch"` // from 1
	Loss    float64  `json:"loss"`
	Valid   *float64 `json:"valid,omitempty"`
	Seconds float64  `json:"seconds"` // since the beginning
}

// PerEpoch returns the median time of an epoch. The first, in which the model is
// compiled, counts only if it is the only one.
func PerEpoch(epochs []Epoch) float64 {
	var all []float64
	before := 0.0
	for _, e := range epochs {
		all = append(all, e.Seconds-before)
		before = e.Seconds
	}
	if len(all) > 1 {
		all = all[1:]
	}
	if len(all) == 0 {
		return 0
	}
	slices.Sort(all)
	return (all[(len(all)-1)/2] + all[len(all)/2]) / 2
}

// Store is a folder of records.
type Store struct {
	Dir   string
	Quick bool // those of quick runs, which lie apart
}

// Prepare makes the folder, and makes sure before long work that records can be
// written to it.
func (s Store) Prepare() error {
	if err := os.MkdirAll(s.dir(), 0o777); err != nil {
		return err
	}
	f, err := atomicfile.Create(filepath.Join(s.dir(), "record.json"))
	if err != nil {
		return err
	}
	return f.Close() // without a trace
}

// dir returns the folder that records lie in.
func (s Store) dir() string {
	if s.Quick {
		return filepath.Join(s.Dir, "quick")
	}
	return s.Dir
}

// Path returns where the record of a run is.
func (s Store) Path(name string, seed int) string {
	return filepath.Join(s.dir(), filepath.FromSlash(stem(name, seed))+".json")
}

// Read returns the record of a run, nil if there is none.
func (s Store) Read(name string, seed int) (*Record, error) {
	path := s.Path(name, seed)
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	// The format first: a later one may have other fields.
	var head struct {
		Format int `json:"format"`
	}
	if json.Unmarshal(text, &head) == nil && head.Format > Format {
		return nil, fmt.Errorf("%s: its format is %d, and this kd knows %d; update kd, or remove it to run that again", path, head.Format, Format)
	}
	var r Record
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&r); err != nil {
		return nil, fmt.Errorf("%s: not a whole result: %w; remove it to run that again", path, err)
	}
	switch {
	case d.More():
		return nil, fmt.Errorf("%s: something follows the result; remove it to run that again", path)
	case r.Format != Format:
		return nil, fmt.Errorf("%s: its format is %d, and this kd knows %d; remove it to run that again", path, r.Format, Format)
	case r.Name != name || r.Seed != seed || r.Quick != s.Quick:
		return nil, fmt.Errorf("%s: it is of another run: %s, seed %d, quick %t; move it to where it belongs", path, r.Name, r.Seed, r.Quick)
	}
	return &r, nil
}

// MaxSeed is up to which seed records are looked for.
const MaxSeed = 100

// All returns the records of an experiment, by seed.
func (s Store) All(name string) ([]*Record, error) {
	var all []*Record
	for seed := range MaxSeed {
		r, err := s.Read(name, seed+1)
		if err != nil {
			return nil, err
		}
		if r != nil {
			all = append(all, r)
		}
	}
	return all, nil
}

// Write writes a record, whole or not at all.
func (s Store) Write(r *Record) error {
	r.Format, r.Quick = Format, s.Quick
	text, err := json.MarshalIndent(r, "", " ")
	if err != nil {
		return fmt.Errorf("the result of %s, seed %d: %w", r.Name, r.Seed, err)
	}
	path := s.Path(r.Name, r.Seed)
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	f, err := atomicfile.Create(path)
	if err != nil {
		return err
	}
	defer f.Close()
	if _, err := f.Write(append(text, '\n')); err != nil {
		return err
	}
	return f.Commit()
}
