package main

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"
)

// serveLoad is the requests that a server is asked, again and again.
type serveLoad struct {
	o        *benchServeOptions
	client   *http.Client // for what is not measured
	requests [][]byte
	length   int // of an answer; 0 where it differs
	vectors  int // of an answer
}

// preparedRequests is how many different requests there are: more than caches
// of the server hold answers to.
const preparedRequests = 8192

// servedTable is what the server says of a table.
type servedTable struct {
	Name       string `json:"name"`
	N          int    `json:"n"`
	Dim        int    `json:"dim"`
	HasSymbols bool   `json:"has_symbols"`
}

func newServeLoad(ctx context.Context, o *benchServeOptions) (*serveLoad, error) {
	l := &serveLoad{o: o, client: &http.Client{Timeout: wireTime}}
	var all struct {
		Tables []servedTable `json:"tables"`
	}
	if err := l.ask(ctx, http.MethodGet, "/v1/tables", nil, &all); err != nil {
		return nil, err
	}
	var table servedTable
	var names []string
	for _, t := range all.Tables {
		names = append(names, t.Name)
		if table.Name == "" && (o.table == "" || t.Name == o.table) {
			table = t
		}
	}
	if table.Name == "" {
		return nil, usagef("--table %s: the server has %s", o.table, strings.Join(names, ", "))
	}
	o.table = table.Name
	random := rand.New(rand.NewPCG(1, 2))
	path := "/v1/tables/" + url.PathEscape(table.Name)
	if o.mode == "packed" {
		l.vectors, l.length = o.batch, 4*o.batch*table.Dim
		for range 1 + preparedRequests/o.batch {
			body := make([]byte, 0, 4*o.batch)
			for range o.batch {
				body = binary.LittleEndian.AppendUint32(body, uint32(random.IntN(table.N)))
			}
			l.add(http.MethodPost, path+"/vectors", "Content-Type: application/octet-stream\r\nAccept: application/octet-stream\r\n", body)
		}
		return l, nil
	}
	wanted, err := l.wanted(ctx, path, table, random)
	if err != nil {
		return nil, err
	}
	for _, query := range wanted {
		if o.mode == "single" {
			l.vectors = 1
			if symbol, ok := strings.CutPrefix(query, "symbol="); ok && symbol != "" {
				l.add(http.MethodGet, path+"/vectors/"+strings.ReplaceAll(symbol, "+", "%20"), "", nil)
				continue
			}
			l.add(http.MethodGet, path+"/vectors?"+query, "", nil)
			continue
		}
		l.add(http.MethodGet, path+"/neighbours?k=10&"+query, "", nil)
	}
	return l, nil
}

// wanted returns random words as queries: symbol=cat, or id=5 in a table
// without symbols.
func (l *serveLoad) wanted(ctx context.Context, path string, table servedTable, random *rand.Rand) ([]string, error) {
	const atOnce = 256
	var queries []string
	for len(queries) < preparedRequests {
		ids := make([]int, atOnce)
		for i := range ids {
			ids[i] = random.IntN(table.N)
		}
		var answer struct {
			Codes []struct {
				ID     int     `json:"id"`
				Symbol *string `json:"symbol"`
			} `json:"codes"`
		}
		if err := l.ask(ctx, http.MethodPost, path+"/codes", map[string]any{"ids": ids}, &answer); err != nil {
			return nil, err
		}
		for _, c := range answer.Codes {
			query := url.Values{"id": {fmt.Sprint(c.ID)}}
			if c.Symbol != nil && !strings.ContainsRune(*c.Symbol, '\uFFFD') && *c.Symbol != "." && *c.Symbol != ".." {
				query = url.Values{"symbol": {*c.Symbol}}
			}
			queries = append(queries, query.Encode())
		}
	}
	return queries, nil
}

