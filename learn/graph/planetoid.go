package graph

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"

	"github.com/kdcode/kdcode/internal/pickle"
)

// validNodes is how many nodes the standard split validates with.
const validNodes = 500

// Planetoid reads the files ind.NAME.{x,y,tx,ty,allx,ally,graph,test.index} of
// a folder, as Kipf & Welling do: the nodes of x are trained on, the next 500
// (or as many as there are) validate, and those of test.index test. Test nodes
// that test.index leaves out, as 15 of Citeseer's, have neither features nor
// label.
func Planetoid(dir, name string) (*Dataset, error) {
	p := &planetoid{stem: filepath.Join(dir, "ind."+name)}
	if err := p.read(); err != nil {
		return nil, err
	}
	if err := p.checkSizes(); err != nil {
		return nil, err
	}
	return p.dataset()
}

// planetoid is the contents of the files.
type planetoid struct {
	stem        string
	x, tx, allx *pickle.CSR
	y, ty, ally *pickle.Array
	graph       map[int][]int
	test        []int // the nodes that the rows of tx and ty belong to
}

func (p *planetoid) read() (err error) {
	for _, m := range []struct {
		kind string
		to   **pickle.CSR
	}{{"x", &p.x}, {"tx", &p.tx}, {"allx", &p.allx}} {
		if *m.to, err = readPickle[*pickle.CSR](p.file(m.kind), "a CSR matrix"); err != nil {
			return err
		}
	}
	for _, a := range []struct {
		kind string
		to   **pickle.Array
	}{{"y", &p.y}, {"ty", &p.ty}, {"ally", &p.ally}} {
		if *a.to, err = readPickle[*pickle.Array](p.file(a.kind), "an array"); err != nil {
			return err
		}
	}
	if p.graph, err = readPickle[map[int][]int](p.file("graph"), "a dictionary of lists"); err != nil {
		return err
	}
	p.test, err = p.readTest()
	return err
}

func (p *planetoid) file(kind string) string { return p.stem + "." + kind }

// readPickle reads a file that holds a T.
func readPickle[T any](path, what string) (T, error) {
	var none T
	data, err := os.ReadFile(path)
	if err != nil {
		return none, missing(err)
	}
	v, err := pickle.Decode(data)
	if err != nil {
		return none, badf(path, "%v", err)
	}
	t, ok := v.(T)
	if !ok {
		return none, badf(path, "the pickle holds something else than %s: the files are mixed up; download them again", what)
	}
	return t, nil
}

// missing adds to an error of opening what to do.
func missing(err error) error {
	if errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("%w; check the folder and the name: Planetoid's files are called ind.NAME.x and so on", err)
	}
	return err
}

// checkSizes compares the files with one another.
func (p *planetoid) checkSizes() error {
	for _, m := range []struct {
		kind  string
		x     *pickle.CSR
		label string
		y     *pickle.Array
	}{{"x", p.x, "y", p.y}, {"tx", p.tx, "ty", p.ty}, {"allx", p.allx, "ally", p.ally}} {
		y := m.y.Shape
		switch {
		case m.x.Cols != p.x.Cols:
			return badf(p.file(m.kind), "%d features, but %d in %s; download the files again", m.x.Cols, p.x.Cols, p.file("x"))
		case len(y) != 2 || len(m.y.Ints)+len(m.y.Floats) == 0:
			return badf(p.file(m.label), "an array of shape %v: a row a node and a column a class are wanted", y)
		case y[0] != m.x.Rows:
			return badf(p.file(m.label), "%d rows, but %d in %s; download the files again", y[0], m.x.Rows, p.file(m.kind))
		case y[1] != p.y.Shape[1]:
			return badf(p.file(m.label), "%d classes, but %d in %s; download the files again", y[1], p.y.Shape[1], p.file("y"))
		}
	}
	switch {
	case p.x.Cols < 1 || p.x.Cols > math.MaxInt32:
		return badf(p.file("x"), "%d features: it takes 1 to %d; download the file again", p.x.Cols, math.MaxInt32)
	case p.y.Shape[1] < 2:
		return badf(p.file("y"), "a single class: there is nothing to tell apart")
	case p.x.Rows > p.allx.Rows:
		return badf(p.file("allx"), "%d rows, fewer than the %d of %s, which it begins with; download the files again", p.allx.Rows, p.x.Rows, p.file("x"))
	case len(p.test) != p.tx.Rows:
		return badf(p.file("test.index"), "%d lines, but %d rows in %s; download the files again", len(p.test), p.tx.Rows, p.file("tx"))
	}
	return nil
}
