package classify

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
)

// squeeze gzips data.
func squeeze(data string) string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	w.Write([]byte(data))
	w.Close()
	return b.String()
}

func readAll(r io.Reader, f Format) ([]Example, Format, error) {
	in, err := NewReader(r, "data", f)
	if err != nil {
		return nil, 0, err
	}
	var all []Example
	for e, err := range in.All() {
		if err != nil {
			return all, in.Format(), err
		}
		all = append(all, e)
	}
	return all, in.Format(), nil
}

var long = strings.Repeat("word ", 40_000) + "end" // 200 kB, more than any buffer

// The conformance suite: every format, plain and gzipped, goes through the
// same tests.
var soundFiles = []struct {
	name   string
	format Format
	data   string
	want   []Example
}{
	{"csv", CSV, `"3","Wall St. Bears","Short-sellers, ""ultra-cynics"""` + "\n" + `"1","A","B"` + "\n",
		[]Example{{"3", `Wall St. Bears Short-sellers, "ultra-cynics"`, 1}, {"1", "A B", 2}}},
	{"csv unquoted", CSV, "3,Title,Some text\r\n4,,only \" text\r\n",
		[]Example{{"3", "Title Some text", 1}, {"4", `only " text`, 2}}},
	{"csv one column of text", CSV, "\"1\",\"a\"\n\n\"2\",\"b\"", []Example{{"1", "a", 1}, {"2", "b", 3}}},
	{"csv quoted line ends", CSV, "\"1\",\"a\\nb\"\n\"2\",\"c\nd\r\n\"\"e\"\"\"\n\"1\",\"g\"\n",
		[]Example{{"1", "a b", 1}, {"2", `c d "e"`, 2}, {"1", "g", 5}}},
	{"csv header", CSV, "Class Index,Title,Description\n3,a,b\n", []Example{{"3", "a b", 2}}},
	{"csv long", CSV, `"3","` + long + `"`, []Example{{"3", long, 1}}},
	{"tab", Tab, "a text\tx\nanother, with \"quotes\" \t y \r\n", []Example{{"x", "a text", 1}, {"y", `another, with "quotes"`, 2}}},
	{"tab header", Tab, "sentence\tlabel\nit 's\t1\n", []Example{{"1", "it 's", 2}}},
	{"tab label called label", Tab, "it 's\t1\na text\tlabel\n", []Example{{"1", "it 's", 1}, {"label", "a text", 2}}},
	{"tab quoted", Tab, "\"a \"\"b\"\"\tc\"\tx\n\"raw\" quotes\ty\n\"open\tz\n", []Example{{"x", "a \"b\"\tc", 1}, {"y", `"raw" quotes`, 2}, {"z", `"open`, 3}}},
	{"tab byte order mark", Tab, "\ufeffa\tx\n", []Example{{"x", "a", 1}}},
	{"tab blank lines", Tab, "\n  \n\r\na\tx\n\nb\ty\n\n", []Example{{"x", "a", 4}, {"y", "b", 6}}},
	{"tab long", Tab, long + "\tx\nb\ty", []Example{{"x", long, 1}, {"y", "b", 2}}},
	{"fasttext", FastText, "__label__a some words\n__label__b\tmore, not__label__c\n", []Example{{"a", "some words", 1}, {"b", "more, not__label__c", 2}}},
	{"fasttext long", FastText, "__label__a " + long, []Example{{"a", long, 1}}},
}

func TestExamples(t *testing.T) {
	for _, c := range soundFiles {
		for name, data := range map[string]string{c.name: c.data, c.name + " gzip": squeeze(c.data)} {
			t.Run(name, func(t *testing.T) {
				for _, f := range []Format{Detect, c.format} {
					for _, in := range []io.Reader{strings.NewReader(data), iotest.HalfReader(strings.NewReader(data)), iotest.DataErrReader(strings.NewReader(data))} {
						got, format, err := readAll(in, f)
						if err != nil {
							t.Fatal(err)
						}
						if format != c.format {
							t.Errorf("read as %v", format)
						}
						if !slices.Equal(got, c.want) {
							t.Errorf("%.200v, want %.200v", got, c.want)
						}
					}
				}
			})
		}
	}
}

