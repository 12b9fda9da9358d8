package graph

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kdcode/kdcode"
	"github.com/kdcode/kdcode/codefile"
	"github.com/kdcode/kdcode/learn"
)

// Files that are no network, and networks of other data.
func TestModelErrors(t *testing.T) {
	d, err := Planetoid("testdata", "tiny")
	if err != nil {
		t.Fatal(err)
	}
	r, err := Train(context.Background(), d, learn.NewFull(d.Features, 4), Options{Backend: backend(t), Epochs: 1})
	if err != nil {
		t.Fatal(err)
	}
	open := func(change func(*codefile.Model)) (*Model, error) {
		m, err := r.Model()
		if err != nil {
			t.Fatal(err)
		}
		change(m)
		path := filepath.Join(t.TempDir(), "graph.kd")
		if err := codefile.WriteFile(path, m); err != nil {
			t.Fatal(err)
		}
		return Open(path)
	}
	for want, change := range map[string]func(*codefile.Model){
		"task \"text\"": func(m *codefile.Model) { m.Metadata[keyTask] = "text" },
		"no tensor":     func(m *codefile.Model) { delete(m.Tensors, tensorWeight) },
		"no symbols":    func(m *codefile.Model) { m.Symbols = nil },
		"no JSON array": func(m *codefile.Model) { m.Tensors[tensorLabels] = codefile.BytesTensor([]byte("[")) },
		"shape [3 4]":   func(m *codefile.Model) { m.Tensors[tensorWeight] = codefile.FloatTensor(make([]float32, 12), 3, 4) },
		`"gcn.labels"`:  func(m *codefile.Model) { delete(m.Tensors, tensorLabels) },
		"of U8, not F32": func(m *codefile.Model) {
			m.Tensors[tensorWeight] = codefile.Tensor{DType: "U8", Shape: []int{4, 3}, Data: make([]byte, 12)}
		},
	} {
		if m, err := open(change); m != nil || !errors.Is(err, ErrNoNetwork) || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want one with %q", err, want)
		}
	}
	m, err := open(func(*codefile.Model) {})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.Evaluate(d, nil); err == nil {
		t.Error("no nodes are evaluated")
	}
	if _, err := m.Scores(d, []int{d.Nodes}); err == nil {
		t.Error("a node that is none has scores")
	}
	other := planted(t)
	if _, err := m.Evaluate(other, other.Test); !errors.Is(err, ErrMismatch) {
		t.Errorf("other data: %v", err)
	}
	wider := *d
	wider.Features++
	if _, err := m.Scores(&wider, d.Test); !errors.Is(err, ErrMismatch) {
		t.Errorf("more features: %v", err)
	}
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := m.Scores(d, d.Test); !errors.Is(err, kdcode.ErrClosed) && !errors.Is(err, ErrMismatch) {
		t.Errorf("closed: %v", err)
	}
}
