package serve

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"os"
	"slices"
	"strings"
)

// readBody reads a request's body into b.body.
func (s *Server) readBody(w http.ResponseWriter, r *http.Request, b *buffer) error {
	limit := s.options.Limits.Body
	if r.ContentLength > limit {
		return tooLarge("the body has %d bytes, the limit is %d; ask in several requests", r.ContentLength, limit)
	}
	if r.ContentLength > 0 {
		b.body = slices.Grow(b.body[:0], int(r.ContentLength)+1)
	}
	b.body = b.body[:0]
	body := http.MaxBytesReader(w, r.Body, limit)
	for {
		if len(b.body) == cap(b.body) {
			b.body = slices.Grow(b.body, 512)
		}
		n, err := body.Read(b.body[len(b.body):cap(b.body)])
		b.body = b.body[:len(b.body)+n]
		var most *http.MaxBytesError
		switch {
		case err == io.EOF:
			return nil
		case errors.As(err, &most):
			return tooLarge("the body has more than %d bytes; ask in several requests", limit)
		case errors.Is(err, os.ErrDeadlineExceeded): // which ends the context, too
			return fail(http.StatusServiceUnavailable, "timeout", "the body did not arrive within %s; send less at once, or try again", s.options.Limits.Time)
		case err != nil:
			if r.Context().Err() != nil {
				return r.Context().Err()
			}
			return fail(http.StatusBadRequest, "bad_request", "the body did not arrive whole: %v", err)
		}
	}
}

// sendsOctets reports whether a request's body is packed rather than JSON.
func sendsOctets(r *http.Request) (bool, error) {
	sent := r.Header["Content-Type"]
	if len(sent) == 0 || sent[0] == jsonType[0] {
		return false, nil
	}
	if sent[0] == octetsType[0] {
		return true, nil
	}
	media, _, err := mime.ParseMediaType(sent[0])
	switch {
	case err == nil && media == jsonType[0]:
		return false, nil
	case err == nil && media == octetsType[0]:
		return true, nil
	}
	return false, fail(http.StatusUnsupportedMediaType, "unsupported_media_type", "the body is %q; send %s or %s", sent[0], jsonType[0], octetsType[0])
}

// decodeJSON reads a JSON body into v.
func (s *Server) decodeJSON(w http.ResponseWriter, r *http.Request, v any) error {
	octets, err := sendsOctets(r)
	if err != nil {
		return err
	}
	if octets {
		return fail(http.StatusUnsupportedMediaType, "unsupported_media_type", "this route takes %s", jsonType[0])
	}
	b := getBuffer()
	defer b.put()
	if err := s.readBody(w, r, b); err != nil {
		return err
	}
	return parseJSON(b.body, v)
}

// parseJSON decodes the one value in text.
func parseJSON(text []byte, v any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	err := d.Decode(v)
	if err == nil {
		if _, more := d.Token(); more != io.EOF {
			return badRequest("more follows the JSON object; send one")
		}
		return nil
	}
	var kind *json.UnmarshalTypeError
	var syntax *json.SyntaxError
	switch {
	case errors.As(err, &kind) && kind.Field != "":
		return badRequest("%q cannot be %s; see /openapi.json", kind.Field, kind.Value)
	case errors.As(err, &kind):
		return badRequest("the body cannot be %s; send a JSON object", kind.Value)
	case errors.As(err, &syntax):
		return badRequest("bad JSON at byte %d: %v", syntax.Offset, err)
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return badRequest("the JSON ends early")
	}
	return badRequest("%s; see /openapi.json", strings.TrimPrefix(err.Error(), "json: "))
}

// wanted is what a request for several words asks.
type wanted struct {
	Symbols []string `json:"symbols"`
	IDs     []int    `json:"ids"`
	Missing string   `json:"missing"`
}

// none stands for the id of a symbol that is missing.
const none = -1

// wantedIDs reads the ids that a request asks for into b.ids, with none where
// a symbol is missing and the client puts up with that.
func (s *Server) wantedIDs(w http.ResponseWriter, r *http.Request, e *edition, b *buffer) error {
	octets, err := sendsOctets(r)
	if err != nil {
		return err
	}
	if err := s.readBody(w, r, b); err != nil {
		return err
	}
	if octets {
		return b.unpackIDs(s.options.Limits.Batch, e.Len())
	}
	var want wanted
	if err := parseJSON(b.body, &want); err != nil {
		return err
	}
	switch {
	case want.Symbols != nil && want.IDs != nil:
		return badRequest("give symbols or ids, not both")
	case want.Symbols == nil && want.IDs == nil:
		return badRequest(`give symbols, {"symbols":["cat"]}, or ids, {"ids":[5]}`)
	case want.Missing != "" && want.Missing != "error" && want.Missing != "null":
		return badRequest("missing %q is none of error, null", want.Missing)
	}
	if n := len(want.Symbols) + len(want.IDs); n > s.options.Limits.Batch {
		return tooMany(n, s.options.Limits.Batch)
	}
	b.ids = b.ids[:0]
	for _, symbol := range want.Symbols {
		id, ok := e.ID(symbol)
		if !ok {
			if want.Missing != "null" || !e.HasSymbols() {
				return s.unknownSymbol(r.Context(), e, symbol)
			}
			id = none
		}
		b.ids = append(b.ids, id)
	}
	for _, id := range want.IDs {
		if id < 0 || id >= e.Len() {
			return unknownID(id, e.Len())
		}
		b.ids = append(b.ids, id)
	}
	return nil
}

func tooMany(n, limit int) error {
	return tooLarge("%d at once, the limit is %d; ask in several requests", n, limit)
}

// unpackIDs reads the packed ids of b.body into b.ids.
func (b *buffer) unpackIDs(limit, n int) error {
	if len(b.body)%4 != 0 {
		return badRequest("the body has %d bytes; ids are 4 bytes each, little-endian", len(b.body))
	}
	count := len(b.body) / 4
	if count > limit {
		return tooMany(count, limit)
	}
	b.ids = slices.Grow(b.ids[:0], count)[:count]
	for i := range b.ids {
		id := binary.LittleEndian.Uint32(b.body[4*i:])
		if uint64(id) >= uint64(n) {
			return unknownID(int(id), n)
		}
		b.ids[i] = int(id)
	}
	return nil
}
