package vectors

import (
	"bufio"
	"bytes"
	"io"
	"slices"
)

// word2vecDecoder reads word2vec binary.
type word2vecDecoder struct {
	in     *input
	rows   int
	dim    int
	row    int
	offset int64 // read so far
	begin  int64 // of the row last read
	word   []byte
	raw    []byte
}

func newWord2vecDecoder(in *input) (*word2vecDecoder, error) {
	d := &word2vecDecoder{in: in}
	line, err := in.ReadSlice('\n')
	if err != nil {
		return nil, err
	}
	d.offset = int64(len(line))
	d.rows, d.dim, _ = parseCounts(bytes.TrimPrefix(line, byteOrderMark))
	return d, nil
}

func (d *word2vecDecoder) next(row []float32) ([]byte, error) {
	if err := d.skipNewlines(); err != nil {
		return nil, err
	}
	d.begin = d.offset
	if d.row == d.rows {
		if _, err := d.in.Peek(1); err != nil {
			return nil, err
		}
		return nil, badf(atOffset(d.in.name, d.offset), "more follows the %d vectors that the header says: make the file again, or correct its first line", d.rows)
	}
	word, err := d.in.ReadSlice(' ')
	d.offset += int64(len(word))
	switch {
	case short(err):
		return nil, d.truncated()
	case err == bufio.ErrBufferFull:
		return nil, badf(atOffset(d.in.name, d.begin), "vector %d has a word of %d bytes or more: the file is damaged, or its dimension is not %d", d.row, len(word), d.dim)
	case err != nil:
		return nil, err
	case len(word) == 1:
		return nil, badf(atOffset(d.in.name, d.begin), "vector %d has no word: make the file again without it", d.row)
	}
	d.word = append(d.word[:0], word[:len(word)-1]...)
	width := Float32.size() * d.dim
	d.raw = slices.Grow(d.raw[:0], width)[:width]
	n, err := io.ReadFull(d.in, d.raw)
	d.offset += int64(n)
	if short(err) {
		return nil, d.truncated()
	} else if err != nil {
		return nil, err
	}
	d.row++
	Float32.decode(row, d.raw)
	return d.word, nil
}

// skipNewlines passes over the newline that some writers put after a vector.
func (d *word2vecDecoder) skipNewlines() error {
	for {
		c, err := d.in.Peek(1)
		if err == io.EOF || err == nil && c[0] != '\n' {
			return nil
		} else if err != nil {
			return err
		}
		d.in.Discard(1)
		d.offset++
	}
}

func (d *word2vecDecoder) truncated() error {
	return badf(atOffset(d.in.name, d.offset), "the file ends in vector %d of %d: it is truncated; copy or download it again", d.row, d.rows)
}

func (d *word2vecDecoder) place() string { return atOffset(d.in.name, d.begin) }
