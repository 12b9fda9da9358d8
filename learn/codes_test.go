package learn_test

import (
	"math"
	"testing"

	"github.com/kdcode/kdcode/learn"
)

// TestEntropyFollowsTemperature: as τ falls, the same logits are more decided.
func TestEntropyFollowsTemperature(t *testing.T) {
	entropy := func(tau float64) float64 {
		layer := learn.NewKD(9, 4).Ways(5).CodeLength(3).Temperature(learn.Temperature{Initial: tau})
		store := trained(t, layer, 3)
		codes, e, err := layer.CodesAndEntropy(store.Scope("/symbols"))
		if err != nil {
			t.Fatal(err)
		}
		plain, err := layer.LearnedCodes(store.Scope("/symbols"))
		if err != nil {
			t.Fatal(err)
		}
		if differ, err := learn.Compare(codes, plain); err != nil || differ != 0 {
			t.Errorf("τ = %g: the codes differ in %g of the digits: %v", tau, differ, err)
		}
		return e
	}
	if hot := entropy(1e6); math.Abs(hot-math.Log(5)) > 1e-3 {
		t.Errorf("entropy %g at a high temperature, want log 5", hot)
	}
	if cold := entropy(1e-4); cold > 1e-2 {
		t.Errorf("entropy %g at a low temperature, want nearly 0", cold)
	}
}

func TestRandomCodes(t *testing.T) {
	a, b := learn.RandomCodes(50, 7, 5, 1), learn.RandomCodes(50, 7, 5, 2)
	differ, err := learn.Compare(a, b)
	if err != nil || differ < 0.7 || differ > 0.97 {
		t.Errorf("two draws of 7 values differ in %g of the digits: %v", differ, err)
	}
	if _, err := learn.Compare(a, learn.RandomCodes(50, 8, 5, 1)); err == nil {
		t.Error("codes of different shapes are compared")
	}
	if n := learn.SharingCodes(learn.RandomCodes(50, 2, 1, 1)); n != 50 {
		t.Errorf("%d of 50 symbols share one of two codes", n)
	}
}
