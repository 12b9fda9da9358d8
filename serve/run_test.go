package serve

import (
	"bufio"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// running is a server that listens.
type running struct {
	*Server
	addr string
	stop context.CancelFunc
	done chan error
}

func start(t testing.TB, s *Server, wrap func(net.Listener) net.Listener) *running {
	t.Helper()
	l, err := Listen("127.0.0.1:0", Access{})
	if err != nil {
		t.Fatal(err)
	}
	if wrap != nil {
		l = wrap(l)
	}
	ctx, cancel := context.WithCancel(context.Background())
	r := &running{s, l.Addr().String(), cancel, make(chan error, 1)}
	go func() { r.done <- s.Serve(ctx, l) }()
	t.Cleanup(cancel)
	return r
}

// wait returns what Serve returned.
func (r *running) wait(t testing.TB) error {
	t.Helper()
	select {
	case err := <-r.done:
		return err
	case <-time.After(10 * time.Second):
		t.Fatal("the server did not end")
		return nil
	}
}

// TestDrain: a request that is under way at the end is answered, and no other
// is taken.
func TestDrain(t *testing.T) {
	s := newServer(t, sources(t), Options{Limits: Limits{Searches: 1}})
	r := start(t, s, nil)
	s.searches <- struct{}{} // holds the request up
	status := make(chan int, 1)
	go func() {
		answer, err := http.Get("http://" + r.addr + "/v1/tables/t/neighbours?symbol=cat")
		if err != nil {
			t.Error(err)
			status <- 0
			return
		}
		defer answer.Body.Close()
		io.Copy(io.Discard, answer.Body)
		status <- answer.StatusCode
	}()
	time.Sleep(100 * time.Millisecond)
	r.stop()
	time.Sleep(100 * time.Millisecond)
	if _, err := net.DialTimeout("tcp", r.addr, time.Second); err == nil {
		t.Error("still listens")
	}
	<-s.searches
	if got := <-status; got != 200 {
		t.Errorf("status %d", got)
	}
	if err := r.wait(t); err != nil {
		t.Error(err)
	}
	if got := get(t, s, "/readyz"); got.status != 503 {
		t.Errorf("ready: %d", got.status)
	}
}

// TestDrainDeadline: a request that does not end is cut off.
func TestDrainDeadline(t *testing.T) {
	s := newServer(t, sources(t), Options{Limits: Limits{Searches: 1, Drain: 50 * time.Millisecond}})
	r := start(t, s, nil)
	s.searches <- struct{}{}
	failed := make(chan error, 1)
	go func() {
		answer, err := http.Get("http://" + r.addr + "/v1/tables/t/neighbours?symbol=cat")
		if err == nil {
			answer.Body.Close()
		}
		failed <- err
	}()
	time.Sleep(100 * time.Millisecond)
	r.stop()
	if err := r.wait(t); err == nil || !strings.Contains(err.Error(), "cut off") {
		t.Errorf("%v", err)
	}
	if err := <-failed; err == nil {
		t.Error("the request was answered")
	}
}

// TestSlowClients: clients that do not get on with their header or their body
// are hung up on, and others are answered meanwhile.
func TestSlowClients(t *testing.T) {
	s := newServer(t, sources(t), Options{Limits: Limits{Header: 200 * time.Millisecond, Time: 300 * time.Millisecond}})
	r := start(t, s, nil)
	for _, begun := range []string{
		"GET /v1/tables HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ",
		"POST /v1/tables/t/vectors HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100\r\n\r\n{\"ids\":[",
	} {
		conn, err := net.Dial("tcp", r.addr)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		fmt.Fprint(conn, begun)
		if answer, err := http.Get("http://" + r.addr + "/healthz"); err != nil || answer.StatusCode != 200 {
			t.Errorf("meanwhile: %v", err)
		} else {
			answer.Body.Close()
		}
		conn.SetReadDeadline(time.Now().Add(5 * time.Second))
		began := time.Now()
		text, err := io.ReadAll(bufio.NewReader(conn))
		if err != nil && !errors.Is(err, io.EOF) && os.IsTimeout(err) {
			t.Errorf("%q: not hung up on after %s, %q", begun, time.Since(began), text)
		}
	}
}

func TestListenPublic(t *testing.T) {
	for _, test := range []struct {
		addr   string
		access Access
		ok     bool
	}{
		{"127.0.0.1:0", Access{}, true},
		{"localhost:0", Access{}, true},
		{":0", Access{}, false},
		{"0.0.0.0:0", Access{}, false},
		{"0.0.0.0:0", Access{Token: "secret"}, true},
		{"0.0.0.0:0", Access{Public: true}, true},
	} {
		l, err := Listen(test.addr, test.access)
		if err == nil {
			l.Close()
		}
		if (err == nil) != test.ok || err != nil && !errors.Is(err, ErrPublic) {
			t.Errorf("%s %+v: %v", test.addr, test.access, err)
		}
	}
	if _, err := Listen("nonsense", Access{}); err == nil || errors.Is(err, ErrPublic) {
		t.Errorf("%v", err)
	}
}

// writeCertificate writes a certificate for 127.0.0.1 and its key, and returns
// the pool that trusts it.
func writeCertificate(t testing.TB, cert, key string) *x509.CertPool {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(time.Now().UnixNano()), Subject: pkix.Name{CommonName: "kd test"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &private.PublicKey, private)
	if err != nil {
		t.Fatal(err)
	}
	keyDER, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	certPEM := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
	if err := os.WriteFile(cert, certPEM, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(key, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: keyDER}), 0o600); err != nil {
		t.Fatal(err)
	}
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(certPEM)
	return pool
}

