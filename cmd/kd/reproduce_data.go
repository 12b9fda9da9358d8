package main

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"

	"github.com/kdcode/kdcode/internal/results"
)

// dataEndings are what the name of a file of data may go on with.
var dataEndings = []string{"", ".tsv", ".csv", ".txt", ".tsv.gz", ".csv.gz", ".txt.gz"}

// dataDir returns the folder of the data that runs take.
func (r *reproduction) dataDir() string { return cmp.Or(r.cut, r.o.data) }

// dataPath returns where data of that name lies, whatever it ends in.
func (r *reproduction) dataPath(name string) string {
	path, _ := findData(r.dataDir(), name)
	return path
}

// dataName returns what stands for data in a command to give a run again: its path
// below the folder of data.
func (r *reproduction) dataName(name string) string {
	path := r.dataPath(name)
	if rest, err := filepath.Rel(r.dataDir(), path); err == nil {
		return filepath.ToSlash(rest)
	}
	return name
}

// findData returns where in a folder data lies, and whether it is there.
func findData(dir, name string) (string, bool) {
	base := filepath.Join(dir, filepath.FromSlash(name))
	for _, ending := range dataEndings {
		if _, err := os.Stat(base + ending); err == nil {
			return base + ending, true
		}
	}
	return base, false
}

// withData returns the experiments whose data is here. It is an error if that is
// none of them.
func (r *reproduction) withData(all []*results.Experiment) ([]*results.Experiment, error) {
	var here []*results.Experiment
	missing := map[string]bool{}
	for _, e := range all {
		if _, ok := findData(r.o.data, e.Data); ok {
			here = append(here, e)
		} else if !missing[e.Data] {
			missing[e.Data] = true
			fmt.Fprintf(r.s.err, "kd: %s is not here: its experiments are passed over\n", filepath.Join(r.o.data, e.Data))
		}
	}
	if len(here) == 0 && len(all) > 0 {
		return nil, dataf("%s has no data for these experiments: name the folder with --data", r.o.data)
	}
	return here, nil
}
