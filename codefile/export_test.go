package codefile

import (
	"bytes"
	"slices"
)

// Seal returns a header's JSON with its checksum made right.
func Seal(json []byte) []byte {
	field := []byte(`"` + keyHeaderSum + `":"`)
	at := bytes.Index(json, field)
	if at < 0 || at+len(field)+len(noSum) > len(json) {
		return json
	}
	sealed := slices.Clone(json)
	value := sealed[at+len(field):][:len(noSum)]
	copy(value, noSum)
	sum := checksum(sealed)
	copy(value, sum)
	return sealed
}