func TestExampleErrors(t *testing.T) {
	truncated := squeeze("a\tx\n" + long + "\ty\n")
	broken := []byte(squeeze("a\tx\nb\ty\n"))
	broken[len(broken)-8] ^= 1
	for _, c := range []struct {
		name   string
		format Format
		data   string
		want   string
	}{
		{"empty", Detect, "", "data: the file is empty: labelled texts have at least one line"},
		{"empty gzip", Detect, squeeze(""), "data: the file is empty: labelled texts have at least one line"},
		{"blank", Tab, " \n\n", "data: the file is empty: labelled texts have at least one line"},
		{"header alone", Detect, "sentence\tlabel\n", "data: no example in the file: a label and a text are needed on at least one line"},
		{"unknown", Detect, "\njust a text\n", `data:2: neither CSV with the class first, nor a text with a tab and its label, nor __label__ and words, but "just a text"; give the format if it is one of them`},
		{"tar", Detect, strings.Repeat("x", 257) + "ustar", "data: a tar archive: unpack it, and give one of the files in it"},
		{"zip", Detect, "PK\x03\x04", "data: a zip archive: unpack it, and give one of the files in it"},
		{"utf-16", Detect, "\xff\xfea\x00", "data: text in UTF-16: convert it to UTF-8"},
		{"no tab", Detect, "a\tx\n\nb y\n", `data:3: no tab between a text and its label, but "b y"`},
		{"no tab, long", Tab, strings.Repeat("ä", 100), `data:1: no tab between a text and its label, but "` + strings.Repeat("ä", 40) + `…"`},
		{"three columns", Detect, "a\tb\tx\n", "data:1: 3 columns: leave a text, a tab and its label; tabs inside a text must be spaces"},
		{"empty label", Detect, "a\tx\nb\t \n", "data:2: the label is empty: write one, or delete the line"},
		{"empty text", Detect, "a\tx\n \ty\n", `data:2: the text of label "y" is empty: write one, or delete the line`},
		{"empty quoted text", Detect, "a\tx\n\"\"\ty\n", `data:2: the text of label "y" is empty: write one, or delete the line`},
		{"tab latin1", Detect, "a\tx\nb\xe9\ty\n", "data:2: byte 2 of the line is not UTF-8: convert the file, with iconv -f latin1 -t utf-8 for instance"},
		{"csv latin1", Detect, "\"1\",\"a\n\xe9\"\n", "data:2: byte 1 of the line is not UTF-8: convert the file, with iconv -f latin1 -t utf-8 for instance"},
		{"csv open quote", Detect, "\"1\",\"a\"\n\"2\",\"b\n\n", "data:2: a quote is never closed: double the quotes inside fields"},
		{"csv single quote", Detect, "\"1\",\"a\"\n\"2\",\"b \"c\" d\"\n", `data:2: "c\" d\"" follows a closing quote, not a comma: double the quotes inside fields`},
		{"csv open quote, huge", CSV, "\"1\",\"" + strings.Repeat("a\n", maxLine/2), "data:1: a quote is not closed within 16 MB: double the quotes inside fields"},
		{"csv columns", Detect, "\"1\",\"a\",\"b\"\n\"2\",\"b\"\n", "data:2: 2 columns, but the lines before have 3: put fields with commas in quotes"},
		{"csv one column", CSV, "\"1\"\n", "data:1: one column: the class and at least one column of text are needed"},
		{"csv empty label", Detect, "\"1\",\"a\"\n\"\",\"b\"\n", "data:2: the label is empty: write one, or delete the line"},
		{"csv empty text", Detect, "\"1\",\"a\",\"\"\n\"2\",\"\\n\",\" \"\n", `data:2: the text of label "2" is empty: write one, or delete the line`},
		{"fasttext no label", Detect, "__label__a b\nb c\n", `data:2: the line begins with "b", not with __label__ and its label`},
		{"fasttext two labels", Detect, "__label__a __label__b c\n", `data:1: two labels, "a" and "b": leave one, a classifier gives a text one label`},
		{"fasttext label at the end", Detect, "__label__a b __label__c\n", `data:1: two labels, "a" and "c": leave one, a classifier gives a text one label`},
		{"fasttext empty label", Detect, "__label__ b\n", "data:1: the label is empty: write one, or delete the line"},
		{"fasttext empty text", Detect, "__label__a b\n__label__a\n", `data:2: the text of label "a" is empty: write one, or delete the line`},
		{"truncated gzip", Detect, truncated[:len(truncated)-20], "data: the gzip stream ends early: the file is truncated; copy or download it again"},
		{"truncated gzip header", Detect, truncated[:5], "data: the gzip stream ends early: the file is truncated; copy or download it again"},
		{"gzip checksum", Detect, string(broken), "data: the gzip stream is damaged: its checksum differs; copy or download the file again"},
		{"rest after gzip", Detect, squeeze("a\tx\n") + "rest of the file", "data: the gzip header is damaged, or something else follows the gzip stream; copy or download the file again"},
		{"endless line", Tab, strings.Repeat("a", maxLine+window), "data:1: a line of more than 16 MB: not a text, or line ends are missing"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, _, err := readAll(strings.NewReader(c.data), c.format)
			if err == nil || err.Error() != c.want {
				t.Fatalf("%v, want %s", err, c.want)
			}
			if !errors.Is(err, ErrFormat) {
				t.Error("not an ErrFormat")
			}
		})
	}
}

