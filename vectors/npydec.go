package vectors

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

var npyMagic = []byte("\x93NUMPY")

// maxNpyHeader is the longest header read. NumPy itself refuses more than
// 10,000 bytes.
const maxNpyHeader = 1 << 16

// newNpyDecoder reads the header of a .npy file, of versions 1 to 3.
func newNpyDecoder(in *input) (*matrix, error) {
	head := make([]byte, len(npyMagic)+4, len(npyMagic)+6)
	if _, err := io.ReadFull(in, head); err != nil {
		return nil, npyShort(in, err)
	}
	length := int64(binary.LittleEndian.Uint16(head[8:]))
	switch head[6] {
	case 1:
	case 2, 3:
		head = head[:12]
		if _, err := io.ReadFull(in, head[10:]); err != nil {
			return nil, npyShort(in, err)
		}
		length = int64(binary.LittleEndian.Uint32(head[8:]))
	default:
		return nil, badf(atOffset(in.name, 6), "version %d of .npy: 1 to 3 can be read; save the array with numpy.save", head[6])
	}
	if length > maxNpyHeader {
		return nil, badf(atOffset(in.name, 8), "a header of %d bytes (at most %d): save the array with numpy.save", length, maxNpyHeader)
	}
	text := make([]byte, length)
	if _, err := io.ReadFull(in, text); err != nil {
		return nil, npyShort(in, err)
	}
	m := &matrix{in: in, start: int64(len(head)) + length}
	if err := m.parseNpy(string(text)); err != nil {
		return nil, badf(atOffset(in.name, int64(len(head))), "%v", err)
	}
	return m, m.check()
}

func npyShort(in *input, err error) error {
	if short(err) {
		return badf(in.name, "the file ends inside its header: it is truncated; copy or download it again")
	}
	return err
}

// parseNpy reads a header such as
//
//	{'descr': '<f4', 'fortran_order': False, 'shape': (10, 100), }
func (m *matrix) parseNpy(text string) error {
	fields, err := parseDict(text)
	if err != nil {
		return fmt.Errorf("%w in the header; save the array with numpy.save", err)
	}
	descr, order, shape := fields["descr"], fields["fortran_order"], fields["shape"]
	types := map[string]DType{"f2": Float16, "f4": Float32, "f8": Float64}
	var ok bool
	if len(descr) == 5 {
		m.dtype, ok = types[descr[2:4]]
		m.bigEndian = descr[1] == '>'
	}
	if !ok || !strings.ContainsRune("<>=", rune(descr[1])) {
		return fmt.Errorf("numbers of type %s: save the array with .astype('float32')", clip(descr))
	}
	var sizes []int
	for size := range strings.SplitSeq(strings.Trim(shape, "()"), ",") {
		size = strings.TrimSuffix(strings.TrimSpace(size), "L") // Python 2's long integers
		if size == "" {
			continue
		}
		n, err := strconv.Atoi(size)
		if err != nil || n < 0 {
			return fmt.Errorf("the shape %s; save the array with numpy.save", clip(shape))
		}
		sizes = append(sizes, n)
	}
	if len(sizes) != 2 {
		return fmt.Errorf("an array of shape %s: a table has rows and columns; save it with .reshape(rows, columns)", clip(shape))
	}
	m.rows, m.dim = sizes[0], sizes[1]
	switch order {
	case "False":
		return nil
	case "True":
		return errors.New("the array is in Fortran order: save it with numpy.ascontiguousarray")
	}
	return fmt.Errorf("fortran_order is %q; save the array with numpy.save", clip(order))
}

// parseDict reads a Python dictionary whose keys are strings, and returns the
// text of its values.
func parseDict(text string) (map[string]string, error) {
	text = strings.TrimSpace(text)
	if len(text) < 2 || text[0] != '{' || text[len(text)-1] != '}' {
		return nil, errors.New("no dictionary")
	}
	inner := text[1 : len(text)-1]
	fields := make(map[string]string)
	for {
		inner = strings.TrimLeft(inner, " ,")
		if inner == "" {
			return fields, nil
		}
		key, rest, ok := strings.Cut(inner, ":")
		key = strings.TrimSpace(key)
		if !ok || len(key) < 2 || key[0] != key[len(key)-1] || key[0] != '\'' && key[0] != '"' {
			return nil, fmt.Errorf("no key at %q", clip(inner))
		}
		rest = strings.TrimLeft(rest, " ")
		end := strings.IndexByte(rest, ',')
		switch {
		case strings.HasPrefix(rest, "("):
			end = strings.IndexByte(rest, ')') + 1
		case strings.HasPrefix(rest, "["): // a structured type: refused by its brackets
			end = strings.LastIndexByte(rest, ']') + 1
		case end < 0:
			end = len(rest)
		}
		if end == 0 {
			return nil, fmt.Errorf("no end of the value of %s", key)
		}
		fields[key[1:len(key)-1]] = strings.TrimSpace(rest[:end])
		inner = rest[end:]
	}
}
