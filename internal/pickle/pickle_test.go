package pickle

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// golden are the values of testdata/golden.py.
var golden = map[string]any{
	"lists": map[int][]int{0: {2, 1, 70000}, 1: {0}, 2: {}, 300: {0, 0, 300}},
	"dict":  map[int][]int{5: {1}, 6: {-1, 2}},
	"csr":   goldenCSR, "csr64": goldenCSR,
	"int32":   &Array{Shape: []int{2, 3}, Ints: []int64{0, 1, 0, 1, 0, 0}},
	"fortran": &Array{Shape: []int{2, 3}, Ints: []int64{1, 2, 3, 4, 5, 6}},
	"big":     &Array{Shape: []int{3}, Ints: []int64{1, -2, 1 << 40}},
	"float64": &Array{Shape: []int{2, 2}, Floats: []float64{0.5, -1e300, math.Inf(1), 3}},
	"bytes":   &Array{Shape: []int{256}, Ints: counting(256)},
	"bool":    &Array{Shape: []int{2}, Ints: []int64{1, 0}},
	"empty":   &Array{Shape: []int{0, 4}, Floats: []float64{}},
}

var goldenCSR = &CSR{Rows: 3, Cols: 3, Indptr: []int{0, 1, 1, 3}, Indices: []int{1, 0, 2}, Data: []float64{1.5, 2, -3}}

func counting(n int) []int64 {
	ints := make([]int64, n)
	for i := range ints {
		ints[i] = int64(i)
	}
	return ints
}

// samples returns the golden files by name.
func samples(t testing.TB) map[string][]byte {
	paths, err := filepath.Glob("testdata/*.pickle")
	if err != nil || len(paths) == 0 {
		t.Fatal("no golden files", err)
	}
	files := make(map[string][]byte)
	for _, path := range paths {
		if files[filepath.Base(path)], err = os.ReadFile(path); err != nil {
			t.Fatal(err)
		}
	}
	return files
}

func TestGolden(t *testing.T) {
	for file, data := range samples(t) {
		t.Run(file, func(t *testing.T) {
			got, err := Decode(data)
			if err != nil {
				t.Fatal(err)
			}
			if want := golden[strings.Split(file, ".")[2]]; !reflect.DeepEqual(got, want) {
				t.Errorf("%#v, want %#v", got, want)
			}
		})
	}
}

// Every file cut short is an error, at every length.
func TestTruncated(t *testing.T) {
	for file, data := range samples(t) {
		for n := range data {
			if v, err := Decode(data[:n]); !errors.Is(err, ErrFormat) || v != nil {
				t.Fatalf("%s cut to %d bytes: %v, %v", file, n, v, err)
			}
		}
	}
}

// A byte changed anywhere gives a value or an error, and never a panic.
func TestDamaged(t *testing.T) {
	for file, data := range samples(t) {
		for n, old := range data {
			for _, c := range []byte{0, '.', '(', 0xff, old + 1, old ^ 0x80} {
				data[n] = c
				if _, err := Decode(data); err != nil && !errors.Is(err, ErrFormat) {
					t.Fatalf("%s with byte %d damaged: %v", file, n, err)
				}
			}
			data[n] = old
		}
	}
}

