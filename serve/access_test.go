package serve

import (
	"net/http"
	"strings"
	"testing"
)

func TestToken(t *testing.T) {
	d := readDocument(t)
	s := newServer(t, sources(t), Options{Token: "secret"})
	for _, r := range s.allRoutes() {
		path := strings.NewReplacer("{table}", "t", "{symbol}", "cat").Replace(r.path)
		for method := range r.methods {
			for _, header := range []string{"", "Bearer wrong", "Bearer", "Basic secret", "secret", "Bearer secretsecret"} {
				a := ask{method, path, "", map[string]string{"Authorization": header}}
				got := do(t, s, a)
				if (got.status == http.StatusUnauthorized) == r.open {
					t.Errorf("%s %s with %q: %d", method, path, header, got.status)
				}
				if !r.open {
					d.check(t, a, got)
					if got.header.Get("WWW-Authenticate") == "" {
						t.Errorf("%s %s does not say how to ask", method, path)
					}
				}
			}
		}
	}
	for _, header := range []string{"Bearer secret", "bearer  secret "} {
		if got := do(t, s, ask{"GET", "/v1/tables", "", map[string]string{"Authorization": header}}); got.status != 200 {
			t.Errorf("%q: %d", header, got.status)
		}
	}
}

// TestForeign: pages of other sites cannot use a browser to ask, neither by
// their own name nor by one that was made to lead here.
func TestForeign(t *testing.T) {
	d := readDocument(t)
	s := newServer(t, sources(t), Options{})
	a := ask{"POST", "/admin/reload", "", map[string]string{"Sec-Fetch-Site": "cross-site"}}
	got := do(t, s, a)
	if got.status != http.StatusForbidden {
		t.Errorf("%d", got.status)
	}
	d.check(t, a, got)
	if got := do(t, s, ask{"POST", "/admin/reload", "", map[string]string{"Origin": "http://evil.example"}}); got.status != http.StatusForbidden {
		t.Errorf("%d", got.status)
	}
	r := start(t, s, nil)
	for host, status := range map[string]int{"": 200, "localhost:8080": 200, "[::1]:8080": 200, "evil.example": 403, "evil.example:8080": 403, "127.0.0.1.evil.example": 403} {
		request, err := http.NewRequest("GET", "http://"+r.addr+"/v1/tables", nil)
		if err != nil {
			t.Fatal(err)
		}
		request.Host = host
		answer, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		if answer.Body.Close(); answer.StatusCode != status {
			t.Errorf("%q: %d", host, answer.StatusCode)
		}
	}
}

func TestPage(t *testing.T) {
	s := newServer(t, sources(t), Options{})
	for _, path := range []string{"/", "/index.html"} {
		got := get(t, s, path)
		if path == "/index.html" { // ServeFileFS sends it to /
			if got.status != http.StatusMovedPermanently {
				t.Errorf("%s: %d", path, got.status)
			}
			continue
		}
		if got.status != 200 || !strings.HasPrefix(got.header.Get("Content-Type"), "text/html") || !strings.Contains(got.header.Get("Content-Security-Policy"), "default-src 'self'") {
			t.Errorf("%s: %d %v", path, got.status, got.header)
		}
		if head := do(t, s, ask{"HEAD", path, "", nil}); head.status != 200 {
			t.Errorf("HEAD: %d", head.status)
		}
	}
	for _, path := range []string{"/nonsense", "/web/dist/index.html", "/assets/"} {
		if got := get(t, s, path); got.status != 404 {
			t.Errorf("%s: %d", path, got.status)
		}
	}
}
