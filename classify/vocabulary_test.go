package classify

import (
	"slices"
	"testing"
)

func TestVocabulary(t *testing.T) {
	texts := []string{"the cat, the dog", "The END.", "cat dog end end"}
	for _, c := range []struct {
		name              string
		minCount, maxSize int
		want              []string
	}{
		{"all", 1, 0, []string{"end", "the", "cat", "dog", ",", "."}},
		{"zero is all", 0, 0, []string{"end", "the", "cat", "dog", ",", "."}},
		{"minimum count", 2, 0, []string{"end", "the", "cat", "dog"}},
		{"maximum size", 1, 3, []string{"end", "the", "cat"}},
		{"both", 3, 1, []string{"end"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			for range 3 { // any order of texts gives the same
				texts = append(texts[1:], texts[0])
				var counts Counts
				for _, x := range texts {
					counts.Add(x)
				}
				if counts.Total() != 12 || counts.Distinct() != 6 {
					t.Fatalf("%d words, %d different", counts.Total(), counts.Distinct())
				}
				v, err := counts.Vocabulary(c.minCount, c.maxSize)
				if err != nil {
					t.Fatal(err)
				}
				if !slices.Equal(v.Words(), c.want) || v.Len() != len(c.want) {
					t.Fatalf("%q, want %q", v.Words(), c.want)
				}
				for i, w := range c.want {
					if id, ok := v.ID(w); !ok || id != i {
						t.Errorf("the id of %q is %d, %t", w, id, ok)
					}
				}
				if _, ok := v.ID("bird"); ok {
					t.Error("bird has an id")
				}
			}
		})
	}
}

func TestVocabularyErrors(t *testing.T) {
	var counts Counts
	if _, err := counts.Vocabulary(1, 0); err == nil || err.Error() != "classify: a vocabulary of no texts: there are no words to learn from" {
		t.Error(err)
	}
	counts.Add("a b b")
	if _, err := counts.Vocabulary(3, 0); err == nil || err.Error() != "classify: none of 2 different words occurs 3 times: lower the minimum count" {
		t.Error(err)
	}
	if _, err := NewVocabulary([]string{"a", "b", "a"}); err == nil || err.Error() != `classify: words 0 and 2 of a vocabulary are both "a"; words must differ` {
		t.Error(err)
	}
}

func TestAppendIDs(t *testing.T) {
	v, err := NewVocabulary([]string{"cat", ","})
	if err != nil {
		t.Fatal(err)
	}
	if got := v.AppendIDs([]int{9}, "Cat, bird, CAT"); !slices.Equal(got, []int{9, 0, 1, 1, 0}) {
		t.Error(got)
	}
	words := v.Words()
	words[0] = "changed"
	if id, ok := v.ID("cat"); !ok || id != 0 || v.Words()[0] != "cat" {
		t.Error("Words handed out the vocabulary's own slice")
	}
}
