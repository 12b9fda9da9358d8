package vectors

import (
	"errors"
	"io"
	"math"
	"slices"
	"strings"
	"testing"
)

func TestTextQuirks(t *testing.T) {
	for _, test := range []struct {
		name, text string
		symbols    []string
		data       []float32
		blanks     Skip
	}{
		{"ordinary", "a 1 2\nb 3 4\n", []string{"a", "b"}, []float32{1, 2, 3, 4}, Skip{}},
		{"no final newline", "a 1 2\nb 3 4", []string{"a", "b"}, []float32{1, 2, 3, 4}, Skip{}},
		{"CRLF", "a 1 2\r\nb 3 4\r\n", []string{"a", "b"}, []float32{1, 2, 3, 4}, Skip{}},
		{"CRLF and header", "2 2\r\na 1 2\r\nb 3 4\r\n", []string{"a", "b"}, []float32{1, 2, 3, 4}, Skip{}},
		{"blank lines", "\n\na 1 2\n\nb 3 4\n \n\t\n\n", []string{"a", "b"}, []float32{1, 2, 3, 4}, Skip{3, "data:1"}},
		{"blank lines and header", "2 2\n\na 1 2\nb 3 4\n\n", []string{"a", "b"}, []float32{1, 2, 3, 4}, Skip{1, "data:2"}},
		{"trailing spaces", "a 1 2 \nb 3 4  \t\n", []string{"a", "b"}, []float32{1, 2, 3, 4}, Skip{}},
		{"tabs", "a\t1\t2\nb\t3 4\n", []string{"a", "b"}, []float32{1, 2, 3, 4}, Skip{}},
		{"several separators", "a  1   2\nb \t 3\t\t4\n", []string{"a", "b"}, []float32{1, 2, 3, 4}, Skip{}},
		{"byte order mark", "\xef\xbb\xbfa 1 2\nb 3 4\n", []string{"a", "b"}, []float32{1, 2, 3, 4}, Skip{}},
		{"byte order mark and header", "\xef\xbb\xbf2 2\na 1 2\nb 3 4\n", []string{"a", "b"}, []float32{1, 2, 3, 4}, Skip{}},
		{"padded header", "      2 2\na 1 2\nb 3 4\n", []string{"a", "b"}, []float32{1, 2, 3, 4}, Skip{}},
		{"header without the count", "2\na 1 2\nb 3 4\n", []string{"a", "b"}, []float32{1, 2, 3, 4}, Skip{}},
		{"words with spaces", ". . . 1 2\nat name@domain.com 3 4\ntop 10 5 6\nx 7 8\n", []string{". . .", "at name@domain.com", "top 10", "x"}, []float32{1, 2, 3, 4, 5, 6, 7, 8}, Skip{}},
		{"words with spaces and header", "2 2\n. . . 1 2\ntop 10 3 4\n", []string{". . .", "top 10"}, []float32{1, 2, 3, 4}, Skip{}},
		{"a word with two spaces", "a  b 1 2\nc 3 4\n", []string{"a  b", "c"}, []float32{1, 2, 3, 4}, Skip{}},
		{"leading space", " a 1 2\nb 3 4\n", []string{"a", "b"}, []float32{1, 2, 3, 4}, Skip{}},
		{"numbers as words", "7 1 2\n8 3 4\nnan 5 6\n", []string{"7", "8", "nan"}, []float32{1, 2, 3, 4, 5, 6}, Skip{}},
		{"bytes that are not UTF-8", "\xff\xfeab 1 2\n\x80 3 4\n", []string{"\xff\xfeab", "\x80"}, []float32{1, 2, 3, 4}, Skip{}},
		{"Unicode spaces in words", "a\u00a0b 1 2\n\u3000 3 4\n\u0085 5 6\n", []string{"a\u00a0b", "\u3000", "\u0085"}, []float32{1, 2, 3, 4, 5, 6}, Skip{}},
		{"a brace", "{ 1 2\n\"x\": 3 4\n", []string{"{", `"x":`}, []float32{1, 2, 3, 4}, Skip{}},
		{"a bzip2 word", "BZh 1 2\nb 3 4\n", []string{"BZh", "b"}, []float32{1, 2, 3, 4}, Skip{}},
		{"infinities", "a inf -inf\nb +Infinity -INF\n", []string{"a", "b"}, []float32{float32(math.Inf(1)), float32(math.Inf(-1)), float32(math.Inf(1)), float32(math.Inf(-1))}, Skip{}},
		{"one line", "a 1 2 3", []string{"a"}, []float32{1, 2, 3}, Skip{}},
		{"one number", "a 1\nb 2\n", []string{"a", "b"}, []float32{1, 2}, Skip{}},
		{"header of no rows", "0 2\n", nil, nil, Skip{}},
	} {
		t.Run(test.name, func(t *testing.T) {
			r, err := NewReader(strings.NewReader(test.text), "data", Options{})
			if err != nil {
				t.Fatal(err)
			}
			got, err := r.ReadAll()
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(got.Symbols, test.symbols) || !slices.Equal(got.Data, test.data) {
				t.Errorf("read %q %v, want %q %v", got.Symbols, got.Data, test.symbols, test.data)
			}
			if s := r.Skipped(); s.Blanks != test.blanks {
				t.Errorf("blanks %+v, want %+v", s.Blanks, test.blanks)
			}
		})
	}
}

