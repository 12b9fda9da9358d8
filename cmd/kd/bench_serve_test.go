package main

import (
	"fmt"
	"math/rand/v2"
	"net"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestBenchServe(t *testing.T) {
	inFolder(t)
	m := model()
	m.Symbols = nil
	write(t, "ids.kd", m)
	s := startServe(t, "t.kd", "ids.kd")
	for _, table := range []string{"t", "ids"} {
		for _, mode := range benchModes {
			r := kd(t, "", "bench", "serve", s.URL, "--table", table, "--mode", mode, "--seconds", "0.1", "--connections", "2", "--batch", "7", "--json")
			r.quiet(t)
			var got benchServeResult
			r.object(t, &got)
			if got.Requests == 0 || got.Errors != 0 || got.PerSecond <= 0 || got.P50 <= 0 || got.P50 > got.P99 || got.P99 > got.Max || got.Table != table {
				t.Errorf("%s, %s: %+v", table, mode, got)
			}
			if vectors := got.Vectors / got.PerSecond; mode == "packed" && (vectors < 6.99 || vectors > 7.01) {
				t.Errorf("%g vectors a request", vectors)
			}
		}
	}
	r := kd(t, "", "bench", "serve", s.URL+"/", "--seconds", "0.2", "--reload-every", "20ms", "--replace", "t.kd")
	r.quiet(t)
	for _, want := range []string{"\nrequests ", "\n99 % within ", "\nerrors  ", "\nreloads ", ", 0 failed"} {
		if !strings.Contains(r.stdout, want) {
			t.Errorf("no %q in %q", want, r.stdout)
		}
	}
	if !strings.Contains(s.stderr.String(), `"msg":"reloaded"`) {
		t.Errorf("not reloaded: %s", s.stderr)
	}
	kd(t, "", "bench", "serve", s.URL, "--table", "x").want(t, exitUsage, "the server has t, ids")
	r = kd(t, "", "bench", "serve", s.URL, "--seconds", "0.1", "--reload-every", "10ms", "--replace", "missing.kd")
	if r.code != exitFailed || !strings.Contains(r.stdout, "missing.kd") {
		t.Errorf("%+v", r)
	}
}

// TestBenchServeErrors: answers that are not as they should be are counted.
func TestBenchServeErrors(t *testing.T) {
	inFolder(t)
	s := startServe(t, "t.kd", "--max-batch", "5")
	r := kd(t, "", "bench", "serve", s.URL, "--mode", "packed", "--seconds", "0.05", "--connections", "1", "--json")
	var got benchServeResult
	r.object(t, &got)
	if r.code != exitFailed || got.Errors == 0 || got.Requests != 0 || !strings.Contains(got.FirstError, "status 413") {
		t.Errorf("%d %+v", r.code, got)
	}
}

// TestWire: what is no answer of our server is an error, not a wrong number.
func TestWire(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	answers := make(chan string)
	go func() {
		for answer := range answers {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			conn.Read(make([]byte, 1000))
			fmt.Fprint(conn, answer)
			conn.Close()
		}
	}()
	defer close(answers)
	o := benchServeOptions{mode: "single", connections: 1, seconds: 1, batch: 1}
	if err := o.check("http://" + l.Addr().String()); err != nil {
		t.Fatal(err)
	}
	for answer, want := range map[string]string{
		"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi":                      "",
		"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nhi": "",
		"HTTP/1.1 200 OK\r\n\r\nhi":                                           "no Content-Length",
		"HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\nhi":                      "not an answer",
		"HTTP/1.1 abc OK\r\n\r\n":                                             "not an answer",
		"nonsense\r\n":                                                        "not an answer",
		"HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\nhi":                     "EOF",
		"": "EOF",
	} {
		w := newWire(o.url)
		answers <- answer
		status, length, err := w.do(t.Context(), []byte("GET / HTTP/1.1\r\n\r\n"))
		if want == "" && (err != nil || status != 200 || length != 2) || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%q: %d, %d, %v", answer, status, length, err)
		}
		w.close()
	}
}

// TestLatencies: percentiles are within a bucket of those of the numbers
// themselves.
func TestLatencies(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	var all []time.Duration
	var whole latencies
	for range 3 {
		var l latencies
		for range 5000 {
			d := time.Duration(random.ExpFloat64() * float64(time.Millisecond))
			all = append(all, d)
			l.add(d)
		}
		whole.merge(&l)
	}
	slices.Sort(all)
	for _, q := range []float64{0, 0.5, 0.9, 0.99, 0.999, 1} {
		want := all[min(int(q*float64(len(all))), len(all)-1)]
		if got := whole.percentile(q); got < want || float64(got) > 1.04*float64(want)+1 {
			t.Errorf("%g: %s instead of %s", q, got, want)
		}
	}
	for _, d := range []time.Duration{-1, 0, 1, 31, 32, 63, 64, 65, 1 << 40, 1<<63 - 1} {
		if end := bucketEnd(bucketOf(uint64(max(d, 0)))); end < d {
			t.Errorf("%d is in a bucket that ends at %d", d, end)
		}
	}
}
