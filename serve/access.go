package serve

import (
	"crypto/sha256"
	"crypto/subtle"
	"net"
	"net/http"
	"net/netip"
	"strings"
)

// hashed makes tokens comparable in a time that tells nothing, not even their
// length.
func hashed(token string) []byte {
	sum := sha256.Sum256([]byte(token))
	return sum[:]
}

// foreign finds requests that a page of another site makes in a browser.
var foreign = http.NewCrossOriginProtection()

// allowed returns an error unless the client may use the route.
func (s *Server) allowed(route *route, r *http.Request) error {
	if err := foreign.Check(r); err != nil {
		return fail(http.StatusForbidden, "forbidden", "a page of another site may not ask for this")
	}
	if route.open {
		return nil
	}
	if s.token == nil {
		if s.local.Load() && !localName(r.Host) {
			return fail(http.StatusForbidden, "forbidden", "this server is for its own machine: ask as localhost, or give the server a token")
		}
		return nil
	}
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if !strings.EqualFold(scheme, "Bearer") || subtle.ConstantTimeCompare(hashed(strings.TrimSpace(token)), s.token) != 1 {
		return fail(http.StatusUnauthorized, "unauthorized", "send the server's token: Authorization: Bearer TOKEN")
	}
	return nil
}

// localName reports whether a Host header is an address or localhost. A page
// whose name was made to lead here (DNS rebinding) comes with its own name.
func localName(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.Trim(host, "[]")
	if _, err := netip.ParseAddr(host); err == nil {
		return true
	}
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	return host == "localhost" || strings.HasSuffix(host, ".localhost")
}
