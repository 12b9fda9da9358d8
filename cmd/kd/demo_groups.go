package main

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/kdcode/kdcode/codefile"
	"github.com/kdcode/kdcode/quantize"
	"github.com/kdcode/kdcode/vectors"
)

// demoGroup is some words that share a code.
type demoGroup struct {
	Code  string   `json:"code"`
	Words []string `json:"words"`

	likeness float64
}

// String lists the first words.
func (g demoGroup) String() string {
	const most = 11
	line := strings.Join(g.Words[:min(most, len(g.Words))], " ")
	if len(g.Words) > most {
		line += " …"
	}
	return line
}

// groups compresses with K = 6, D = 4, so that words must share codes, and
// returns groups that do.
func (d *demonstration) groups(ctx context.Context) ([]demoGroup, error) {
	q := d.q
	q.K, q.D, q.Composition = 6, 4, codefile.Sum
	m, err := quantize.Compress(ctx, d.in, d.in.symbols, q)
	if err != nil {
		return nil, err
	}
	byCode := map[string][]int{}
	digits := make([]uint16, m.Codes.D)
	for id := range m.Codes.N() {
		m.Codes.Get(digits, id)
		byCode[codeText(digits)] = append(byCode[codeText(digits)], id)
	}
	return chooseGroups(d.table, byCode), nil
}

// Of the groups of at least groupSize words, demoGroups are shown, and of those
// whose codes begin with the same digit two.
const (
	groupSize   = 8
	demoGroups  = 8
	groupsAlike = 2
)

// chooseGroups picks the groups whose words are most alike, and sorts them by
// code.
func chooseGroups(t *vectors.Table, byCode map[string][]int) []demoGroup {
	centred := centre(t)
	var all []demoGroup
	for code, ids := range byCode {
		if len(ids) < groupSize {
			continue
		}
		g := demoGroup{Code: code, likeness: likeness(centred, ids)}
		for _, id := range ids {
			g.Words = append(g.Words, t.Symbols[id])
		}
		all = append(all, g)
	}
	slices.SortFunc(all, func(a, b demoGroup) int {
		return cmp.Or(cmp.Compare(b.likeness, a.likeness), strings.Compare(a.Code, b.Code))
	})
	var groups []demoGroup
	begin := map[byte]int{}
	for _, g := range all {
		if begin[g.Code[0]] == groupsAlike || len(groups) == demoGroups {
			continue
		}
		begin[g.Code[0]]++
		groups = append(groups, g)
	}
	slices.SortFunc(groups, func(a, b demoGroup) int { return strings.Compare(a.Code, b.Code) })
	return groups
}

// centre returns the table without what all its vectors have in common, which
// would make any two of them alike.
func centre(t *vectors.Table) *vectors.Table {
	mean := make([]float64, t.Dim)
	for i := range t.Len() {
		for c, x := range t.Row(i) {
			mean[c] += float64(x) / float64(t.Len())
		}
	}
	centred := &vectors.Table{Symbols: t.Symbols, Dim: t.Dim, Data: slices.Clone(t.Data)}
	for i := range t.Len() {
		for c := range mean {
			centred.Row(i)[c] -= float32(mean[c])
		}
	}
	return centred
}

// likeness is the mean cosine of any two different rows of ids.
func likeness(t *vectors.Table, ids []int) float64 {
	// The squared length of the sum of n unit vectors is n and the cosines of
	// all ordered pairs.
	sum := make([]float64, t.Dim)
	n := 0.0
	for _, id := range ids {
		row := t.Row(id)
		length := float64(norm(row))
		if length == 0 {
			continue
		}
		n++
		for i, x := range row {
			sum[i] += float64(x) / length
		}
	}
	if n < 2 {
		return 0
	}
	squared := 0.0
	for _, x := range sum {
		squared += x * x
	}
	return (squared - n) / (n * (n - 1))
}
