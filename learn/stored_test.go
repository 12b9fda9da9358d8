package learn_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/gomlx/gomlx/ml/model"

	"github.com/kdcode/kdcode/codefile"
	"github.com/kdcode/kdcode/learn"
	"github.com/kdcode/kdcode/quantize"
)

func TestProduct(t *testing.T) {
	const n, dim = 20, 6
	table := madeUp(n*dim, 5)
	layer, err := learn.NewProduct(context.Background(), table, n, dim, 4, 3)
	if err != nil {
		t.Fatal(err)
	}
	m := compressed(t, n, dim, quantize.Options{K: 4, D: 3, Composition: codefile.Concat})
	want := open(t, m)
	got, row := evaluated(t, layer, model.NewStore()), make([]float32, dim)
	for id := range n {
		if err := want.Lookup(row, id); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got[id*dim:][:dim], row) {
			t.Fatalf("symbol %d: the layer has %v, the quantized table %v", id, got[id*dim:][:dim], row)
		}
	}
	if _, err := learn.NewProduct(context.Background(), table, n, dim+1, 4, 3); err == nil {
		t.Error("a table of another shape is no error")
	}
	if _, err := learn.NewProduct(context.Background(), table, n, dim, 4, 4); err == nil {
		t.Error("D that does not divide d is no error")
	}
}

func TestStoredRefusesLSTM(t *testing.T) {
	layer := learn.NewKD(5, 4).Ways(2).CodeLength(3).Hidden(3).Compose(learn.LSTM)
	m, err := layer.Export(trained(t, layer, 1).Scope("/symbols"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := learn.NewStored(m); err == nil || !strings.Contains(err.Error(), "KD.Codes") {
		t.Errorf("the error is %v, which does not say what to do", err)
	}
}
