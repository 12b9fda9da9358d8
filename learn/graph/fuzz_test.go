package graph

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"testing"
)

// Text may be anything: it must be a graph that can be written and read again,
// or an error of the documented kind.
func FuzzReadText(f *testing.F) {
	f.Add(pets["features"], pets["edges"], pets["labels"], pets["split"])
	f.Add("a x\nb y:2\n", "a b\n", "a 0\nb 1\n", "a train\nb train\n")
	f.Add("a x:0\nb :1\n", "a\n", "a 0 1\n", "a bad\n")
	f.Add("a \ufeff\n\xff y:0x1p2\n", "\xff a\n", "a \xff\n\xff #\n", "a train\n\xff train")
	f.Fuzz(func(t *testing.T, features, edges, labels, split string) {
		dir := t.TempDir()
		writeFiles(t, dir+string(filepath.Separator), map[string]string{"features": features, "edges": edges, "labels": labels, "split": split})
		d, err := ReadText(dir)
		if err != nil {
			if !errors.Is(err, ErrFormat) || d != nil {
				t.Fatalf("%v, %v", d, err)
			}
			return
		}
		checkDataset(t, d)
		if err := d.WriteText(dir); errors.Is(err, ErrUnwritable) {
			return
		} else if err != nil {
			t.Fatal(err)
		}
		if again, err := ReadText(dir); err != nil || !reflect.DeepEqual(again, d) {
			t.Fatalf("%+v reads back as %+v, %v", d, again, err)
		}
	})
}

// The files of a made-up set, one of them replaced.
func FuzzPlanetoid(f *testing.F) {
	kinds := []string{"x", "y", "tx", "ty", "allx", "ally", "graph", "test.index"}
	files := make(map[string]string)
	for i, kind := range kinds {
		data, err := os.ReadFile("testdata/ind.real." + kind)
		if err != nil {
			f.Fatal(err)
		}
		files[kind] = string(data)
		f.Add(byte(i), data)
	}
	f.Fuzz(func(t *testing.T, i byte, data []byte) {
		stem := filepath.Join(t.TempDir(), "ind.real.")
		writeFiles(t, stem, files)
		writeFiles(t, stem, map[string]string{kinds[int(i)%len(kinds)]: string(data)})
		d, err := Planetoid(filepath.Dir(stem), "real")
		if err != nil {
			if !errors.Is(err, ErrFormat) || d != nil {
				t.Fatalf("%v, %v", d, err)
			}
			return
		}
		checkDataset(t, d)
	})
}
