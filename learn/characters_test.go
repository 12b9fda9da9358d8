package learn_test

import (
	"slices"
	"testing"

	"github.com/kdcode/kdcode/codefile"
	"github.com/kdcode/kdcode/learn"
)

func TestCharacterCodes(t *testing.T) {
	codes, alphabet, err := learn.CharacterCodes([]string{"abba", "", "été", "aab", "abcdef"}, 3)
	if err != nil {
		t.Fatal(err)
	}
	if got := string(alphabet); got != "abéct" {
		t.Errorf("the alphabet is %q", got)
	}
	if codes.K != 6 || codes.D != 3 || codes.N() != 5 {
		t.Errorf("N, K, D = %d, %d, %d", codes.N(), codes.K, codes.D)
	}
	for i, want := range [][]uint16{{1, 2, 2}, {0, 0, 0}, {3, 5, 3}, {1, 1, 2}, {1, 2, 4}} {
		got := make([]uint16, 3)
		if codes.Get(got, i); !slices.Equal(got, want) {
			t.Errorf("word %d has the code %v, not %v", i, got, want)
		}
	}
	checkExport(t, learn.NewKD(5, 4).Codes(codes), 3)

	var many []string
	for r := 'Ā'; len(many) < 300; r++ {
		many = append(many, string(r))
	}
	codes, alphabet, err = learn.CharacterCodes(append(many, many[280]), 1)
	if err != nil {
		t.Fatal(err)
	}
	got := make([]uint16, 1)
	if codes.Get(got, 290); codes.K != 256 || len(alphabet) != 254 || got[0] != 255 {
		t.Errorf("K = %d, %d characters, a rare one is digit %d", codes.K, len(alphabet), got[0])
	}
	if codes.Get(got, 280); got[0] != 1 {
		t.Errorf("the most frequent character is digit %d", got[0])
	}
	for _, length := range []int{0, codefile.MaxD + 1} {
		if _, _, err := learn.CharacterCodes(many, length); err == nil {
			t.Errorf("codes of length %d are no error", length)
		}
	}
	if _, _, err := learn.CharacterCodes(nil, 10); err == nil {
		t.Error("no words are no error")
	}
}
