package learn

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/kdcode/kdcode/codefile"
)

// maxCharacters is how many characters have a digit of their own: with the
// padding and the others together, a digit takes a byte.
const maxCharacters = 254

// CharacterCodes returns the words' first characters as their codes, for a
// layer whose codes are not learned: NewKD(n, d).Codes(codes). The paper takes
// length = 10.
//
// Digit 0 stands for the end of a shorter word. Digit k stands for alphabet[k−1]:
// the characters in the order of how often they occur in the codes. Where there
// are more than 254, the digit after the alphabet stands for all the others.
func CharacterCodes(words []string, length int) (codes codefile.Codes, alphabet []rune, err error) {
	switch {
	case len(words) == 0:
		return codes, nil, fmt.Errorf("learn: characters as codes of no words: give the vocabulary in the order of its ids")
	case length < 1 || length > codefile.MaxD:
		return codes, nil, fmt.Errorf("learn: the first %d characters as codes: 1 to %d are possible", length, codefile.MaxD)
	}
	alphabet, others := alphabetOf(words, length)
	digit := make(map[rune]uint16, len(alphabet))
	for k, r := range alphabet {
		digit[r] = uint16(k + 1)
	}
	ways := 1 + len(alphabet)
	if others {
		ways++
	}
	codes = codefile.NewCodes(len(words), max(ways, 2), length)
	row := make([]uint16, length)
	for i, word := range words {
		clear(row)
		for j, r := range firstCharacters(word, length) {
			k, known := digit[r]
			if !known {
				k = uint16(len(alphabet) + 1)
			}
			row[j] = k
		}
		codes.Set(i, row)
	}
	return codes, alphabet, nil
}

// alphabetOf returns the most frequent of the words' first characters, and
// whether there are others.
func alphabetOf(words []string, length int) (alphabet []rune, others bool) {
	count := map[rune]int{}
	for _, word := range words {
		for _, r := range firstCharacters(word, length) {
			count[r]++
		}
	}
	for r := range count {
		alphabet = append(alphabet, r)
	}
	slices.SortFunc(alphabet, func(a, b rune) int {
		return cmp.Or(cmp.Compare(count[b], count[a]), cmp.Compare(a, b))
	})
	if len(alphabet) > maxCharacters {
		return alphabet[:maxCharacters], true
	}
	return alphabet, false
}

// firstCharacters returns the first characters of a word, up to length.
func firstCharacters(word string, length int) []rune {
	all := []rune(word)
	return all[:min(len(all), length)]
}
