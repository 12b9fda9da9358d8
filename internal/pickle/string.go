package pickle

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// text is a unicode string. latin1 is its length in that encoding, or -1 where
// it has none: counted once, since a pickle can mention a string many times.
type text struct {
	s      string
	latin1 int
}

// encoded is a text that Python 3 encoded as latin-1: its way of storing bytes
// in protocols without bytes. It is decoded when its bytes are wanted.
type encoded struct{ text }

func newText(s string) text {
	n := 0
	for _, r := range s {
		if r > 0xff {
			return text{s, -1}
		}
		n++
	}
	return text{s, n}
}

// bytes returns the text in latin-1, which it must have.
func (e encoded) bytes() string {
	b := make([]byte, 0, e.latin1)
	for _, r := range e.s {
		b = append(b, byte(r))
	}
	return string(b)
}

// word returns a string of any of the three kinds. They agree where all is
// ASCII, as in the names that it is for.
func word(v any) (string, bool) {
	switch v := v.(type) {
	case string:
		return v, true
	case text:
		return v.s, true
	case encoded:
		return v.s, true
	}
	return "", false
}

// countedString reads bytes whose number stands before them.
func (m *machine) countedString(size int) error {
	n, err := m.number(size)
	if err != nil {
		return err
	}
	b, err := m.take(n)
	if err != nil {
		return err
	}
	return m.push(string(b))
}

func (m *machine) countedUnicode() error {
	n, err := m.number(4)
	if err != nil {
		return err
	}
	b, err := m.take(n)
	if err != nil {
		return err
	}
	if !utf8.Valid(b) {
		return m.failf("the text is not UTF-8: the file is damaged; download it again")
	}
	return m.push(newText(string(b)))
}

// stringLine reads a string as Python 2's repr writes it.
func (m *machine) stringLine() error {
	line, err := m.line()
	if err != nil {
		return err
	}
	last := len(line) - 1
	if last < 1 || line[0] != line[last] || line[0] != '\'' && line[0] != '"' {
		return m.failf("the string %s is not in quotes: the file is damaged; download it again", clip(line))
	}
	s, ok := unescape(line[1:last])
	if !ok {
		return m.failf("the string has an unfinished escape: the file is damaged; download it again")
	}
	return m.push(s)
}

var escapes = map[byte]byte{
	'\\': '\\', '\'': '\'', '"': '"', 'a': '\a', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t', 'v': '\v',
}

// unescape undoes Python 2's escapes of bytes. A backslash before anything else
// stays, as it does in Python.
func unescape(s string) (string, bool) {
	b := make([]byte, 0, len(s))
	for {
		plain, rest, found := strings.Cut(s, `\`)
		b = append(b, plain...)
		if !found {
			return string(b), true
		}
		if rest == "" {
			return "", false
		}
		c, known := escapes[rest[0]]
		switch n := octal(rest); {
		case known:
			b, s = append(b, c), rest[1:]
		case n > 0:
			v, _ := strconv.ParseUint(rest[:n], 8, 16)
			b, s = append(b, byte(v)), rest[n:]
		case rest[0] == 'x':
			if len(rest) < 3 {
				return "", false
			}
			v, err := strconv.ParseUint(rest[1:3], 16, 8)
			if err != nil {
				return "", false
			}
			b, s = append(b, byte(v)), rest[3:]
		default:
			b, s = append(b, '\\', rest[0]), rest[1:]
		}
	}
}

// octal counts the octal digits that s begins with, three at most.
func octal(s string) int {
	n := 0
	for n < len(s) && n < 3 && '0' <= s[n] && s[n] <= '7' {
		n++
	}
	return n
}

// unicodeLine reads a text in latin-1 with \uXXXX and \UXXXXXXXX for the rest.
func (m *machine) unicodeLine() error {
	line, err := m.line()
	if err != nil {
		return err
	}
	var b strings.Builder
	for i := 0; i < len(line); i++ {
		digits := 0
		if line[i] == '\\' && i+1 < len(line) {
			digits = map[byte]int{'u': 4, 'U': 8}[line[i+1]]
		}
		if digits == 0 {
			b.WriteRune(rune(line[i]))
			continue
		}
		var r uint64
		end := i + 2 + digits
		if end <= len(line) {
			r, err = strconv.ParseUint(line[i+2:end], 16, 31)
		}
		if end > len(line) || err != nil {
			return m.failf("the text has an unfinished escape: the file is damaged; download it again")
		}
		b.WriteRune(rune(r))
		i = end - 1
	}
	return m.push(newText(b.String()))
}
