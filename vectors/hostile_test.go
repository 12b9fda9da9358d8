package vectors

import (
	"bytes"
	"errors"
	"strconv"
	"strings"
	"testing"
)

// Headers may claim what they like: memory grows only as data arrives.
func TestHostileClaims(t *testing.T) {
	for name, data := range map[string][]byte{
		"npy rows":        npyFile(1, "{'descr': '<f4', 'fortran_order': False, 'shape': (1099511627776, 100), }", make([]byte, 1000)),
		"npy columns":     npyFile(1, "{'descr': '<f8', 'fortran_order': False, 'shape': (1, 1048576), }", make([]byte, 1000)),
		"npy header":      append(append(bytes.Clone(npyMagic), 2, 0), 0xff, 0xff, 0xff, 0xff, '{'),
		"word2vec text":   []byte("999999999999 1048576\na 1 2 3\n"),
		"word2vec rows":   append([]byte("999999999999 4\na "), make([]byte, 1000)...),
		"word2vec binary": append([]byte("999999999999 1048576\na "), make([]byte, 1000)...),
		"safetensors":     []byte("\xff\xff\xff\x05\x00\x00\x00\x00{\"a\":"),
		"tensor":          safetensorsFile(`{"a":{"dtype":"F32","shape":[1099511627776,1048576],"data_offsets":[0,4611686018427387904]}}`, make([]byte, 100)),
	} {
		if n := allocated(func() {
			if _, err := decode(data, Options{}); !errors.Is(err, ErrFormat) {
				t.Errorf("%s: %v", name, err)
			}
		}); n > 32<<20 {
			t.Errorf("%s: %d bytes allocated", name, n)
		}
	}
}

// The JSON of less than 1 MB that takes the most memory.
func TestHostileJSON(t *testing.T) {
	repeat := func(head, item, tail string) []byte {
		var b bytes.Buffer
		b.WriteString(head)
		for i := 0; b.Len() < 1<<20-100; i++ {
			if i > 0 {
				b.WriteByte(',')
			}
			b.WriteString(strings.ReplaceAll(strings.ReplaceAll(item, "#", strconv.FormatInt(int64(i), 36)), "@", strconv.Itoa(i)))
		}
		b.WriteString(tail)
		return b.Bytes()
	}
	for name, data := range map[string][]byte{
		"vocabulary":        repeat(`{"model":{"vocab":{`, `"#":@`, `}}}`),
		"same ids":          repeat(`{"model":{"vocab":{`, `"#":1`, `}}}`),
		"list":              repeat(`{"model":{"vocab":[`, `["#",0]`, `]}}`),
		"list of nothing":   repeat(`{"model":{"vocab":[`, `[]`, `]}}`),
		"list of lists":     repeat(`{"model":{"vocab":[[`, `0`, `]]}}`),
		"added tokens":      repeat(`{"model":{"vocab":{}},"added_tokens":[`, `{"id":@,"content":"#"}`, `]}`),
		"no added tokens":   repeat(`{"model":{"vocab":{}},"added_tokens":[`, `{}`, `]}`),
		"null added tokens": repeat(`{"model":{"vocab":{}},"added_tokens":[`, `0`, `]}`),
	} {
		if n := allocated(func() {
			in, err := newInput(bytes.NewReader(data), "data")
			if err != nil {
				t.Fatal(err)
			}
			_, _ = readTokenizer(in, 1<<30)
		}); n > maxAllocated {
			t.Errorf("%s: %d MB allocated", name, n>>20)
		}
	}
	for name, header := range map[string][]byte{
		"tensors":  repeat(`{`, `"#":{}`, `}`),
		"numbers":  repeat(`{`, `"#":0`, `}`),
		"types":    repeat(`{`, `"#":{"dtype":"X"}`, `}`),
		"tables":   repeat(`{`, `"#":{"dtype":"F32","shape":[0,1],"data_offsets":[0,0]}`, `}`),
		"null":     repeat(`{`, `"#":null`, `}`),
		"shape":    repeat(`{"a":{"dtype":"F32","shape":[`, `0`, `],"data_offsets":[0,0]}}`),
		"metadata": repeat(`{"__metadata__":{`, `"#":""`, `}}`),
	} {
		if n := allocated(func() { _, _ = decode(safetensorsFile(string(header), nil), Options{}) }); n > maxAllocated {
			t.Errorf("%s: %d MB allocated", name, n>>20)
		}
	}
}
