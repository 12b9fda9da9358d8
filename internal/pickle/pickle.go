// Package pickle reads the Python pickles that Planetoid's graph data sets are
// distributed as: scipy CSR matrices, numpy arrays of numbers, and dictionaries
// of lists of whole numbers, in protocols 0 to 2, as Python 2 or 3 writes them.
//
// A pickle is a program, and Python runs it. This package runs nothing: the few
// names that Planetoid's files mention stand in a list, each with a plain Go
// value, and every other name and every other opcode is refused.
//
// Memory is bounded by the size of the input. Numbers are decoded once, at the
// end, after the sizes that the pickle claims were compared with the bytes that
// are there. Nothing recurses, however deep a pickle nests.
package pickle

import (
	"errors"
	"fmt"
)

// ErrFormat is wrapped by every error of this package. The message names the
// offset and the opcode, what is wrong and what to do.
var ErrFormat = errors.New("pickle: bad data")

// Array is a numpy array in C order, the last index running fastest.
type Array struct {
	Shape  []int
	Ints   []int64   // of an array of whole numbers or truth values
	Floats []float64 // of an array of floats
}

// CSR is a sparse matrix: row i has Data[Indptr[i]:Indptr[i+1]] in the columns
// Indices[Indptr[i]:Indptr[i+1]], in any order.
type CSR struct {
	Rows, Cols int
	Indptr     []int
	Indices    []int
	Data       []float64
}

// Decode reads a whole pickle. The result is a *CSR, an *Array or a
// map[int][]int.
func Decode(data []byte) (any, error) {
	m := &machine{data: data, memo: make(map[int]any)}
	v, err := m.run()
	if err == nil {
		v, err = m.decode(v)
	}
	if err != nil {
		return nil, err
	}
	return v, nil
}

func (m *machine) decode(v any) (any, error) {
	switch v := v.(type) {
	case *csr:
		return m.decodeCSR(v)
	case *array:
		return m.decodeArray(v)
	case *dict:
		return m.decodeLists(v)
	}
	return nil, m.failf("the pickle is %s: a CSR matrix, an array or a dictionary of lists is wanted", describe(v))
}

// decodeLists turns a dictionary into its Go twin.
func (m *machine) decodeLists(d *dict) (map[int][]int, error) {
	lists := make(map[int][]int, len(d.keys))
	total := 0
	for i, key := range d.keys {
		k, ok := key.(int64)
		if !ok || int64(int(k)) != k {
			return nil, m.failf("a key of the dictionary is %s, not a whole number of an int's size", describe(key))
		}
		items, ok := d.values[i].(*list)
		if !ok {
			return nil, m.failf("the value of key %d is %s, not a list", k, describe(d.values[i]))
		}
		// A list that is mentioned again and again costs two bytes a time.
		if total += len(items.items); total > len(m.data) {
			return nil, m.failf("lists of more items than the pickle has bytes: it is not one of Planetoid's")
		}
		ints := make([]int, len(items.items))
		for j, item := range items.items {
			n, ok := item.(int64)
			if ints[j] = int(n); !ok || int64(ints[j]) != n {
				return nil, m.failf("item %d of key %d is %s, not a whole number of an int's size", j, k, describe(item))
			}
		}
		lists[int(k)] = ints
	}
	return lists, nil
}

// stated is an error with a message of its own that belongs to ErrFormat.
type stated string

func (e stated) Error() string { return string(e) }
func (e stated) Unwrap() error { return ErrFormat }

// failf returns an error about the opcode under way.
func (m *machine) failf(format string, args ...any) error {
	return stated(fmt.Sprintf("offset %d: %s: ", m.at, opcodeName(m.op)) + fmt.Sprintf(format, args...))
}

// describe names the kind of a value for an error, in a few words.
func describe(v any) string {
	switch v := v.(type) {
	case nil:
		return "None"
	case bool:
		return "a truth value"
	case int64:
		return fmt.Sprintf("the number %d", v)
	case string, text, encoded:
		return "a string"
	case tuple:
		return "a tuple"
	case *list:
		return "a list"
	case *dict:
		return "a dictionary"
	case *array:
		return "an array"
	case *dtype:
		return "an array's type"
	case *csr:
		return "a CSR matrix"
	case global:
		return "the name " + string(v)
	}
	return "something else"
}
