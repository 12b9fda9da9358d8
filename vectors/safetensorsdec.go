package vectors

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/kdcode/kdcode/internal/safetensors"
)

// tensorTypes are the types of tensors that can be read.
var tensorTypes = map[safetensors.DType]DType{
	safetensors.F32: Float32, safetensors.F16: Float16, safetensors.BF16: BFloat16, safetensors.F64: Float64,
}

// newSafetensorsDecoder reads the header of a safetensors file and goes to the
// tensor of that name, or to the only one that can be a table.
func newSafetensorsDecoder(in *input, name string) (*matrix, error) {
	h, err := readHeader(in)
	if err != nil {
		return nil, err
	}
	t, err := choose(in.name, name, h.Tensors)
	if err != nil {
		return nil, err
	}
	return openTensor(in, h, t)
}

func readHeader(in *input) (*safetensors.Header, error) {
	h, err := safetensors.ReadHeader(in)
	if errors.Is(err, safetensors.ErrHeader) {
		return nil, badf(in.name, "%v", err)
	}
	return h, err
}

// openTensor goes from the end of the header h to tensor t.
func openTensor(in *input, h *safetensors.Header, t safetensors.Tensor) (*matrix, error) {
	m := &matrix{in: in, dtype: tensorTypes[t.DType], rows: t.Shape[0], dim: t.Shape[1], start: t.Offset, end: h.FileSize()}
	if err := m.check(); err != nil {
		return nil, err
	}
	if err := in.skip(t.Offset - h.DataStart()); short(err) {
		return nil, badf(in.name, "the file ends before tensor %q at offset %d: it is truncated; copy or download it again", clip(t.Name), t.Offset)
	} else if err != nil {
		return nil, err
	}
	return m, nil
}

// isTable reports whether t can be read as a table.
func isTable(t safetensors.Tensor) bool {
	_, ok := tensorTypes[t.DType]
	return ok && len(t.Shape) == 2 && t.Shape[1] > 0
}

// choose returns the tensor of that name, or without a name the only table.
func choose(file, name string, tensors []safetensors.Tensor) (safetensors.Tensor, error) {
	var tables []safetensors.Tensor
	for _, t := range tensors {
		switch {
		case t.Name == name && name != "" && !isTable(t):
			return t, &stated{ErrTensor, fmt.Sprintf("%s: tensor %q is %s of shape %v: a table is float32, float16, bfloat16 or float64 with rows and columns; name another of %s", file, clip(name), clip(t.DType), t.Shape, listTables(tensors))}
		case t.Name == name && name != "":
			return t, nil
		case isTable(t):
			tables = append(tables, t)
		}
	}
	switch {
	case name != "":
		return safetensors.Tensor{}, &stated{ErrTensor, fmt.Sprintf("%s: no tensor %q: name one of %s", file, clip(name), listTables(tables))}
	case len(tables) == 0:
		return safetensors.Tensor{}, &stated{ErrTensor, fmt.Sprintf("%s: none of its %d tensors is a table: one of floats with rows and columns", file, len(tensors))}
	case len(tables) > 1:
		return safetensors.Tensor{}, &stated{ErrTensor, fmt.Sprintf("%s: %d tensors can be read as a table: name one of %s", file, len(tables), listTables(tables))}
	}
	return tables[0], nil
}

// listTables lists tensors for an error, those first that are probably
// embeddings.
func listTables(tensors []safetensors.Tensor) string {
	const most = 20
	list := slices.DeleteFunc(slices.Clone(tensors), func(t safetensors.Tensor) bool { return !isTable(t) })
	slices.SortFunc(list, func(a, b safetensors.Tensor) int {
		return cmp.Or(cmp.Compare(unlikely(a.Name), unlikely(b.Name)), cmp.Compare(a.Name, b.Name))
	})
	if len(list) == 0 {
		return "(there is none)"
	}
	var s strings.Builder
	for i, t := range list {
		if i == most {
			fmt.Fprintf(&s, " and %d more", len(list)-most)
			break
		}
		if i > 0 {
			s.WriteString(", ")
		}
		fmt.Fprintf(&s, "%s [%d, %d]", t.Name, t.Shape[0], t.Shape[1])
	}
	return s.String()
}

// unlikely is 0 for names that embedding tables have in published models.
func unlikely(name string) int {
	for _, part := range []string{"embed", "wte", "vectors"} {
		if strings.Contains(strings.ToLower(name), part) {
			return 0
		}
	}
	return 1
}
