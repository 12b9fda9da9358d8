package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// served is a kd serve under way.
type served struct {
	serveResult
	stderr *lockedBuffer
	stop   context.CancelFunc
	code   chan int
}

// lockedBuffer can be read while it is written.
type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// startServe runs kd serve on a free port until the test ends.
func startServe(t *testing.T, args ...string) *served {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	s := &served{stderr: &lockedBuffer{}, stop: cancel, code: make(chan int, 1)}
	out, in := io.Pipe()
	go func() {
		s.code <- run(ctx, append([]string{"serve", "--json", "--addr", "127.0.0.1:0"}, args...), strings.NewReader(""), in, s.stderr)
		in.Close()
	}()
	t.Cleanup(func() {
		cancel()
		if s.code != nil {
			<-s.code
		}
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatalf("%v; stderr %q", err, s.stderr)
	}
	if err := json.Unmarshal([]byte(line), &s.serveResult); err != nil {
		t.Fatalf("%v in %q", err, line)
	}
	return s
}

// end stops the server and returns its exit code.
func (s *served) end() int {
	s.stop()
	code := <-s.code
	s.code = nil
	return code
}

func (s *served) get(t *testing.T, path string) (int, string) {
	t.Helper()
	answer, err := http.Get(s.URL + path)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer.StatusCode, string(body)
}

func TestServe(t *testing.T) {
	inFolder(t)
	kd(t, "", "convert", "t.kd", "t.txt").quiet(t)
	kd(t, "", "map", "t.kd", "-o", "map.json").want(t, exitDone)
	s := startServe(t, "t.kd", "other=t.kd", "--original", "other=t.txt", "--map", "t=map.json", "--access-log")
	if strings.Join(s.Tables, " ") != "t other" {
		t.Errorf("%v", s.Tables)
	}
	for path, want := range map[string]string{
		"/v1/tables/t/vectors/cat":                               `"symbol":"cat"`,
		"/v1/tables/other/neighbours?symbol=cat&source=original": `"source":"original"`,
		"/v1/tables/t/map":                                       `"symbols":["up","week"`,
		"/v1/tables/t/vectors/new%20york":                        `"new york"`,
		"/":                                                      "<html",
	} {
		if code, body := s.get(t, path); code != 200 || !strings.Contains(body, want) {
			t.Errorf("%s: %d %s", path, code, body)
		}
	}
	kd(t, "", "serve", "--check", s.URL).quiet(t)
	if code := s.end(); code != exitDone {
		t.Errorf("exit code %d, stderr %q", code, s.stderr)
	}
	for _, want := range []string{`"path":"/v1/tables/t/vectors/cat"`, `"msg":"shutting down"`} {
		if !strings.Contains(s.stderr.String(), want) {
			t.Errorf("no %s in %s", want, s.stderr)
		}
	}
	kd(t, "", "serve", "--check", s.URL).want(t, exitFailed, "refused")
}

// TestServeHangup: SIGHUP reloads a file that was replaced.
func TestServeHangup(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no SIGHUP here")
	}
	inFolder(t)
	s := startServe(t, "t.kd")
	m := model()
	m.Symbols[5] = "dog"
	write(t, "t.kd", m)
	process, err := os.FindProcess(os.Getpid())
	if err != nil {
		t.Fatal(err)
	}
	if err := process.Signal(syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
	for range 200 {
		if code, _ := s.get(t, "/v1/tables/t/codes/dog"); code == 200 {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("not reloaded; stderr %q", s.stderr)
}

func TestServeToken(t *testing.T) {
	inFolder(t)
	writeText(t, "token.txt", "secret\n")
	s := startServe(t, "t.kd", "--token-file", "token.txt")
	if code, _ := s.get(t, "/v1/tables"); code != 401 {
		t.Errorf("%d", code)
	}
	t.Setenv("KD_TOKEN", "secret")
	kd(t, "", "bench", "serve", s.URL, "--seconds", "0.05", "--connections", "1").quiet(t)
	t.Setenv("KD_TOKEN", "wrong")
	kd(t, "", "bench", "serve", s.URL, "--seconds", "0.05").want(t, exitFailed, "401")
}

func TestServeErrors(t *testing.T) {
	inFolder(t)
	kd(t, "", "convert", "t.kd", "t.txt").quiet(t)
	writeText(t, "empty.txt", "")
	writeText(t, "map.json", "{}")
	writeText(t, "narrow.txt", "a 1 2\nb 3 4\n")
	for _, test := range []struct {
		args string
		code int
		want string
	}{
		{"serve", exitUsage, "FILE is missing"},
		{"serve t.kd --addr 0.0.0.0:0", exitUsage, "--token-file, or say --insecure-public"},
		{"serve t.kd --addr :0", exitUsage, "--insecure-public"},
		{"serve t.kd t.kd", exitUsage, "two tables are called t"},
		{"serve t.kd --tls-cert c.pem", exitUsage, "go together"},
		{"serve t.kd --map-size 0", exitUsage, "--map-size 0"},
		{"serve t.kd --max-batch 0", exitUsage, "--max-batch 0"},
		{"serve t.kd --max-searches -1", exitUsage, "--max-searches -1"},
		{"serve t.kd --timeout 0s", exitUsage, "--timeout 0s"},
		{"serve t.kd --drain 0s", exitUsage, "--drain 0s"},
		{"serve t.kd --max-body much", exitUsage, "2MB, 3MiB or 500k"},
		{"serve t.kd --original x=t.txt", exitUsage, "no table is called x"},
		{"serve t.kd u=t.kd --original t.txt", exitUsage, "say which one"},
		{"serve t.kd --original t.kd", exitData, "t.kd: a code file"},
		{"serve t.kd --original narrow.txt --addr 127.0.0.1:0", exitFailed, "width 4, those of the original 2"},
		{"serve t.kd --map map.json", exitData, "map.json: "},
		{"serve t.kd --map missing.json", exitFailed, "missing.json"},
		{"serve t.kd --token-file empty.txt", exitData, "no token in it"},
		{"serve t.kd --tls-cert missing.pem --tls-key missing.pem --addr 127.0.0.1:0", exitFailed, "missing.pem"},
		{"serve t.txt", exitData, "ordinary vectors"},
		{"serve missing.kd", exitFailed, "no such file"},
		{"serve t.kd --addr nonsense", exitUsage, "--addr nonsense: give HOST:PORT"},
		{"serve t.kd --addr 127.0.0.1:99999", exitUsage, "a port from 0 to 65535"},
		{"serve t.kd --timeout soon", exitUsage, "--timeout soon: give a time, such as 30s"},
		{"serve --check t.kd", exitUsage, `"t.kd" is no URL of a server`},
		{"serve --check a b", exitUsage, "one argument too many"},
		{"map", exitUsage, "FILE is missing"},
		{"map t.kd", exitUsage, "-o OUT.json is missing"},
		{"map t.kd -o m.json --size 0", exitUsage, "--size 0"},
		{"map t.txt -o m.json", exitData, "ordinary vectors"},
		{"bench serve", exitUsage, "URL is missing"},
		{"bench serve t.kd", exitUsage, "no URL"},
		{"bench serve ftp://x", exitUsage, "no URL"},
		{"bench serve http://x --mode fast", exitUsage, "single, packed, neighbours"},
		{"bench serve http://x --connections 0", exitUsage, "--connections 0"},
		{"bench serve http://x --seconds 0", exitUsage, "--seconds 0"},
		{"bench serve http://x --batch 0", exitUsage, "--batch 0"},
		{"bench serve http://x --replace t.kd", exitUsage, "--reload-every"},
		{"bench serve http://127.0.0.1:1", exitFailed, "refused; does kd serve run there?"},
		{"serve --check http://127.0.0.1:1", exitFailed, "refused; does kd serve run there?"},
	} {
		t.Run(test.args, func(t *testing.T) {
			kd(t, "", strings.Fields(test.args)...).want(t, test.code, test.want)
		})
	}
}

func TestServeNames(t *testing.T) {
	inFolder(t)
	for arg, want := range map[string][2]string{
		"a/glove.kd": {"", "a/glove.kd"}, "news=a/glove.kd": {"news", "a/glove.kd"}, "x y=z": {"", "x y=z"}, "=z": {"", "=z"},
	} {
		if name, path := splitName(arg); name != want[0] || path != want[1] {
			t.Errorf("%s: %q %q", arg, name, path)
		}
	}
	write(t, "a=b.kd", model())
	if name, path := splitName("a=b.kd"); name != "" || path != "a=b.kd" {
		t.Errorf("%q %q", name, path)
	}
	for path, want := range map[string]string{"a/glove.kd": "glove", "my table (1).kd": "my-table-1-", "é.kd": "table", "x.safetensors": "x.safetensors"} {
		if got := nameOf(path); got != want {
			t.Errorf("%s: %s", path, got)
		}
	}
}
