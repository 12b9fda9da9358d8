package serve

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// sink is a client that takes everything.
type sink struct{ header http.Header }

func (s *sink) Header() http.Header         { return s.header }
func (s *sink) Write(p []byte) (int, error) { return len(p), nil }
func (s *sink) WriteHeader(int)             {}

// BenchmarkHandler measures answering, without the network.
func BenchmarkHandler(b *testing.B) {
	s := newServer(b, []Source{{Name: "large", Path: large(b, 10000)}}, Options{})
	packed := strings.Repeat("\x05\x00\x00\x00", 256)
	for _, bench := range []ask{
		{"GET", "/v1/tables/large/vectors/w123", "", nil},
		{"POST", "/v1/tables/large/vectors", packed, map[string]string{"Content-Type": octetsType[0], "Accept": octetsType[0]}},
		{"GET", "/v1/tables/large/neighbours?symbol=w123", "", nil},
		{"GET", "/v1/tables/large/complete?q=w12", "", nil},
		{"GET", "/v1/tables/large/prefix?digits=3", "", nil},
	} {
		b.Run(fmt.Sprintf("%s %s", bench.method, bench.path), func(b *testing.B) {
			r := httptest.NewRequest(bench.method, bench.path, strings.NewReader(bench.body))
			for name, value := range bench.header {
				r.Header.Set(name, value)
			}
			w := &sink{http.Header{}}
			body := strings.NewReader("")
			r.Body = http.NoBody
			b.ReportAllocs()
			for b.Loop() {
				if bench.body != "" {
					body.Reset(bench.body)
					r.Body = readCloser{body}
				}
				clear(w.header)
				s.ServeHTTP(w, r)
			}
		})
	}
}

type readCloser struct{ *strings.Reader }

func (readCloser) Close() error { return nil }