// Failures of the input itself are handed on as they are, again and again.
func TestExamplesInputFails(t *testing.T) {
	failure := errors.New("disk on fire")
	for _, data := range []string{"", "a\tx\n", "a\tx\nhalf a li"} {
		in := io.MultiReader(strings.NewReader(data), iotest.ErrReader(failure))
		if _, _, err := readAll(in, Tab); !errors.Is(err, failure) {
			t.Errorf("%q: %v", data, err)
		}
	}
	r, err := NewReader(strings.NewReader("a\tx\nb\n"), "data", Tab)
	if err != nil {
		t.Fatal(err)
	}
	r.Read()
	_, first := r.Read()
	if _, again := r.Read(); first == nil || again != first {
		t.Errorf("%v, then %v", first, again)
	}
	for range r.All() {
		break
	}
}

func TestOpenExamples(t *testing.T) {
	dir := t.TempDir()
	if _, err := OpenExamples(filepath.Join(dir, "none"), Detect); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
	path := filepath.Join(dir, "texts")
	os.WriteFile(path, []byte("just a text"), 0o644)
	if _, err := OpenExamples(path, Detect); !errors.Is(err, ErrFormat) || !strings.HasPrefix(err.Error(), path+":1: ") {
		t.Error(err)
	}
	os.WriteFile(path, []byte(squeeze("a\tx")), 0o644)
	r, err := OpenExamples(path, Detect)
	if err != nil {
		t.Fatal(err)
	}
	if e, err := r.Read(); err != nil || e != (Example{"x", "a", 1}) || r.Name() != path || r.Format() != Tab {
		t.Error(e, err, r.Name(), r.Format())
	}
	if err := r.Close(); err != nil {
		t.Error(err)
	}
}

func TestParseFormat(t *testing.T) {
	for _, f := range []Format{Detect, CSV, Tab, FastText} {
		if got, err := ParseFormat(f.String()); err != nil || got != f {
			t.Error(f, got, err)
		}
	}
	if _, err := ParseFormat("xml"); err == nil || err.Error() != `classify: no format "xml" of labelled texts: use auto, csv, tab, fasttext` {
		t.Error(err)
	}
	if Format(9).String() != "Format(9)" {
		t.Error(Format(9))
	}
	if _, _, err := readAll(strings.NewReader("a"), Format(9)); err == nil {
		t.Error("a format of no kind was read")
	}
}

// The data that the project is measured on, where it is there.
func TestSharedData(t *testing.T) {
	for _, c := range []struct {
		path          string
		rows, classes int
	}{
		{"agnews/train.tsv", 10_001, 4},
		{"agnews/test.tsv", 7_600, 4},
		{"sst2/train.tsv", 60_614, 2},
		{"sst2/test.tsv", 872, 2},
	} {
		path := filepath.Join("../../shared/data", c.path)
		if _, err := os.Stat(path); err != nil {
			t.Skip("needs the data sets: ", err)
		}
		r, err := OpenExamples(path, Detect)
		if err != nil {
			t.Fatal(err)
		}
		labels := map[string]int{}
		rows := 0
		for e, err := range r.All() {
			if err != nil {
				t.Fatal(err)
			}
			labels[e.Label]++
			rows++
		}
		r.Close()
		if rows != c.rows || len(labels) != c.classes || r.Format() != Tab {
			t.Errorf("%s: %d examples of %v, %v", c.path, rows, labels, r.Format())
		}
	}
}

func FuzzExamples(f *testing.F) {
	for _, c := range soundFiles {
		if len(c.data) < 1000 {
			f.Add([]byte(c.data), int(c.format))
			f.Add([]byte(c.data), int(Detect))
			f.Add([]byte(squeeze(c.data)), int(Detect))
		}
	}
	f.Fuzz(func(t *testing.T, data []byte, format int) {
		if len(data) > 1<<16 {
			return
		}
		r, err := NewReader(bytes.NewReader(data), "data", Format(format&3))
		if err != nil {
			return
		}
		last := 0
		for n := 0; n < 1000; n++ { // a gzip bomb would go on
			e, err := r.Read()
			if err == io.EOF && last > 0 {
				return
			}
			if err != nil {
				if !errors.Is(err, ErrFormat) {
					t.Fatalf("not an ErrFormat: %v", err)
				}
				return
			}
			if e.Label == "" || strings.TrimSpace(e.Text) == "" || e.Line <= last {
				t.Fatalf("%+v after line %d", e, last)
			}
			last = e.Line
		}
	})
}
