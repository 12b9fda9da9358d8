package pickle

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
)

// ended is the message where the data stops short.
func (m *machine) ended() string {
	return fmt.Sprintf("offset %d: the pickle ends without STOP: the file is truncated; copy or download it again", len(m.data))
}

// take returns the next n bytes, which are the input's own.
func (m *machine) take(n int) ([]byte, error) {
	if left := len(m.data) - m.pos; n < 0 || n > left { // below 0 where an int has 32 bits
		return nil, m.failf("%d bytes are missing at the end: the file is truncated; copy or download it again", int64(uint32(n))-int64(left))
	}
	b := m.data[m.pos : m.pos+n]
	m.pos += n
	return b, nil
}

// number reads an unsigned number of so many bytes, 4 at most.
func (m *machine) number(size int) (int, error) {
	b, err := m.take(size)
	n := uint32(0)
	for i, c := range b {
		n |= uint32(c) << (8 * i)
	}
	return int(n), err
}

// line reads what stands before the next newline.
func (m *machine) line() (string, error) {
	n := bytes.IndexByte(m.data[m.pos:], '\n')
	if n < 0 {
		return "", m.failf("the line has no end: the file is truncated; copy or download it again")
	}
	line := string(m.data[m.pos : m.pos+n])
	m.pos += n + 1
	return line, nil
}

func (m *machine) lineNumber() (int, error) {
	line, err := m.line()
	if err != nil {
		return 0, err
	}
	n, err := strconv.ParseUint(line, 10, 31)
	if err != nil {
		return 0, m.failf("%q is not a number; download the file again", clip(line))
	}
	return int(n), nil
}

// fixedInt reads a number of so many bytes: signed if there are four.
func (m *machine) fixedInt(size int) error {
	n, err := m.number(size)
	if err != nil {
		return err
	}
	if size == 4 {
		return m.push(int64(int32(n)))
	}
	return m.push(int64(n))
}

// intLine reads a number as text; 00 and 01 are the truth values.
func (m *machine) intLine() error {
	line, err := m.line()
	switch {
	case err != nil:
		return err
	case line == "00" || line == "01":
		return m.push(line == "01")
	}
	return m.pushInt(line)
}

func (m *machine) longLine() error {
	line, err := m.line()
	if err != nil {
		return err
	}
	return m.pushInt(strings.TrimSuffix(line, "L"))
}

func (m *machine) pushInt(line string) error {
	n, err := strconv.ParseInt(line, 10, 64)
	if err != nil {
		return m.failf("%q is not a number of at most 64 bits; download the file again", clip(line))
	}
	return m.push(n)
}

// long1 reads a number in two's complement, its length before it.
func (m *machine) long1() error {
	size, err := m.number(1)
	if err != nil {
		return err
	}
	if size > 8 {
		return m.failf("a number of %d bytes: 8 are the most; the file is not one of Planetoid's", size)
	}
	b, err := m.take(size)
	if err != nil {
		return err
	}
	n := int64(0)
	for i, c := range b {
		n |= int64(c) << (8 * i)
	}
	unused := 64 - 8*size // its sign is in the top bit of the last byte
	return m.push(n << unused >> unused)
}

// clip shortens what an error quotes.
func clip(s string) string {
	const most = 40
	if len(s) <= most {
		return s
	}
	return s[:most] + "…"
}