func TestTextNaN(t *testing.T) {
	got, err := decode([]byte("a nan NaN\nb -nan +NAN\n"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range got.Data {
		if v == v {
			t.Errorf("number %d is %g", i, v)
		}
	}
}

func TestTextErrors(t *testing.T) {
	for _, test := range []struct{ name, text, want string }{
		{"empty", "", "data: the file is empty"},
		{"blank", " \n\n", "data: the file is blank"},
		{"no numbers", "hello world\nfoo bar\n", `data: not a table that can be read: the first line, "hello world"`},
		{"too few", "a 1 2 3\nb 1 2 3\nc 1 2\n", "data:3: 2 numbers instead of 3: correct the line"},
		{"too few at first", "a 1 2\nb 1 2 3\nc 1 2 3\n", "data:1: 2 numbers instead of 3: "},
		{"too few of two", "a 1 2\nb 1 2 3\n", "data:1: 2 numbers instead of 3: "},
		{"too few after a number", "7 1 2\nb 1 2 3\nc 1 2 3\n", "data:1: 2 numbers instead of 3: "},
		{"none", "a\nb 1 2\n", "data:1: 0 numbers instead of 2"},
		{"too many", "a 0.1 2\nb 1 2\nc 0.1 0.2 0.3\n", `data:3: more than 2 numbers: "0.1"`},
		{"two lines in one", "a 0.1 0.2\nb 1 2\nc 0.1 0.2d 0.1 0.3\n", `data:3: more than 2 numbers: "0.1"`},
		{"not a number", "a 1 2\nb 1 2\nc 1 x\n", `data:3: "x" is not a number`},
		{"hexadecimal", "a 1 2\nb 1 2\nc 1 0x1p-2\n", `data:3: "0x1p-2" is not a number`},
		{"underscore", "a 1 2\nb 1 2\nc 1 1_0\n", `data:3: "1_0" is not a number`},
		{"comma", "a,1,2\nb,1,2\n", "data: not a table"},
		{"beyond float32", "a 1 2\nb 1e39 2\n", `data:2: "1e39" is beyond float32`},
		{"no word", "a 1 2\n 3 4\n", "data:2: no word before the 2 numbers"},
		{"header says more", "3 2\na 1 2\nb 1 2\n", "data: the header says 3 vectors, there are 2"},
		{"header says fewer", "1 2\na 1 2\nb 1 2\n", "data: the header says 1 vectors, there are 2"},
		{"header of another dimension", "2 2\na 1 2 3\nb 1 2 3\n", "data:1: the header says 2 dimensions, but lines end in 3 numbers"},
		{"too many and header", "2 2\na 0.1 2.5 3.5\nb 1 2\n", `data:2: more than 2 numbers: "0.1" stands before them; correct the line or delete it, or correct the dimension in the first line`},
		{"header of a larger dimension", "2 4\na 0.1 2.5 3.5\nb 1 2 3\n", "data:2: 3 numbers instead of 4"},
		{"header of no dimensions", "2 0\na\nb\n", "data: vectors of 0 dimensions"},
		{"header of too many dimensions", "1 99999999999\na 1 2\n", "data: vectors of 99999999999 dimensions"},
		{"JSON", `{"a": 1}`, "data: a JSON file"},
		{"index without a path", `{"weight_map": {"a": "b"}}`, "data: an index of safetensors files: give its path"},
		{"zip", "PK\x03\x04\x00\x00", "data: a zip archive"},
		{"fastText model", "\xba\x16\x4f\x2f\x0c\x00\x00\x00", "data: a fastText model"},
		{"UTF-16", "\xff\xfea\x00 \x001\x00\n\x00", "data: text in UTF-16"},
		{"pickle", "\x80\x04\x95\x00", "data: a Python pickle"},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := decode([]byte(test.text), Options{})
			if !errors.Is(err, ErrFormat) || !strings.HasPrefix(err.Error(), test.want) {
				t.Errorf("error %v, want %s…", err, test.want)
			}
		})
	}
}

