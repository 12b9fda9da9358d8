package vectors

// MaxDim is the largest dimension read or written.
const MaxDim = 1 << 20

// Duplicates says what to do with rows whose symbol an earlier row had.
type Duplicates int

const (
	KeepFirst        Duplicates = iota // drop and count them
	RefuseDuplicates                   // return an error at the first
	KeepAll                            // return them as any other row; needs no memory for the symbols seen
)

// Options are the choices in reading a table. The zero value reads what the
// file itself says.
type Options struct {
	// Tensor names the tensor to read from a safetensors file. Without it the
	// file must have exactly one matrix of floats.
	Tensor string
	// Symbols is the path of a file with the symbols of a table in a format
	// without them: a text with one a line, or a Hugging Face tokenizer.json.
	Symbols string
	// Duplicates says what to do with repeated symbols.
	Duplicates Duplicates
	// Dim is the dimension of a text without a header where it cannot be
	// told from its first lines. Any other table must have it if it is set.
	Dim int
}