func TestTLS(t *testing.T) {
	folder := t.TempDir()
	cert, key := filepath.Join(folder, "cert.pem"), filepath.Join(folder, "key.pem")
	pool := writeCertificate(t, cert, key)
	c, err := OpenCertificate(cert, key)
	if err != nil {
		t.Fatal(err)
	}
	r := start(t, newServer(t, sources(t), Options{}), c.Listener)
	ask := func(pool *x509.CertPool) (*http.Response, error) {
		client := &http.Client{Transport: &http.Transport{ForceAttemptHTTP2: true, DisableKeepAlives: true, TLSClientConfig: &tls.Config{RootCAs: pool}}}
		answer, err := client.Get("https://" + r.addr + "/v1/tables/t/vectors/cat")
		if err == nil {
			answer.Body.Close()
		}
		return answer, err
	}
	if answer, err := ask(pool); err != nil || answer.StatusCode != 200 || answer.ProtoMajor != 2 {
		t.Fatalf("%v, %v", answer, err)
	}
	// A replaced certificate is used after it was reloaded, a bad one never.
	newPool := writeCertificate(t, cert, key)
	if err := c.Reload(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(cert, []byte("nonsense"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := c.Reload(); err == nil || !strings.Contains(err.Error(), cert) {
		t.Errorf("%v", err)
	}
	if _, err := ask(pool); err == nil {
		t.Error("the old certificate is still used")
	}
	if answer, err := ask(newPool); err != nil || answer.StatusCode != 200 {
		t.Errorf("%v", err)
	}
}

// TestSlowBody: a client that does not send its body in time is told so.
func TestSlowBody(t *testing.T) {
	r := start(t, newServer(t, sources(t), Options{Limits: Limits{Time: 50 * time.Millisecond}}), nil)
	c, err := net.Dial("tcp", r.addr)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	fmt.Fprint(c, "POST /v1/tables/t/vectors HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n{")
	answer, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != http.StatusServiceUnavailable || !strings.Contains(string(text), `"code":"timeout"`) {
		t.Errorf("%s %q, %v", answer.Status, text, err)
	}
}