func TestErrors(t *testing.T) {
	const array = "cnumpy.core.multiarray\n_reconstruct\n(cnumpy\nndarray\n(I0\ntS'b'\ntR"
	const int4 = "cnumpy\ndtype\n(S'i4'\nI0\nI1\ntR(I3\nS'<'\nNNNI-1\nI-1\nI0\ntb"
	const csr = "cscipy.sparse.csr\ncsr_matrix\n)\x81}"
	for _, c := range []struct{ name, data, want string }{
		{"os.system", "cos\nsystem\n(S'echo x'\ntR.", "offset 0: opcode GLOBAL: the pickle wants Python's os.system"},
		{"a builtin", "\x80\x02c__builtin__\neval\n.", "offset 2: opcode GLOBAL: the pickle wants Python's __builtin__.eval"},
		{"an instance", "\x80\x02(ios\nsystem\n.", "offset 3: opcode INST: Planetoid's files do without it"},
		{"protocol 4", "\x80\x04\x95", "protocol 4: 0 to 2 can be read; write the file with pickle.dump(…, protocol=2)"},
		{"not a pickle", "Hello", "does not begin like a pickle"},
		{"no opcode", "N\x05.", "offset 1: opcode 0x05"},
		{"empty", "", "offset 0: the pickle ends without STOP"},
		{"only a number", "I7\n.", "offset 3: opcode STOP: the pickle is the number 7: a CSR matrix"},
		{"only a name", "c__builtin__\nlist\n.", "the pickle is the name list"},
		{"values left over", "NN.", "values are left over"},
		{"two pickles", "N.N.", "2 more bytes follow the end"},
		{"a mark left over", "(N.", "values are left over"},
		{"nothing", ".", "a value is missing"},
		{"a mark in the way", "N(0", "opcode POP"},
		{"pop below a mark", "](a", "opcode APPEND: a value is missing"},
		{"no mark", "t", "opcode TUPLE: no MARK"},
		{"a short tuple", "N\x86", "a value is missing"},
		{"append to a dictionary", "}Na.", "appends to a dictionary"},
		{"set in a list", "]NNs.", "sets an item of a list"},
		{"an odd item", "}(Nu.", "a key without a value"},
		{"an unknown memo", "h\x05.", "nothing was remembered under 5"},
		{"an empty memo", "q\x05.", "no value to remember"},
		{"a bad memo", "Np-1\n.", `"-1" is not a number`},
		{"a bad number", "Ix\n.", `"x" is not a number`},
		{"a huge number", "L99999999999999999999L\n.", "64 bits"},
		{"a long of 9 bytes", "\x8a\x09123456789.", "a number of 9 bytes"},
		{"no quotes", "Sabc\n.", "not in quotes"},
		{"a lone quote", "S'\n.", "not in quotes"},
		{"an unfinished escape", "S'\\x1'\n.", "unfinished escape"},
		{"an unfinished code point", "V\\u12\n.", "unfinished escape"},
		{"bad UTF-8", "X\x01\x00\x00\x00\xff.", "not UTF-8"},
		{"a string of 4 GB", "T\xff\xff\xff\xffabc", "opcode BINSTRING: 4294967292 bytes are missing"},
		{"deep", strings.Repeat("(", 100), "more than 64 values within one another"},
		{"a call of a number", "I1\n)R.", "the number 1 is called"},
		{"a call with a list", "c__builtin__\nlist\n]R.", "the arguments are a list"},
		{"a call of a type", "c__builtin__\nlist\n)R.", "list with arguments that"},
		{"an object of a type", "c__builtin__\nlist\n)\x81.", "an object of class list"},
		{"a default of another kind", "ccollections\ndefaultdict\n(c__builtin__\nobject\ntR.", "defaultdict with arguments"},
		{"bytes in another encoding", "c_codecs\nencode\n(Va\nVrot13\ntR.", "not a text in latin1"},
		{"bytes beyond latin-1", "c_codecs\nencode\n(V\\u20ac\nVlatin1\ntR.", "not a text in latin1"},
		{"state of a list", "]}b.", "a list is given a state"},
		{"an array without contents", array + ".", "the array has no contents"},
		{"an array of objects", "cnumpy\ndtype\n(S'O8'\nI0\nI1\ntR.", `numbers of type "O8"`},
		{"a structured type", "cnumpy\ndtype\n(S'i4'\nI0\nI1\ntR(I3\nS'|'\nNNS'x'\nI0\nI0\nI0\ntb.", "not the state of a plain type"},
		{"a strange byte order", "cnumpy\ndtype\n(S'i4'\nI0\nI1\ntR(I3\nS'!'\nNNNtb.", `byte order "!"`},
		{"another state of an array", array + "Nb.", "not the state of an array"},
		{"a state without type", array + "(I1\n)NI00\nS''\ntb.", "not the state of an array of numbers"},
		{"a shape of strings", array + "(I1\n(S'x'\nt" + int4 + "I00\nS''\ntb.", "where a size is wanted"},
		{"a shape that is none", array + "(I1\nN" + int4 + "I00\nS''\ntb.", "the shape is None"},
		{"a negative shape", array + "(I1\n(I-1\nt" + int4 + "I00\nS''\ntb.", "the number -1 where a size is wanted"},
		{"too little data", array + "(I1\n(I1000000000\nI3\nt" + int4 + "I00\nS'abcd'\ntb.", "but 4 bytes of data"},
		{"a shape that overflows", array + "(I1\n(I1073741824\nI1073741824\nI16\nt" + int4 + "I00\nS''\ntb.", "but 0 bytes of data"},
		{"a matrix without state", "cscipy.sparse.csr\ncsr_matrix\n)\x81.", "lacks one of"},
		{"a matrix without arrays", csr + "S'_shape'\n(I2\nI2\ntsb.", "lacks one of"},
		{"a matrix in another format", csr + "S'format'\nS'csc'\nsb.", "write it with .tocsr()"},
		{"a matrix of strings", csr + "S'data'\nS'x'\nsb.", "data of a CSR matrix is a string"},
		{"a matrix without shape", csr + "b.", "the shape is None"},
		{"a matrix of one dimension", csr + "S'_shape'\n(I2\ntsb.", "of 1 dimensions"},
		{"a list of strings", "}I1\n(S'a'\nls.", "item 0 of key 1 is a string"},
		{"a dictionary of numbers", "}I1\nI2\ns.", "the value of key 1 is the number 2"},
		{"keys that are strings", "}S'a'\n]s.", "a key of the dictionary is a string"},
		{"a list mentioned again and again", "}(I0\n](" + strings.Repeat("K\x01", 99) + "eq\x00" + mentions(99) + "u.", "more items than the pickle has bytes"},
	} {
		t.Run(c.name, func(t *testing.T) {
			v, err := Decode([]byte(c.data))
			if !errors.Is(err, ErrFormat) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, %v; want an error with %q", v, err, c.want)
			}
		})
	}
}

