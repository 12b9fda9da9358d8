package main

import (
	"cmp"
	"fmt"

	"github.com/kdcode/kdcode/internal/results"
)

// reproduceResult is what --json prints.
type reproduceResult struct {
	Suite  string           `json:"suite"`
	Quick  bool             `json:"quick"`
	Failed []failedRun      `json:"failed"`
	Tables []reproduceTable `json:"tables"`
}

// failedRun is a run that gave no result.
type failedRun struct {
	Name  string `json:"name"`
	Seed  int    `json:"seed"`
	Error string `json:"error"`
}

// reproduceTable is one of the paper's tables.
type reproduceTable struct {
	ID      string         `json:"id"`
	Title   string         `json:"title"`
	Columns []string       `json:"columns"` // of a line's cells
	Lines   []results.Line `json:"lines"`
}

// print prints the tables. Plan is nil where nothing was run.
func (r *reproduction) print(plan *results.Plan) error {
	var missing func(string) bool
	if plan != nil {
		missing = r.dataMissing
	}
	var tables []*results.Filled
	for i := range r.suite.Tables {
		t, err := r.suite.Tables[i].Fill(r.store, missing)
		if err != nil {
			return dataError{err}
		}
		tables = append(tables, t)
	}
	if r.o.json {
		return r.s.writeJSON(r.result(plan, tables))
	}
	if r.o.quick {
		fmt.Fprint(r.s.out, "Quick runs, of cut data and few epochs: no comparison with the paper.\n\n")
	}
	for _, t := range tables {
		t.Print(r.s.out)
		fmt.Fprintln(r.s.out)
	}
	if sharing := r.suite.Sharing; sharing != nil {
		if err := sharing.Print(r.s.out, r.store); err != nil {
			return dataError{err}
		}
	}
	return nil
}

// dataMissing reports whether the data of an experiment is not here.
func (r *reproduction) dataMissing(name string) bool {
	for _, e := range r.suite.Experiments {
		if e.Name == name {
			_, here := findData(r.o.data, e.Data)
			return !here
		}
	}
	return false
}

func (r *reproduction) result(plan *results.Plan, tables []*results.Filled) reproduceResult {
	all := reproduceResult{Suite: r.suite.Name, Quick: r.o.quick, Failed: []failedRun{}}
	if plan != nil {
		for _, run := range plan.Failed() {
			all.Failed = append(all.Failed, failedRun{run.Experiment.Name, run.Seed, message(run.Err())})
		}
	}
	for _, t := range tables {
		table := reproduceTable{ID: t.ID, Title: t.Title, Lines: t.Lines}
		for _, c := range t.Columns {
			table.Columns = append(table.Columns, c.Name)
		}
		all.Tables = append(all.Tables, table)
	}
	return all
}

// listedExperiment is an experiment with what is done of it.
type listedExperiment struct {
	Name    string `json:"name"`
	Done    int    `json:"done"` // of the seeds
	Seeds   int    `json:"seeds"`
	Command string `json:"command"` // of the first seed
}

// reproduceList is what --list --json prints.
type reproduceList struct {
	Suite       string             `json:"suite"`
	Experiments []listedExperiment `json:"experiments"`
}

// list prints the experiments, with what is done of them.
func (r *reproduction) list(experiments []*results.Experiment) error {
	all := reproduceList{Suite: r.suite.Name, Experiments: []listedExperiment{}}
	for _, e := range experiments {
		listed := listedExperiment{Name: e.Name, Seeds: cmp.Or(r.seeds(), e.Seeds), Command: e.Line(r.o.quick, 1, r.dataName, r.embeddingFlag(e, 1)...)}
		for seed := 1; seed <= listed.Seeds; seed++ {
			record, err := r.store.Read(e.Name, seed)
			if err != nil {
				return dataError{err}
			}
			if record != nil {
				listed.Done++
			}
		}
		all.Experiments = append(all.Experiments, listed)
	}
	if r.o.json {
		return r.s.writeJSON(all)
	}
	for _, e := range all.Experiments {
		fmt.Fprintf(r.s.out, "%-28s %2d of %2d  %s\n", e.Name, e.Done, e.Seeds, e.Command)
	}
	return nil
}
