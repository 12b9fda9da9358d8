package vectors

import (
	"bytes"
	"encoding/binary"
	"errors"
	"strings"
	"testing"
)

// npyFile makes a .npy file of any header.
func npyFile(version byte, header string, data []byte) []byte {
	b := append(bytes.Clone(npyMagic), version, 0)
	if version == 1 {
		b = binary.LittleEndian.AppendUint16(b, uint16(len(header)))
	} else {
		b = binary.LittleEndian.AppendUint32(b, uint32(len(header)))
	}
	return append(append(b, header...), data...)
}

func TestNpyHeaders(t *testing.T) {
	data := make([]byte, 24)
	for _, header := range []string{
		"{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }   \n",
		"{'descr':'<f4','fortran_order':False,'shape':(2,3)}",
		`{"shape": (2, 3), "descr": "<f4", "fortran_order": False}`,
		"{'shape': (2L, 3L), 'fortran_order': False, 'descr': '<f4'}",
		"{'descr': '=f4', 'fortran_order': False, 'shape': (2, 3), }",
		"{'descr': '<f8', 'fortran_order': False, 'shape': (1, 3), }",
		"{'descr': '>f2', 'fortran_order': False, 'shape': (4, 3), }",
	} {
		for version := range byte(3) {
			if _, err := decode(npyFile(version+1, header, data), Options{}); err != nil {
				t.Errorf("%s: %v", header, err)
			}
		}
	}
}

func TestNpyErrors(t *testing.T) {
	data := make([]byte, 24)
	for _, test := range []struct{ header, want string }{
		{"{'descr': '<f4', 'fortran_order': True, 'shape': (2, 3), }", "the array is in Fortran order: save it with numpy.ascontiguousarray"},
		{"{'descr': '<i4', 'fortran_order': False, 'shape': (2, 3), }", "numbers of type '<i4': save the array with .astype('float32')"},
		{"{'descr': '|S4', 'fortran_order': False, 'shape': (2, 3), }", "numbers of type '|S4'"},
		{"{'descr': [('a', '<f4'), ('b', '<f4')], 'fortran_order': False, 'shape': (2, 3), }", "numbers of type [('a'"},
		{"{'fortran_order': False, 'shape': (2, 3), }", "numbers of type "},
		{"{'descr': '<f4', 'fortran_order': False, 'shape': (6,), }", "an array of shape (6,): a table has rows and columns"},
		{"{'descr': '<f4', 'fortran_order': False, 'shape': (), }", "an array of shape ()"},
		{"{'descr': '<f4', 'fortran_order': False, 'shape': (1, 2, 3), }", "an array of shape (1, 2, 3)"},
		{"{'descr': '<f4', 'fortran_order': False, 'shape': (2, -3), }", "the shape (2, -3)"},
		{"{'descr': '<f4', 'fortran_order': False, 'shape': (2, x), }", "the shape (2, x)"},
		{"{'descr': '<f4', 'fortran_order': False, 'shape': (2, 0), }", "a matrix of 2 rows and 0 columns"},
		{"{'descr': '<f4', 'fortran_order': False, 'shape': (3, 3), }", "it is truncated"},
		{"{'descr': '<f4', 'fortran_order': False, 'shape': (1, 3), }", "12 bytes or more follow the end"},
		{"{'descr': '<f4', 'fortran_order': False, 'shape': (9223372036854775807, 3), }", "more than any file can hold"},
		{"{'descr': '<f4', 'fortran_order': False, 'shape': (92233720368547758070, 3), }", "the shape"},
		{"{'descr': '<f4', 'fortran_order': False, 'shape': (1, 99999999999), }", "columns can be read"},
		{"{'descr': '<f4', 'fortran_order': 7, 'shape': (2, 3), }", `fortran_order is "7"`},
		{"{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3", "no dictionary in the header"},
		{"{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3}", "no end of the value of 'shape'"},
		{"{descr: 1}", "no key at"},
		{"{", "no dictionary"},
		{"", "no dictionary"},
	} {
		if _, err := decode(npyFile(1, test.header, data), Options{}); !errors.Is(err, ErrFormat) || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: error %v, want …%s…", test.header, err, test.want)
		}
	}
	if _, err := decode(npyFile(9, "", data), Options{}); !errors.Is(err, ErrFormat) || !strings.Contains(err.Error(), "version 9") {
		t.Error(err)
	}
	big := npyFile(1, "{'descr': '<f8', 'fortran_order': False, 'shape': (1, 2), }", binary.LittleEndian.AppendUint64(make([]byte, 8), 0x7fe0000000000000))
	if _, err := decode(big, Options{}); !errors.Is(err, ErrFormat) || !strings.Contains(err.Error(), "row 0, column 1 holds a number beyond float32") {
		t.Error(err)
	}
}