// mentions are n items of a dictionary that are all what the memo has at 0.
func mentions(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString("K" + string([]byte{byte(i)}) + "h\x00")
	}
	return b.String()
}

func TestMatrixChecked(t *testing.T) {
	for name, c := range map[string]*CSR{
		"no row pointers":       {Rows: 0, Cols: 1},
		"too few row pointers":  {Rows: 2, Cols: 1, Indptr: []int{0, 0}},
		"a start above 0":       {Rows: 1, Cols: 1, Indptr: []int{1, 1}, Indices: []int{0}, Data: []float64{1}},
		"falling row pointers":  {Rows: 2, Cols: 1, Indptr: []int{0, 1, 0}, Indices: []int{0}, Data: []float64{1}},
		"a row beyond the data": {Rows: 1, Cols: 1, Indptr: []int{0, 2}, Indices: []int{0, 0}, Data: []float64{1}},
		"a column outside":      {Rows: 1, Cols: 1, Indptr: []int{0, 1}, Indices: []int{1}, Data: []float64{1}},
		"a negative column":     {Rows: 1, Cols: 1, Indptr: []int{0, 1}, Indices: []int{-1}, Data: []float64{1}},
	} {
		if err := (&machine{}).checkCSR(c); !errors.Is(err, ErrFormat) {
			t.Errorf("%s: %v", name, err)
		}
	}
	reserved := &CSR{Rows: 1, Cols: 1, Indptr: []int{0, 1}, Indices: []int{0, 77}, Data: []float64{1, 2}}
	if err := (&machine{}).checkCSR(reserved); err != nil || len(reserved.Data) != 1 || len(reserved.Indices) != 1 {
		t.Errorf("what scipy reserved: %v, %v", reserved, err)
	}
}

func TestStrings(t *testing.T) {
	for _, c := range []struct {
		data string
		want any
	}{
		{`S'a\x00\xff\n\t\r\\\'"'` + "\n.", "a\x00\xff\n\t\r\\'\""},
		{`S"it's \101\0\q"` + "\n.", "it's A\x00\\q"},
		{"U\x03a\x00\xff.", "a\x00\xff"},
		{"T\x02\x00\x00\x00\r\n.", "\r\n"},
		{"Va\\u000a\xe9\\U0001f600\\x\n.", newText("a\né😀\\x")},
		{"X\x02\x00\x00\x00\xc3\xa9.", text{"é", 1}},
		{"I01\n.", true}, {"I00\n.", false}, {"I-7\n.", int64(-7)}, {"L-7L\n.", int64(-7)}, {"L7\n.", int64(7)},
		{"J\xfe\xff\xff\xff.", int64(-2)}, {"M\xfe\xff.", int64(65534)}, {"\x8a\x00.", int64(0)}, {"\x8a\x02\xfe\xff.", int64(-2)},
		{"\x8a\x08\x00\x00\x00\x00\x00\x00\x00\x80.", int64(math.MinInt64)},
	} {
		m := &machine{data: []byte(c.data)}
		if got, err := m.run(); err != nil || got != c.want {
			t.Errorf("%q: %q, %v; want %q", c.data, got, err, c.want)
		}
	}
}
