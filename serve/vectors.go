package serve

import (
	"net/http"
	"strconv"
)

// vector is the route of one vector.
func (s *Server) vector(w http.ResponseWriter, r *http.Request, t *table, e *edition) error {
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
	v := b.vectors(e.Dim())
	if err := e.Lookup(v, id); err != nil {
		return err
	}
	t.served.Inc()
	if octets {
		b.packFloats(v)
		return b.writeOctets(w, 1, "Kd-Dim", e.Dim())
	}
	b.out = b.out[:0]
	if err := b.appendEntry(e, id, "vector"); err != nil {
		return err
	}
	b.out = append(appendFloats(b.out, v), '}', '\n')
	write(w, http.StatusOK, jsonType, b.out)
	return nil
}

// vectors is the route of many vectors.
func (s *Server) vectors(w http.ResponseWriter, r *http.Request, t *table, e *edition) error {
	octets, err := wantsOctets(r)
	if err != nil {
		return err
	}
	b := getBuffer()
	defer b.put()
	if err := s.wantedIDs(w, r, e, b); err != nil {
		return err
	}
	d := e.Dim()
	v := b.vectors(len(b.ids) * d)
	if err := b.compose(e, v); err != nil {
		return err
	}
	t.served.Add(float64(len(b.ids)))
	if octets {
		b.packFloats(v)
		return b.writeOctets(w, len(b.ids), "Kd-Dim", d)
	}
	b.begin(t, "dim", d)
	b.out = append(b.out, `,"vectors":[`...)
	for i, id := range b.ids {
		if i > 0 {
			b.out = append(b.out, ',')
		}
		if id == none {
			b.out = append(b.out, "null"...)
			continue
		}
		if err := b.appendEntry(e, id, "vector"); err != nil {
			return err
		}
		b.out = append(appendFloats(b.out, v[i*d:][:d]), '}')
	}
	b.out = append(b.out, "]}\n"...)
	write(w, http.StatusOK, jsonType, b.out)
	return nil
}

// compose looks up the vectors of b.ids, zeros where an id is none.
func (b *buffer) compose(e *edition, v []float32) error {
	d := e.Dim()
	for from := 0; from < len(b.ids); {
		if b.ids[from] == none {
			clear(v[from*d:][:d])
			from++
			continue
		}
		to := from + 1
		for to < len(b.ids) && b.ids[to] != none {
			to++
		}
		if err := e.LookupBatch(v[from*d:to*d], b.ids[from:to]); err != nil {
			return err
		}
		from = to
	}
	return nil
}

// begin writes the beginning of an answer: the table's name and a number.
func (b *buffer) begin(t *table, name string, n int) {
	b.out = append(b.out[:0], `{"table":`...)
	b.out = appendString(b.out, t.Name)
	b.appendNumber(name, n)
}

func (b *buffer) appendNumber(name string, n int) {
	b.out = append(b.out, ',', '"')
	b.out = append(b.out, name...)
	b.out = append(b.out, '"', ':')
	b.out = strconv.AppendInt(b.out, int64(n), 10)
}

// appendEntry writes the beginning of a word's entry, up to the value of what.
func (b *buffer) appendEntry(e *edition, id int, what string) error {
	b.out = append(b.out, `{"id":`...)
	b.out = strconv.AppendInt(b.out, int64(id), 10)
	if e.HasSymbols() {
		symbol, err := e.Symbol(id)
		if err != nil {
			return err
		}
		b.out = append(b.out, `,"symbol":`...)
		b.out = appendString(b.out, symbol)
	}
	b.out = append(b.out, ',', '"')
	b.out = append(b.out, what...)
	b.out = append(b.out, '"', ':')
	return nil
}

// writeOctets answers with b.out, packed, and says how many of what width.
func (b *buffer) writeOctets(w http.ResponseWriter, count int, width string, n int) error {
	h := w.Header()
	h["Kd-Count"] = []string{strconv.Itoa(count)}
	h[width] = []string{strconv.Itoa(n)}
	write(w, http.StatusOK, octetsType, b.out)
	return nil
}