// add prepares a request.
func (l *serveLoad) add(method, path, header string, body []byte) {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s %s HTTP/1.1\r\nHost: %s\r\n%s", method, path, l.o.url.Host, header)
	if l.o.token != "" {
		fmt.Fprintf(&b, "Authorization: Bearer %s\r\n", l.o.token)
	}
	if body != nil {
		fmt.Fprintf(&b, "Content-Length: %d\r\n", len(body))
	}
	b.WriteString("\r\n")
	b.Write(body)
	l.requests = append(l.requests, b.Bytes())
}

// ask asks what is not measured, and decodes the answer into v unless it is nil.
func (l *serveLoad) ask(ctx context.Context, method, path string, body, v any) error {
	text, err := json.Marshal(body)
	if err != nil {
		return err
	}
	r, err := http.NewRequestWithContext(ctx, method, l.o.url.Scheme+"://"+l.o.url.Host+path, bytes.NewReader(text))
	if err != nil {
		return err
	}
	r.Header.Set("Content-Type", "application/json")
	if l.o.token != "" {
		r.Header.Set("Authorization", "Bearer "+l.o.token)
	}
	answer, err := l.client.Do(r)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	got, err := io.ReadAll(answer.Body)
	if err != nil {
		return err
	}
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("%s%s: %s: %s", l.o.url.Host, path, answer.Status, strings.TrimSpace(string(got)))
	}
	if text, ok := v.(*string); ok {
		*text = string(got)
		return nil
	}
	if v == nil {
		return nil
	}
	return json.Unmarshal(got, v)
}

// asker is what one connection saw.
type asker struct {
	took   latencies
	errors int64
	first  string // error
}

// run asks for the time given.
func (l *serveLoad) run(ctx context.Context) (*benchServeResult, error) {
	askers := make([]asker, l.o.connections)
	duration := time.Duration(l.o.seconds * float64(time.Second))
	began := time.Now()
	end := began.Add(duration)
	var running sync.WaitGroup
	for i := range askers {
		running.Go(func() { l.askUntil(ctx, end, i, &askers[i]) })
	}
	var soak *soakResults
	if l.o.reloadEvery > 0 {
		soak = l.soak(ctx, end)
	}
	running.Wait()
	spent := time.Since(began).Seconds()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	r := &benchServeResult{URL: l.o.url.String(), Table: l.o.table, Mode: l.o.mode, Connections: l.o.connections, Batch: l.vectors, Seconds: spent, Soak: soak}
	var took latencies
	for i := range askers {
		took.merge(&askers[i].took)
		r.Errors += askers[i].errors
		if r.FirstError == "" {
			r.FirstError = askers[i].first
		}
	}
	ms := func(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
	r.Requests = took.n
	r.PerSecond = float64(took.n) / spent
	r.Vectors = r.PerSecond * float64(l.vectors)
	r.P50, r.P90, r.P99, r.P999, r.Max = ms(took.percentile(0.5)), ms(took.percentile(0.9)), ms(took.percentile(0.99)), ms(took.percentile(0.999)), ms(took.most)
	return r, nil
}

// askUntil asks one request after the other over a connection of its own.
func (l *serveLoad) askUntil(ctx context.Context, end time.Time, first int, a *asker) {
	w := newWire(l.o.url)
	defer w.close()
	at := first * len(l.requests) / l.o.connections
	for now := time.Now(); now.Before(end) && ctx.Err() == nil; {
		status, length, err := w.do(ctx, l.requests[at])
		switch {
		case err != nil:
		case status != http.StatusOK:
			err = fmt.Errorf("status %d", status)
		case l.length > 0 && length != l.length:
			err = fmt.Errorf("%d bytes instead of %d", length, l.length)
		}
		then := now
		now = time.Now()
		if err == nil {
			a.took.add(now.Sub(then))
		} else {
			if a.errors++; a.first == "" {
				a.first = err.Error()
			}
			time.Sleep(time.Millisecond) // a server that is gone is not asked a million times
		}
		at = (at + 1) % len(l.requests)
	}
}
