package main

import (
	"cmp"
	"maps"
	"slices"

	"github.com/kdcode/kdcode"
	"github.com/kdcode/kdcode/internal/results"
	"github.com/kdcode/kdcode/vectors"
)

// lookAtWords fills in which words share a code, of a run whose codes the suite
// shows.
func (r *reproduction) lookAtWords(e *results.Experiment, record *results.Record) error {
	if r.suite.Sharing == nil {
		return nil
	}
	t, err := openTable(r.made(results.FileCodes, record.Name, record.Seed))
	if err != nil {
		return err
	}
	defer t.Close()
	table, err := readVectors(r.dataPath(e.Data))
	if err != nil {
		return err
	}
	byCode := map[string][]int{}
	for id := range t.Len() {
		code := codeText(t.Code(nil, id))
		byCode[code] = append(byCode[code], id)
	}
	record.Words.DistinctCodes = len(byCode)
	for _, g := range chooseGroups(table, byCode) {
		record.Words.Alike = append(record.Words.Alike, results.Group{Code: g.Code, Words: g.Words})
	}
	for _, paper := range r.suite.Sharing.Paper {
		g := results.Group{Code: commonest(t, paper.Words)}
		for _, id := range byCode[g.Code] {
			g.Words = append(g.Words, table.Symbols[id])
		}
		record.Words.Paper = append(record.Words.Paper, g)
	}
	return nil
}

// readVectors reads the table at path.
func readVectors(path string) (*vectors.Table, error) {
	r, err := vectors.Open(path, vectors.Options{})
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return r.ReadAll()
}

// commonest returns the code that most of the words have, of several the lowest.
func commonest(t *kdcode.Table, words []string) string {
	count := map[string]int{}
	for _, word := range words {
		if id, ok := t.ID(word); ok {
			count[codeText(t.Code(nil, id))]++
		}
	}
	if len(count) == 0 {
		return ""
	}
	return slices.MinFunc(slices.Collect(maps.Keys(count)), func(a, b string) int {
		return cmp.Or(cmp.Compare(count[b], count[a]), cmp.Compare(a, b))
	})
}
