package results

import (
	"fmt"
	"math"
	"path"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/stat"
)

// Table is one of the paper's tables: each column of it is shown as the paper's
// number, ours, and the difference. A column that the paper has no number of is
// ours alone.
type Table struct {
	ID      string
	Title   string
	Note    string // what it shows, and what differs from the paper
	Columns []Column
	Rows    []Row
}

// Column is a number of each row.
type Column struct {
	Name    string
	Measure Measure
	Digits  int // after the point
}

// Row is one line of a table.
type Row struct {
	Label string
	Paper []float64 // by column; None where it says nothing. Nil is none at all

	// Of are the experiments that the row is about. Of several, the row shows
	// the one that did best on validation.
	Of []string
}

// None stands for a number that the paper does not have.
var None = math.NaN()

// Measure is a number of a record.
type Measure func(*Record) float64

// What tables show of records.
func Tested(r *Record) float64             { return r.Test }
func MillionParameters(r *Record) float64  { return float64(r.Parameters) / 1e6 }
func ThousandParameters(r *Record) float64 { return float64(r.Parameters) / 1e3 }
func Megabits(r *Record) float64           { return float64(r.Bits) / 1e6 }
func Gigabits(r *Record) float64           { return float64(r.Bits) / 1e9 }
func Ratio(r *Record) float64              { return r.Ratio }

// PercentSaved is how much smaller than the full table the layer is.
func PercentSaved(r *Record) float64 { return 100 * (1 - float64(r.Bits)/float64(r.FullBits)) }

// Cell is a number of a table.
type Cell struct {
	Paper  *float64 `json:"paper"` // null where the paper has none
	Ours   *float64 `json:"ours"`  // null where nothing was run; the mean of the runs
	Spread *float64 `json:"spread,omitempty"`
}

// Line is a row with its numbers filled in.
type Line struct {
	Label      string `json:"label"`
	Experiment string `json:"experiment"` // that was shown; empty where nothing was run
	Runs       int    `json:"runs"`
	Cells      []Cell `json:"cells"`

	missing bool // its data is not here
}

// Filled is a table with its numbers.
type Filled struct {
	*Table
	Lines []Line
}

// Fill fills in a table from records. Missing, if not nil, says of which
// experiments the data is not here.
func (t *Table) Fill(s Store, missing func(name string) bool) (*Filled, error) {
	f := &Filled{Table: t}
	for _, row := range t.Rows {
		records, err := row.records(s)
		if err != nil {
			return nil, err
		}
		line := Line{Label: row.Label, Runs: len(records)}
		if len(records) > 0 {
			line.Experiment = records[0].Name
			if len(row.Of) > 1 {
				line.Label += " (" + path.Base(line.Experiment) + ")"
			}
		} else if missing != nil && len(row.Of) > 0 {
			line.missing = missing(row.Of[0])
		}
		for i, c := range t.Columns {
			line.Cells = append(line.Cells, row.cell(i, c, records))
		}
		f.Lines = append(f.Lines, line)
	}
	return f, nil
}

// records returns those of the row's experiment, of several the one that is best
// on validation.
func (r Row) records(s Store) ([]*Record, error) {
	var best []*Record
	for _, name := range r.Of {
		records, err := s.All(name)
		if err != nil {
			return nil, err
		}
		if len(records) > 0 && (best == nil || better(records, best)) {
			best = records
		}
	}
	return best, nil
}

// better reports whether runs a did better on validation than b.
func better(a, b []*Record) bool {
	valid := func(all []*Record) float64 {
		sum := 0.0
		for _, r := range all {
			if r.Valid == nil {
				return math.NaN()
			}
			sum += *r.Valid
		}
		return sum / float64(len(all))
	}
	if a[0].Metric == Accuracy {
		return valid(a) > valid(b)
	}
	return valid(a) < valid(b)
}

func (r Row) cell(i int, c Column, records []*Record) Cell {
	var cell Cell
	if i < len(r.Paper) && !math.IsNaN(r.Paper[i]) {
		cell.Paper = &r.Paper[i]
	}
	if len(records) == 0 {
		return cell
	}
	var values []float64
	for _, record := range records {
		values = append(values, c.Measure(record))
	}
	mean, spread := MeanAndSpread(values)
	cell.Ours = &mean
	if spread > 0 {
		cell.Spread = &spread
	}
	return cell
}

// MeanAndSpread returns the mean and the standard deviation of a sample. Of equal
// values the latter is zero, whatever sums round to.
func MeanAndSpread(values []float64) (mean, spread float64) {
	if slices.Min(values) == slices.Max(values) {
		return values[0], 0
	}
	return stat.MeanStdDev(values, nil)
}

const (
	notRun  = "–"
	notHere = "not here"
)

// texts returns what a cell shows: the paper's number, ours, the difference.
func (c Cell) texts(digits int, missing bool) (paper, ours, difference string) {
	number := func(v float64) string { return strconv.FormatFloat(v, 'f', digits, 64) }
	paper, ours, difference = notRun, notRun, notRun
	if missing {
		ours = notHere
	}
	if c.Paper != nil {
		paper = number(*c.Paper)
	}
	if c.Ours != nil {
		ours = number(*c.Ours)
		if c.Spread != nil {
			ours += " ± " + number(*c.Spread)
		}
	}
	if c.Paper != nil && c.Ours != nil {
		difference = number(*c.Ours - *c.Paper)
		if strings.Trim(difference, "-0.") == "" {
			difference = number(0)
		} else if difference[0] != '-' {
			difference = "+" + difference
		}
		difference = strings.Replace(difference, "-", "−", 1)
	}
	return paper, ours, difference
}

// grid returns a table as text, the heads first.
func (f *Filled) grid() [][]string {
	head := []string{""}
	for i, c := range f.Columns {
		if f.compares(i) {
			head = append(head, c.Name+": paper", "ours", "difference")
		} else {
			head = append(head, c.Name)
		}
	}
	if f.several() {
		head = append(head, "runs")
	}
	grid := [][]string{head}
	for _, line := range f.Lines {
		row := []string{line.Label}
		for i, c := range line.Cells {
			paper, ours, difference := c.texts(f.Columns[i].Digits, line.missing)
			if f.compares(i) {
				row = append(row, paper, ours, difference)
			} else {
				row = append(row, ours)
			}
		}
		if f.several() {
			runs := notRun
			if line.Runs > 0 {
				runs = fmt.Sprint(line.Runs)
			}
			row = append(row, runs)
		}
		grid = append(grid, row)
	}
	return grid
}

// compares reports whether the paper has a number in a column.
func (f *Filled) compares(column int) bool {
	return slices.ContainsFunc(f.Lines, func(l Line) bool { return l.Cells[column].Paper != nil })
}

// several reports whether a line is of more than one run.
func (f *Filled) several() bool {
	for _, line := range f.Lines {
		if line.Runs > 1 {
			return true
		}
	}
	return false
}
