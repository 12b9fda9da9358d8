package classify

import (
	"iter"
	"unicode"
	"unicode/utf8"
	"unsafe"
)

// TokenizerName names the rules of Tokenizer in the metadata of a code file.
// Other rules will have another name.
const TokenizerName = "lower-punct-1"

// Tokenizer splits texts into words. A run of letters, digits and marks is a
// token, lower-cased; every other character is a token of its own, except
// that white space, control and format characters only separate. So "It's 1.8
// km" becomes it ' s 1 . 8 km, and so does "it 's 1.8 km": apostrophes are
// split, since some corpora come with spaces at them and some without.
// A byte that is not UTF-8 becomes the token U+FFFD.
//
// The zero value is ready for use. It allocates nothing per token.
type Tokenizer struct {
	rest  []byte
	token []byte
}

// Reset makes text the text to split. It must not be changed meanwhile.
func (t *Tokenizer) Reset(text []byte) {
	t.rest = text
	if t.token == nil {
		t.token = make([]byte, 64)
	}
}

// ResetString is Reset for a string.
func (t *Tokenizer) ResetString(text string) {
	t.Reset(unsafe.Slice(unsafe.StringData(text), len(text))) // only read
}

// Tokens returns the tokens of a text.
func Tokens(text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		var t Tokenizer
		t.ResetString(text)
		for w := t.Next(); w != nil; w = t.Next() {
			if !yield(string(w)) {
				return
			}
		}
	}
}

// The values of ascii: a separator, the start of a longer rune, a character
// that is a token (itself with the high bit), or else the lower case of a
// character of words.
const (
	separator = 0
	nonASCII  = 0xff
	alone     = 0x80
)

var ascii = func() (table [256]byte) {
	for c := range table {
		switch r := rune(c); {
		case r >= utf8.RuneSelf:
			table[c] = nonASCII
		case separates(r):
			table[c] = separator
		case inWord(r):
			table[c] = byte(unicode.ToLower(r))
		default:
			table[c] = byte(c) | alone
		}
	}
	return table
}()

// inWord reports whether r continues a word.
func inWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsNumber(r) }

// separates reports whether r is in no token.
func separates(r rune) bool {
	return unicode.IsSpace(r) || unicode.In(r, unicode.Cc, unicode.Cf, unicode.Z)
}

// Next returns the next token, which is valid until the next call, or nil at
// the end of the text.
func (t *Tokenizer) Next() []byte {
	text, token := t.rest, t.token
	if len(text) == 0 {
		return nil
	}
	i := 0
	for i < len(text) && ascii[text[i]] == separator {
		i++
	}
	n := 0
	for ; i < len(text); i++ {
		c := ascii[text[i]]
		if c-1 >= alone-1 { // the end of the word, or no character of one
			if c == nonASCII {
				return t.other(text[i:], n)
			}
			if n == 0 {
				token[0], n = c&^alone, 1
				i++
			}
			break
		}
		if n == len(token) {
			token = t.grow()
		}
		token[n] = c
		n++
	}
	t.rest = text[i:]
	if n == 0 {
		return nil
	}
	return token[:n]
}

// other goes on with Next where a rune beyond ASCII begins a token, separates
// tokens, or follows a word of n bytes so far.
func (t *Tokenizer) other(text []byte, n int) []byte {
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		word := inWord(r)
		if !word && n > 0 {
			break
		}
		text = text[size:]
		if !word && separates(r) {
			continue
		}
		if len(t.token)-n < utf8.UTFMax {
			t.grow()
		}
		n += utf8.EncodeRune(t.token[n:], unicode.ToLower(r))
		if !word {
			break
		}
	}
	t.rest = text
	if n == 0 {
		return nil
	}
	return t.token[:n]
}

func (t *Tokenizer) grow() []byte {
	t.token = append(t.token, make([]byte, len(t.token))...)
	return t.token
}
