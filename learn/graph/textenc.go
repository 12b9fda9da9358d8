package graph

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/kdcode/kdcode/internal/atomicfile"
)

// WriteText writes the graph as text into a folder, which it makes if need be.
// ReadText gives it back with the same numbers. Where the graph has no names,
// the numbers are the names.
func (d *Dataset) WriteText(dir string) error {
	if err := d.checkNames(); err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	for _, file := range []struct {
		kind  string
		write func(w *bufio.Writer)
	}{
		{"features", d.writeFeatures},
		{"edges", d.writeEdges},
		{"labels", d.writeLabels},
		{"split", d.writeSplit},
	} {
		if err := writeFile(filepath.Join(dir, file.kind), file.write); err != nil {
			return err
		}
	}
	return nil
}

func writeFile(path string, write func(w *bufio.Writer)) error {
	f, err := atomicfile.Create(path)
	if err != nil {
		return err
	}
	defer f.Close()
	w := bufio.NewWriter(f)
	write(w)
	if err := w.Flush(); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	return f.Commit()
}

// checkNames refuses names that would read back as something else.
func (d *Dataset) checkNames() error {
	for _, list := range []struct {
		what  string
		names []string
	}{{"node", d.NodeNames}, {"feature", d.FeatureNames}, {"class", d.ClassNames}} {
		for _, name := range list.names {
			if name == "" || strings.ContainsAny(name, " \t\r\n") {
				return &stated{ErrUnwritable, fmt.Sprintf("the %s %q cannot be written as text: names have no spaces; rename it", list.what, clip(name))}
			}
			if list.what == "node" && (name[0] == '#' || strings.HasPrefix(name, string(byteOrderMark))) {
				return &stated{ErrUnwritable, fmt.Sprintf("the node %q cannot be written as text: its line would be a comment; rename it", clip(name))}
			}
		}
	}
	return nil
}

func (d *Dataset) writeFeatures(w *bufio.Writer) {
	// Features are numbered as they appear. Where that gives other numbers, or
	// misses some, the first line names them all.
	nameAll := !d.inOrder()
	for i := range d.Nodes {
		w.WriteString(nameOf(d.NodeNames, i))
		columns, values := d.X.Row(i)
		if nameAll && i == 0 {
			columns, values = spread(columns, values, d.Features)
		}
		for j, c := range columns {
			name := nameOf(d.FeatureNames, int(c))
			w.WriteString(" " + name)
			if values[j] != 1 || strings.Contains(name, ":") {
				w.WriteString(":" + strconv.FormatFloat(float64(values[j]), 'g', -1, 32))
			}
		}
		w.WriteByte('\n')
	}
}

// inOrder reports whether the features appear in the order of their numbers,
// all of them.
func (d *Dataset) inOrder() bool {
	next := int32(0)
	for _, c := range d.X.Columns {
		if c > next {
			return false
		}
		if c == next {
			next++
		}
	}
	return int(next) == d.Features
}

// spread returns a row with the zeros between its values.
func spread(columns []int32, values []float32, width int) ([]int32, []float32) {
	all, out := make([]int32, width), make([]float32, width)
	for i := range all {
		all[i] = int32(i)
	}
	for i, c := range columns {
		out[c] = values[i]
	}
	return all, out
}

func (d *Dataset) writeEdges(w *bufio.Writer) {
	for _, e := range d.Edges {
		fmt.Fprintln(w, nameOf(d.NodeNames, e[0]), nameOf(d.NodeNames, e[1]))
	}
}

// writeLabels writes class after class, so that they read back in this order.
func (d *Dataset) writeLabels(w *bufio.Writer) {
	for class := range d.Classes {
		for node, label := range d.Labels {
			if label == class {
				fmt.Fprintln(w, nameOf(d.NodeNames, node), nameOf(d.ClassNames, class))
			}
		}
	}
}

func (d *Dataset) writeSplit(w *bufio.Writer) {
	for _, part := range []struct {
		name  string
		nodes []int
	}{{"train", d.Train}, {"valid", d.Valid}, {"test", d.Test}} {
		for _, node := range part.nodes {
			fmt.Fprintln(w, nameOf(d.NodeNames, node), part.name)
		}
	}
}
