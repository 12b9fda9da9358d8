package main

import (
	"bufio"
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/url"
	"strconv"
	"time"
)

// wire is a keep-alive connection that sends prepared requests. It knows as
// much HTTP/1.1 as our server speaks: a client of net/http would use more of a
// core than the server that it measures.
type wire struct {
	dial func(context.Context) (net.Conn, error)
	conn net.Conn
	stop func() bool // ends the watch over the context
	in   *bufio.Reader
}

// wireTime is the longest wait for an answer.
const wireTime = 30 * time.Second

func newWire(at *url.URL) *wire {
	host := at.Host
	if at.Port() == "" {
		host = net.JoinHostPort(at.Hostname(), map[string]string{"http": "80", "https": "443"}[at.Scheme])
	}
	dial := func(ctx context.Context) (net.Conn, error) {
		var d net.Dialer
		return d.DialContext(ctx, "tcp", host)
	}
	if at.Scheme == "https" {
		d := tls.Dialer{Config: &tls.Config{ServerName: at.Hostname(), MinVersion: tls.VersionTLS12}}
		dial = func(ctx context.Context) (net.Conn, error) { return d.DialContext(ctx, "tcp", host) }
	}
	return &wire{dial: dial, in: bufio.NewReaderSize(nil, 64<<10)}
}

func (w *wire) close() {
	if w.conn != nil {
		w.stop()
		w.conn.Close()
		w.conn = nil
	}
}

// do sends a request and reads the answer, whose body it drops.
func (w *wire) do(ctx context.Context, request []byte) (status, length int, err error) {
	if w.conn == nil {
		if w.conn, err = w.dial(ctx); err != nil {
			return 0, 0, err
		}
		conn := w.conn
		w.stop = context.AfterFunc(ctx, func() { conn.Close() })
		w.in.Reset(conn)
	}
	defer func() {
		if err != nil {
			w.close()
		}
	}()
	if err := w.conn.SetDeadline(time.Now().Add(wireTime)); err != nil {
		return 0, 0, err
	}
	if _, err := w.conn.Write(request); err != nil {
		return 0, 0, err
	}
	status, length, last, err := w.header()
	if err != nil {
		return 0, 0, err
	}
	if _, err := w.in.Discard(length); err != nil {
		return 0, 0, err
	}
	if last {
		w.close()
	}
	return status, length, nil
}

var errWire = errors.New("not an answer of kd serve")

// header reads the status line and the header of an answer.
func (w *wire) header() (status, length int, last bool, err error) {
	line, err := w.in.ReadSlice('\n')
	if err != nil {
		return 0, 0, false, err
	}
	if len(line) < 12 || !bytes.HasPrefix(line, []byte("HTTP/1.1 ")) {
		return 0, 0, false, fmt.Errorf("%w: %q", errWire, line)
	}
	if status, err = strconv.Atoi(string(line[9:12])); err != nil {
		return 0, 0, false, fmt.Errorf("%w: %q", errWire, line)
	}
	length = -1
	for {
		line, err := w.in.ReadSlice('\n')
		if err != nil {
			return 0, 0, false, err
		}
		name, value, _ := bytes.Cut(bytes.TrimRight(line, "\r\n"), []byte(": "))
		switch {
		case len(name) == 0:
			if length < 0 {
				err = fmt.Errorf("%w: no Content-Length", errWire)
			}
			return status, length, last, err
		case string(name) == "Content-Length":
			if length, err = strconv.Atoi(string(value)); err != nil {
				return 0, 0, false, fmt.Errorf("%w: %q", errWire, line)
			}
		case string(name) == "Connection" && string(value) == "close":
			last = true
		}
	}
}
