package serve

import (
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"sync/atomic"
)

// Access is who may reach a server.
type Access struct {
	Token  string // that requests have to send
	Public bool   // other machines may ask without one
}

// ErrPublic is returned for an address that others can reach without a token.
var ErrPublic = errors.New("serve: other machines can reach this address, and no token is asked of them")

// Listen listens on addr. An address that other machines can reach needs a
// token, unless it is said to be public.
func Listen(addr string, a Access) (net.Listener, error) {
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, err
	}
	if a.Token == "" && !a.Public && !loopback(l.Addr()) {
		l.Close()
		return nil, fmt.Errorf("%s: %w", addr, ErrPublic)
	}
	return l, nil
}

// loopback reports whether only this machine reaches an address.
func loopback(addr net.Addr) bool {
	tcp, ok := addr.(*net.TCPAddr)
	return ok && tcp.IP.IsLoopback()
}

// Certificate is a TLS certificate in files, which can be replaced.
type Certificate struct {
	cert, key string
	newest    atomic.Pointer[tls.Certificate]
}

// OpenCertificate reads a certificate and its key.
func OpenCertificate(cert, key string) (*Certificate, error) {
	c := &Certificate{cert: cert, key: key}
	return c, c.Reload()
}

// Reload reads the files again. After an error the certificate stays as it was.
func (c *Certificate) Reload() error {
	pair, err := tls.LoadX509KeyPair(c.cert, c.key)
	if err != nil {
		return fmt.Errorf("%s, %s: %w", c.cert, c.key, err)
	}
	c.newest.Store(&pair)
	return nil
}

// Listener encrypts what comes through l.
func (c *Certificate) Listener(l net.Listener) net.Listener {
	return tls.NewListener(l, &tls.Config{
		MinVersion: tls.VersionTLS12,
		NextProtos: []string{"h2", "http/1.1"},
		GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) {
			return c.newest.Load(), nil
		},
	})
}
