package codefile

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Version is the version of the format that is written.
const Version = 1

// The reserved metadata keys; "sha256.NAME" is one for each tensor.
const (
	keyFormat      = "format"
	keyVersion     = "version"
	keyWays        = "ways"
	keyCodeLength  = "code_length"
	keyDim         = "dim"
	keyCodeDim     = "code_dim"
	keyComposition = "composition"
	keyParameters  = "trained_parameters"
	keyHeaderSum   = "header_sha256"
	prefixSum      = "sha256."

	formatName = "kdcode"
)

var reservedKeys = []string{keyFormat, keyVersion, keyWays, keyCodeLength, keyDim, keyCodeDim, keyComposition, keyParameters, keyHeaderSum}

func isReserved(key string) bool {
	return slices.Contains(reservedKeys, key) || strings.HasPrefix(key, prefixSum)
}

// positive reads a metadata value that is a whole number in [1, limit].
func positive(metadata map[string]string, key string, limit int64) (int64, error) {
	s, ok := metadata[key]
	if !ok {
		return 0, fmt.Errorf("%w: the metadata lack %q", ErrFormat, key)
	}
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil || n < 1 || n > limit || strconv.FormatInt(n, 10) != s {
		return 0, fmt.Errorf("%w: metadata %q is %q, not a whole number from 1 to %d", ErrFormat, key, s, limit)
	}
	return n, nil
}

// checksum is the hexadecimal SHA-256 of b.
func checksum(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// noSum stands for the header's own checksum while that is computed.
var noSum = strings.Repeat("0", sha256.Size*2)

// headerSum returns the checksum of a header's JSON in which its own checksum,
// now sum, is replaced by zeros.
func headerSum(json []byte, sum string) (string, error) {
	field := []byte(`"` + keyHeaderSum + `":"` + sum + `"`)
	at := bytes.Index(json, field)
	if len(sum) != len(noSum) || at < 0 || bytes.LastIndex(json, field) != at {
		return "", fmt.Errorf("%w: the header has no checksum", ErrFormat)
	}
	zeroed := slices.Clone(json)
	copy(zeroed[at+len(field)-1-len(sum):], noSum)
	return checksum(zeroed), nil
}
