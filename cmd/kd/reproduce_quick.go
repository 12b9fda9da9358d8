package main

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/kdcode/kdcode/internal/atomicfile"
	"github.com/kdcode/kdcode/internal/gunzip"
	"github.com/kdcode/kdcode/internal/results"
)

// quickOnes returns the experiments that have a quick run, and says which do not
// though they are asked for.
func (r *reproduction) quickOnes(all []*results.Experiment) []*results.Experiment {
	var quick []*results.Experiment
	var others []string
	for _, e := range all {
		if e.Quick != "" {
			quick = append(quick, e)
		} else {
			others = append(others, e.Name)
		}
	}
	if len(r.o.only) > 0 && len(others) > 0 && len(quick) > 0 {
		fmt.Fprintf(r.s.err, "kd: no quick run: %s\n", strings.Join(others, ", "))
	}
	return quick
}

// cutData makes the data of a quick run: in the folder for work, as many lines of
// each text file as the suite takes.
func (r *reproduction) cutData(experiments []*results.Experiment) error {
	if !r.o.quick || r.suite.QuickLines == 0 {
		return nil
	}
	to := r.workPath("data")
	cut := map[string]bool{}
	for _, e := range experiments {
		path, _ := findData(r.o.data, e.Data)
		if stat, err := os.Stat(path); err == nil && !stat.IsDir() {
			path = filepath.Dir(path)
		}
		if cut[path] {
			continue
		}
		cut[path] = true
		if err := cutFolder(path, filepath.Join(to, filepath.Base(path)), r.suite.QuickLines); err != nil {
			return err
		}
	}
	r.cut = to
	return nil
}

// cutFolder writes some lines of each text file in one folder to another.
func cutFolder(from, to string, lines int) error {
	entries, err := os.ReadDir(from)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(to, 0o777); err != nil {
		return err
	}
	for _, e := range entries {
		name := strings.TrimSuffix(e.Name(), ".gz")
		if ext := filepath.Ext(name); ext != ".txt" && ext != ".tsv" && ext != ".csv" {
			continue
		}
		if err := cutFile(filepath.Join(from, e.Name()), filepath.Join(to, name), lines); err != nil {
			return err
		}
	}
	return nil
}

// cutFile writes so many lines of a file: the first, which may be a head, and
// others evenly over all of it.
func cutFile(from, to string, lines int) error {
	text, err := readUnzipped(from)
	if err != nil {
		return err
	}
	all := bytes.SplitAfter(bytes.TrimSuffix(text, []byte("\n")), []byte("\n"))
	f, err := atomicfile.Create(to)
	if err != nil {
		return err
	}
	defer f.Close()
	for i := range min(lines, len(all)) {
		line := bytes.TrimSuffix(all[i*len(all)/min(lines, len(all))], []byte("\n"))
		if _, err := f.Write(append(line[:len(line):len(line)], '\n')); err != nil {
			return err
		}
	}
	return f.Commit()
}

// readUnzipped reads a file that may be gzipped.
func readUnzipped(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r, _, err := gunzip.Reader(bufio.NewReader(f), func(what string) error { return dataf("%s: %s", path, what) })
	if err != nil {
		return nil, err
	}
	var text bytes.Buffer
	_, err = text.ReadFrom(r)
	return text.Bytes(), err
}
