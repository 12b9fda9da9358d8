package serve

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
)

// Values of Content-Type. They are put into headers as they stand here, so that
// a request need not allocate them.
var (
	jsonType   = []string{"application/json"}
	octetsType = []string{"application/octet-stream"}
)

// write answers with a body of known length.
func write(w http.ResponseWriter, status int, contentType []string, body []byte) {
	h := w.Header()
	h["Content-Type"] = contentType
	h["Content-Length"] = []string{strconv.Itoa(len(body))}
	w.WriteHeader(status)
	w.Write(body) // an error here is the client's: it is gone
}

// writeJSON answers with v.
func writeJSON(w http.ResponseWriter, status int, v any) error {
	text, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("encode the answer: %w", err)
	}
	write(w, status, jsonType, append(text, '\n'))
	return nil
}

// wantsOctets reports whether the client asks for a packed answer rather than
// JSON.
func wantsOctets(r *http.Request) (bool, error) {
	accept := r.Header["Accept"]
	if len(accept) == 0 {
		return false, nil
	}
	json := false
	for _, field := range accept {
		for media := range strings.SplitSeq(field, ",") {
			media, _, _ = strings.Cut(media, ";")
			switch strings.ToLower(strings.TrimSpace(media)) {
			case octetsType[0]:
				return true, nil
			case jsonType[0], "application/*", "*/*", "":
				json = true
			}
		}
	}
	if !json {
		return false, fail(http.StatusNotAcceptable, "not_acceptable", "answers are %s or %s; accept one of them", jsonType[0], octetsType[0])
	}
	return false, nil
}

// appendFloat writes x with as few digits as read back to it. JSON has no word
// for what is not finite.
func appendFloat(b []byte, x float32) []byte {
	if x-x != 0 {
		return append(b, "null"...)
	}
	return strconv.AppendFloat(b, float64(x), 'g', -1, 32)
}

func appendFloats(b []byte, v []float32) []byte {
	b = append(b, '[')
	for i, x := range v {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendFloat(b, x)
	}
	return append(b, ']')
}

func appendDigits(b []byte, code []uint16) []byte {
	b = append(b, '[')
	for i, digit := range code {
		if i > 0 {
			b = append(b, ',')
		}
		b = strconv.AppendUint(b, uint64(digit), 10)
	}
	return append(b, ']')
}

// appendString writes s as JSON does. Most symbols need no escapes.
func appendString(b []byte, s string) []byte {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c > '~' || c == '"' || c == '\\' || c == '<' || c == '>' || c == '&' {
			quoted, _ := json.Marshal(s) // of a string it cannot fail
			return append(b, quoted...)
		}
	}
	b = append(b, '"')
	b = append(b, s...)
	return append(b, '"')
}
