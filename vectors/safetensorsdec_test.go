package vectors

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// safetensorsFile makes a safetensors file of any header.
func safetensorsFile(header string, data []byte) []byte {
	b := binary.LittleEndian.AppendUint64(nil, uint64(len(header)))
	return append(append(b, header...), data...)
}

const twoTables = `{"b.weight":{"dtype":"F32","shape":[2,3],"data_offsets":[0,24]},"a.embed":{"dtype":"F16","shape":[3,1],"data_offsets":[24,30]},` +
	`"ids":{"dtype":"I64","shape":[2,1],"data_offsets":[30,46]},"odd":{"dtype":"F6_X","shape":[2,1],"data_offsets":[46,48]}}`

func TestTensorChoice(t *testing.T) {
	data := safetensorsFile(twoTables, make([]byte, 48))
	for name, want := range map[string]string{
		"":      "data: 2 tensors can be read as a table: name one of a.embed [3, 1], b.weight [2, 3]",
		"c":     `data: no tensor "c": name one of a.embed [3, 1], b.weight [2, 3]`,
		"ids":   `data: tensor "ids" is I64 of shape [2 1]`,
		"odd":   `data: tensor "odd" is F6_X of shape [2 1]`,
		"b.wei": "data: no tensor",
	} {
		if _, err := decode(data, Options{Tensor: name}); !errors.Is(err, ErrTensor) || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v, want %s", name, err, want)
		}
	}
	for name, rows := range map[string]int{"b.weight": 2, "a.embed": 3} {
		if got, err := decode(data, Options{Tensor: name}); err != nil || got.Len() != rows {
			t.Errorf("%q: %v", name, err)
		}
	}
	if _, err := decode(safetensorsFile("{}", nil), Options{}); !errors.Is(err, ErrTensor) {
		t.Error(err)
	}
	many := make([]string, 50)
	for i := range many {
		many[i] = fmt.Sprintf(`"t%d":{"dtype":"F32","shape":[0,1],"data_offsets":[0,0]}`, i)
	}
	if _, err := decode(safetensorsFile("{"+strings.Join(many, ",")+"}", nil), Options{}); err == nil || !strings.HasSuffix(err.Error(), " and 30 more") {
		t.Error(err)
	}
}

func TestSafetensorsErrors(t *testing.T) {
	for _, test := range []struct{ header, want string }{
		{`{"a":{"dtype":"F32","shape":[2,3],"data_offsets":[0,20]}}`, "takes 24 bytes"},
		{`{"a":{"dtype":"F32","shape":[-2,-3],"data_offsets":[0,24]}}`, "shape [-2 -3]"},
		{`{"a":{"dtype":"F32","shape":[2,3],"data_offsets":[8,32]}}`, "leave a gap"},
		{`{"a":{"dtype":"F32","shape":[2,3],"data_offsets":[0,24]}`, "unexpected end of JSON"},
		{`{"a":{"dtype":"F32","shape":[3,3],"data_offsets":[0,36]}}`, "truncated"},
		{`{"a":{"dtype":"F32","shape":[1,3],"data_offsets":[0,12]}}`, "bytes or more follow"},
	} {
		if _, err := decode(safetensorsFile(test.header, make([]byte, 24)), Options{}); !errors.Is(err, ErrFormat) || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: error %v, want …%s…", test.header, err, test.want)
		}
	}
}

// A tensor after others, from a file and from a stream that cannot seek.
func TestTensorAfterOthers(t *testing.T) {
	data := make([]byte, 400_000+8)
	binary.LittleEndian.PutUint32(data[400_000:], 0x3f800000)
	file := safetensorsFile(`{"z":{"dtype":"U8","shape":[400000],"data_offsets":[0,400000]},"a":{"dtype":"F32","shape":[1,2],"data_offsets":[400000,400008]}}`, data)
	path := filepath.Join(t.TempDir(), "table")
	if err := os.WriteFile(path, file, 0o644); err != nil {
		t.Fatal(err)
	}
	want := &Table{Dim: 2, Data: []float32{1, 0}}
	got, err := decode(file, Options{})
	if err != nil {
		t.Fatal(err)
	}
	checkTable(t, got, want, false)
	if got, err = ReadAll(path, Options{}); err != nil {
		t.Fatal(err)
	}
	checkTable(t, got, want, false)
}

func TestShards(t *testing.T) {
	read := func(index, tensor string) error {
		path := filepath.Join(t.TempDir(), "model.safetensors.index.json")
		if err := os.WriteFile(path, []byte(index), 0o644); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"shard-1.safetensors", "shard-2.safetensors"} {
			data, err := os.ReadFile(filepath.Join("testdata", name))
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(filepath.Dir(path), name), data, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		_, err := ReadAll(path, Options{Tensor: tensor})
		return err
	}
	good := `{"metadata":{},"weight_map":{"bias":"shard-1.safetensors","emb":"shard-2.safetensors"}}`
	for _, tensor := range []string{"", "emb"} {
		if err := read(good, tensor); err != nil {
			t.Error(err)
		}
	}
	for _, test := range []struct {
		index, tensor string
		is            error
		want          string
	}{
		{good, "bias", ErrTensor, `tensor "bias" is F32 of shape [4]`},
		{good, "none", ErrTensor, `no tensor "none": name one of emb [3, 4]`},
		{`{"weight_map":{"emb":"shard-1.safetensors"}}`, "emb", ErrTensor, `no tensor "emb"`},
		{`{"weight_map":{"emb":"shard-3.safetensors"}}`, "emb", os.ErrNotExist, "shard-3"},
		{`{"weight_map":{"emb":"../shard-1.safetensors"}}`, "emb", ErrFormat, "not below the index's folder"},
		{`{"weight_map":{"emb":"/etc/passwd"}}`, "", ErrFormat, "not below the index's folder"},
		{`{"weight_map":{"emb":7}}`, "emb", ErrFormat, "cannot unmarshal"},
		{`{"weight_map":`, "emb", ErrFormat, "unexpected end"},
		{`{"weight_map":{}}`, "", ErrTensor, "none of its 0 tensors"},
		{`{"weight_map":{"emb":"model.safetensors.index.json"}}`, "emb", ErrFormat, "header"},
	} {
		if err := read(test.index, test.tensor); !errors.Is(err, test.is) || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s %q: error %v, want …%s…", test.index, test.tensor, err, test.want)
		}
	}
}
