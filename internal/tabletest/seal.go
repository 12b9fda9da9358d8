package tabletest

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"strings"
)

// Seal makes the header checksum of a code file right again after damage, as
// docs/format.md specifies it, so that the damage gets past that check. It
// changes data, and leaves alone what has no checksum.
func Seal(data []byte) []byte {
	if len(data) < 8 {
		return data
	}
	n := binary.LittleEndian.Uint64(data)
	if n > uint64(len(data)-8) {
		return data
	}
	header := data[8 : 8+n]
	field := []byte(`"header_sha256":"`)
	at := bytes.Index(header, field)
	if at < 0 || at+len(field)+64 > len(header) {
		return data
	}
	value := header[at+len(field):][:64]
	copy(value, strings.Repeat("0", 64))
	sum := sha256.Sum256(header)
	hex.Encode(value, sum[:])
	return data
}
