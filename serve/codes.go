package serve

import (
	"fmt"
	"net/http"

	"github.com/kdcode/kdcode"
)

// code is the route of one code.
func (s *Server) code(w http.ResponseWriter, r *http.Request, _ *table, e *edition) error {
	octets, err := wantsOctets(r)
	if err != nil {
		return err
	}
	id, err := s.wantedOne(r, e)
	if err != nil {
		return err
	}
	b := getBuffer()
	defer b.put()
	b.out = b.out[:0]
	code, err := b.code(e, id)
	if err != nil {
		return err
	}
	if octets {
		b.packDigits(code)
		return b.writeOctets(w, 1, "Kd-Code-Length", e.CodeLength())
	}
	if err := b.appendEntry(e, id, "code"); err != nil {
		return err
	}
	b.out = append(appendDigits(b.out, code), '}', '\n')
	write(w, http.StatusOK, jsonType, b.out)
	return nil
}

// codes is the route of many codes.
func (s *Server) codes(w http.ResponseWriter, r *http.Request, t *table, e *edition) error {
	octets, err := wantsOctets(r)
	if err != nil {
		return err
	}
	b := getBuffer()
	defer b.put()
	if err := s.wantedIDs(w, r, e, b); err != nil {
		return err
	}
	if octets {
		return b.packedCodes(w, e)
	}
	b.begin(t, "ways", e.Ways())
	b.appendNumber("code_length", e.CodeLength())
	b.out = append(b.out, `,"codes":[`...)
	for i, id := range b.ids {
		if i > 0 {
			b.out = append(b.out, ',')
		}
		if id == none {
			b.out = append(b.out, "null"...)
			continue
		}
		if err := b.appendEntry(e, id, "code"); err != nil {
			return err
		}
		code, err := b.code(e, id)
		if err != nil {
			return err
		}
		b.out = append(appendDigits(b.out, code), '}')
	}
	b.out = append(b.out, "]}\n"...)
	write(w, http.StatusOK, jsonType, b.out)
	return nil
}

// packedCodes answers with the codes of b.ids.
func (b *buffer) packedCodes(w http.ResponseWriter, e *edition) error {
	b.out = b.out[:0]
	missing := make([]uint16, e.CodeLength())
	for _, id := range b.ids {
		code := missing
		if id != none {
			var err error
			if code, err = b.code(e, id); err != nil {
				return err
			}
		}
		b.packDigits(code)
	}
	return b.writeOctets(w, len(b.ids), "Kd-Code-Length", e.CodeLength())
}

// code returns the digits of id, valid until the next call.
func (b *buffer) code(e *edition, id int) ([]uint16, error) {
	b.digits = e.Code(b.digits[:0], id)
	if len(b.digits) == 0 {
		return nil, kdcode.ErrClosed // the id was checked
	}
	for j, digit := range b.digits {
		if int(digit) >= e.Ways() {
			return nil, fmt.Errorf("%w: digit %d of id %d is %d", kdcode.ErrDamaged, j, id, digit)
		}
	}
	return b.digits, nil
}
