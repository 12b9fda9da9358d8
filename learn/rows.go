package learn

import (
	"runtime/debug"

	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"
)

// rowsParam is the graph parameter under which the tables read by rows are kept
// for the optimizer.
const rowsParam = "/learn/rows"

// rowsUse is a table of which a graph reads rows.
type rowsUse struct {
	table   *model.Variable // [N, ...]
	symbols Symbols
	rows    *Node // [U, ...]: what the gradient is taken with respect to
}

// Rows returns the rows [U, ...] of a table [N, ...] that the symbols name, and
// notes them in the graph, so that [Optimizer] can update those rows alone.
func Rows(table *model.Variable, s Symbols) *Node {
	g := s.IDs.Graph()
	settle(table, g)
	if s.All {
		return table.NodeValue(g)
	}
	rows := Gather(table.NodeValue(g), InsertAxes(s.IDs, -1))
	model.SetGraphParam(g, rowsParam, append(rowsOf(g), &rowsUse{table, s, rows}))
	return rows
}

// largeTable is from how many bytes on a table is not kept twice.
const largeTable = 256 << 20

// settle moves a large new table from the host to where graphs run, and gives
// its memory back. It would otherwise be there twice until the garbage
// collector finds the time.
func settle(table *model.Variable, g *Graph) {
	if !table.HasValue() || table.Shape().ByteSize() < largeTable {
		return
	}
	value := table.MustValue()
	if value.IsLocal() {
		if err := value.ToDevice(g.Backend(), 0); err != nil {
			panic(err)
		}
		debug.FreeOSMemory()
	}
}

// rowsOf returns the tables a graph reads by rows.
func rowsOf(g *Graph) []*rowsUse {
	if uses, ok := model.GetGraphParam(g, rowsParam); ok {
		return uses.([]*rowsUse)
	}
	return nil
}

// occurs returns 1 for the symbols that occur and 0 for padding, as [U, 1, …]
// of the rank of the rows.
func (u *rowsUse) occurs() *Node {
	w := u.symbols.weightOf(u.rows.DType())
	return likeRows(ConvertDType(GreaterThan(w, ZerosLike(w)), u.rows.DType()), u.rows)
}

// add adds deltas [U, ...] to the table's rows. Padding adds nothing. A table
// is read and written in place: only the rows are touched.
func (u *rowsUse) add(table *model.Variable, deltas *Node) {
	g := deltas.Graph()
	deltas = Mul(deltas, u.occurs())
	table.SetNodeValue(ScatterSum(table.NodeValue(g), InsertAxes(u.symbols.IDs, -1), deltas, false, false))
}

// likeRows returns x [U] as [U, 1, …], of the rank of rows.
func likeRows(x, rows *Node) *Node {
	for x.Rank() < rows.Rank() {
		x = InsertAxes(x, -1)
	}
	return x
}