// The error of a line stands in the way of the lines after it.
func TestTextErrorStays(t *testing.T) {
	r, err := NewReader(strings.NewReader("a 1 2\nb 1 2\nc 1\nd 1 2\n"), "data", Options{})
	if err != nil {
		t.Fatal(err)
	}
	row := make([]float32, 2)
	for i, want := range []bool{true, true, false, false} {
		if _, err := r.Next(row); (err == nil) != want || err == io.EOF {
			t.Errorf("row %d: %v", i, err)
		}
	}
}

func TestDimension(t *testing.T) {
	words := strings.Repeat("word 0.1 0.2 0.3\n", 20)
	for _, test := range []struct {
		text string
		dim  int
		want int
	}{
		{words, 0, 3},
		{"top 10 0.1 0.2 0.3\n" + words, 0, 3},
		{"in 1999 0.1 0.2 0.3\n", 0, 4},
		{"in 1999 0.1 0.2 0.3\n", 3, 3},
	} {
		r, err := NewReader(strings.NewReader(test.text), "data", Options{Dim: test.dim})
		if err != nil {
			t.Fatal(err)
		}
		if r.Dim() != test.want {
			t.Errorf("%q: dimension %d, want %d", clip(test.text), r.Dim(), test.want)
		}
		if _, err := r.ReadAll(); err != nil {
			t.Error(err)
		}
	}
}

// Lines far longer than the buffer, at the start and later.
func TestLongLines(t *testing.T) {
	const dim = 300_000
	long := strings.Repeat(" 0.123456", dim)
	for _, head := range []string{"", "2 300000\n"} {
		got, err := decode([]byte(head+"a"+long+"\n\nb"+long), Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got.Dim != dim || got.Len() != 2 || got.Data[2*dim-1] != 0.123456 {
			t.Fatalf("%d × %d", got.Len(), got.Dim)
		}
	}
	word := strings.Repeat("w", 200_000)
	got, err := decode([]byte("a 1 2\n"+word+" 3 4\n"), Options{})
	if err != nil || got.Symbols[1] != word {
		t.Fatal(err)
	}
}

func TestTooLongLine(t *testing.T) {
	if testing.Short() {
		t.Skip("reads 64 MB")
	}
	for _, start := range []string{"", strings.Repeat("a 1 2\n", 40)} {
		in := io.MultiReader(strings.NewReader(start), io.LimitReader(endless{}, maxLine+2*window))
		r, err := NewReader(in, "data", Options{})
		if err == nil {
			_, err = r.ReadAll()
		}
		if !errors.Is(err, ErrFormat) || !strings.Contains(err.Error(), "a line of more than 64 MB") {
			t.Errorf("error %v", err)
		}
	}
}

// endless is a line without an end.
type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	return len(p), nil
}
