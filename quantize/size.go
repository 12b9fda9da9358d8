package quantize

import (
	"encoding/binary"
	"math/bits"

	"github.com/kdcode/kdcode/codefile"
)

// headerBytes is more than the header of a file from kd compress takes.
const headerBytes = 4096

// symbolBytes returns what symbols and their index take (docs/format.md).
func symbolBytes(symbols []string) int64 {
	n := int64(len(symbols))
	if n == 0 {
		return 0
	}
	size := 8*((n+7)/8) + 4*(n+n/4+1)
	for _, s := range symbols {
		size += int64(len(s) + len(binary.AppendUvarint(nil, uint64(len(s)))))
	}
	return size
}

// tableBytes returns what the codes and code embeddings of o take for n
// vectors of width d.
func (o Options) tableBytes(n, d int) int64 {
	codes := int64(n) * int64((o.D*bits.Len(uint(o.K-1))+7)/8)
	width, extra := d, int64(0)
	switch o.composition() {
	case codefile.Concat:
		width = d / o.D
	case codefile.Affine:
		width, extra = o.CodeDim, 4*int64(d)*int64(o.CodeDim+1)
	}
	values := int64(o.K) * int64(o.D) * int64(width)
	switch o.DType {
	case codefile.Float16:
		return codes + extra + 2*values
	case codefile.Int8:
		scales := int64(o.D)
		if width >= 16 {
			scales *= int64(o.K)
		}
		return codes + extra + values + 4*scales
	}
	return codes + extra + 4*values
}

// fileBytes returns at least what the file takes.
func (o Options) fileBytes(n, d int, symbols []string) int64 {
	return headerBytes + symbolBytes(symbols) + o.tableBytes(n, d)
}
