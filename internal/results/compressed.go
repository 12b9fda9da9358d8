package results

import (
	"fmt"
	"path"
)

// shape is that of codes.
type shape struct{ k, d int }

// compressed returns the experiments that compress the full embedding of a
// trained model, and those that measure the model then. Like says what data they
// need and how many seeds there are.
func compressed(full, flags, measure string, like Experiment, shapes []shape) []Experiment {
	var all []Experiment
	for _, s := range shapes {
		made, measured := like, like
		made.Name = fmt.Sprintf("%s-k%d-d%d", full, s.k, s.d)
		made.Command = joined(fmt.Sprintf("compress {codes:%s} -K %d -D %d", full, s.k, s.d), flags)
		measured.Name = compressedName(full, s)
		measured.Command = joined("eval {codes:"+made.Name+"}", measure)
		all = append(all, made, measured)
	}
	return all
}

// compressedName is the experiment that measures a model compressed to a shape.
func compressedName(full string, s shape) string {
	return fmt.Sprintf("%s/compressed-k%d-d%d", path.Dir(full), s.k, s.d)
}

// compressedRows are of the model as it was trained, and compressed.
func compressedRows(label, full string, shapes []shape) []Row {
	rows := []Row{{label + ", as trained", nil, []string{full}}}
	for _, s := range shapes {
		rows = append(rows, Row{fmt.Sprintf("%s, K = %d, D = %d", label, s.k, s.d), nil, []string{compressedName(full, s)}})
	}
	return rows
}
