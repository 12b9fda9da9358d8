package serve_test

import (
	"context"
	"errors"
	"fmt"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"github.com/kdcode/kdcode/codefile"
	"github.com/kdcode/kdcode/quantize"
	"github.com/kdcode/kdcode/serve"
	"github.com/kdcode/kdcode/vectors"
)

// chromium returns the path of a browser, or skips the test.
func chromium(t *testing.T) string {
	t.Helper()
	if testing.Short() {
		t.Skip("a browser takes too long for -short")
	}
	for _, name := range []string{os.Getenv("KD_CHROMIUM"), "chromium", "chromium-browser", "google-chrome", "google-chrome-stable"} {
		if path, err := exec.LookPath(name); name != "" && err == nil {
			return path
		}
	}
	t.Skip("no Chromium to look at the explorer page with; KD_CHROMIUM may name one")
	return ""
}

// launch starts a browser that the tests of a function share.
func launch(t *testing.T) context.Context {
	t.Helper()
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(chromium(t)),
		chromedp.DisableGPU,
		chromedp.Flag("disable-component-update", true),
		chromedp.WSURLReadTimeout(time.Minute), // on a busy machine it starts slowly
	)
	if os.Geteuid() == 0 {
		options = append(options, chromedp.NoSandbox) // root cannot have the sandbox
	}
	ctx, cancel := chromedp.NewExecAllocator(t.Context(), options...)
	t.Cleanup(cancel)
	// chromedp complains of events that are younger than itself: they do no harm.
	ctx, cancel = chromedp.NewContext(ctx, chromedp.WithErrorf(func(string, ...any) {}))
	t.Cleanup(cancel)
	if err := chromedp.Run(ctx); err != nil {
		t.Fatalf("the browser did not start: %v", err)
	}
	// chromedp removes the profile's folder, if it can: processes of the browser may write to it to the last.
	t.Cleanup(func() { _ = chromedp.Cancel(ctx) })
	return ctx
}

// sample is the GloVe that kd demo brings along: real words to look at.
var sample = sync.OnceValues(func() (*vectors.Table, error) {
	dir := filepath.Join("..", "cmd", "kd", "sample")
	return vectors.ReadAll(filepath.Join(dir, "glove.safetensors.gz"), vectors.Options{Symbols: filepath.Join(dir, "glove.words.txt")})
})

// shelf has the tables that the page shows in the tests, by name.
type shelf struct {
	models  map[string]*codefile.Model
	sources []serve.Source
}

var models = sync.OnceValues(func() (map[string]*codefile.Model, error) {
	all, err := sample()
	if err != nil {
		return nil, err
	}
	compress := func(n, k, d int, symbols []string) *codefile.Model {
		m, err1 := quantize.Compress(context.Background(), quantize.Matrix{Data: all.Data[:n*all.Dim], D: all.Dim}, symbols, quantize.Options{K: k, D: d, Effort: quantize.Fast, Seed: 1})
		err = errors.Join(err, err1)
		return m
	}
	return map[string]*codefile.Model{
		"glove": compress(4000, 32, 16, all.Symbols[:4000]),
		"small": compress(1000, 4, 3, all.Symbols[:1000]), // 64 codes: every code is shared
		"ids":   compress(500, 16, 8, nil),
	}, err
})

func newShelf(t *testing.T) *shelf {
	t.Helper()
	all, err := models()
	if err != nil {
		t.Fatal(err)
	}
	table, _ := sample()
	n := all["glove"].Codes.N()
	original, err := serve.NewOriginal(table.Symbols[:n], table.Data[:n*table.Dim], table.Dim)
	if err != nil {
		t.Fatal(err)
	}
	s := &shelf{models: all}
	for _, name := range []string{"glove", "small", "ids"} {
		path := filepath.Join(t.TempDir(), name+".kd")
		if err := codefile.WriteFile(path, all[name]); err != nil {
			t.Fatal(err)
		}
		source := serve.Source{Name: name, Path: path}
		if name == "glove" {
			source.Original = original
		}
		s.sources = append(s.sources, source)
	}
	return s
}

// code returns a word's code as the page shows it.
func (s *shelf) code(t *testing.T, table, word string) []uint16 {
	t.Helper()
	m := s.models[table]
	for i, symbol := range m.Symbols {
		if symbol == word {
			code := make([]uint16, m.Codes.D)
			m.Codes.Get(code, i)
			return code
		}
	}
	t.Fatalf("%s has no %s", table, word)
	return nil
}

// begin returns how many words of a table have codes that begin with digits.
func (s *shelf) begin(table string, digits ...uint16) int {
	n := 0
	codes := s.models[table].Codes
	code := make([]uint16, codes.D)
next:
	for i := range codes.N() {
		codes.Get(code, i)
		for j, digit := range digits {
			if code[j] != digit {
				continue next
			}
		}
		n++
	}
	return n
}

// tab is a page of the browser, and what went on in it.
type tab struct {
	*testing.T
	ctx    context.Context
	origin string

	mu       sync.Mutex
	troubles []string
	excused  []string // parts of console messages that are meant to come
}

// open shows a page of the server in a new tab. The test fails if the page then
// complains on the console or asks anyone but its own server.
func open(t *testing.T, browser context.Context, server *httptest.Server, width, height int64, hash string) *tab {
	t.Helper()
	ctx, cancel := chromedp.NewContext(browser)
	t.Cleanup(cancel)
	ctx, cancel = context.WithTimeout(ctx, 2*time.Minute)
	t.Cleanup(cancel)
	p := &tab{T: t, ctx: ctx, origin: server.URL + "/"}
	chromedp.ListenTarget(ctx, p.heard)
	t.Cleanup(p.calm)
	p.do(network.Enable(), log.Enable(), p.size(width, height), chromedp.Navigate(p.origin+hash))
	return p
}

func (p *tab) heard(event any) {
	switch e := event.(type) {
	case *runtime.EventConsoleAPICalled:
		p.trouble("console: %s %s", e.Type, e.Args[0].Value)
	case *runtime.EventExceptionThrown:
		p.trouble("exception: %s", e.ExceptionDetails.Error())
	case *log.EventEntryAdded:
		p.trouble("log: %s %s", e.Entry.Text, e.Entry.URL)
	case *network.EventRequestWillBeSent:
		if !strings.HasPrefix(e.Request.URL, p.origin) {
			p.trouble("a request left the server: %s", e.Request.URL)
		}
	}
}

func (p *tab) trouble(format string, args ...any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.troubles = append(p.troubles, fmt.Sprintf(format, args...))
}

// excuse lets messages that contain part pass: browsers log every answer of 400
// and above.
func (p *tab) excuse(part string) { p.excused = append(p.excused, part) }

func (p *tab) calm() {
	p.mu.Lock()
	defer p.mu.Unlock()
next:
	for _, trouble := range p.troubles {
		for _, part := range p.excused {
			if strings.Contains(trouble, part) {
				continue next
			}
		}
		p.Error(trouble)
	}
}

func (p *tab) size(width, height int64) chromedp.Action {
	return emulation.SetDeviceMetricsOverride(width, height, 1, width < 600)
}

func (p *tab) do(actions ...chromedp.Action) {
	p.Helper()
	if err := chromedp.Run(p.ctx, actions...); err != nil {
		p.Fatal(err)
	}
}

// eval returns the value of a script.
func eval[V any](p *tab, script string) V {
	p.Helper()
	var v V
	p.do(chromedp.Evaluate(script, &v))
	return v
}

// wait waits until a script is true. chromedp's Poll does not do: it needs what
// the page's content policy forbids.
func (p *tab) wait(script string) {
	p.Helper()
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if eval[bool](p, "!!("+script+")") {
			return
		}
	}
	p.picture("gave-up")
	p.Fatalf("never came true: %s; the page shows %q", script, eval[string](p, `document.querySelector("main").innerText.slice(0, 500)`))
}

// waitWord waits until the page shows a word or a table.
func (p *tab) waitWord(word string) {
	p.Helper()
	p.wait(fmt.Sprintf(`document.querySelector("#word-title")?.textContent === %q`, word))
}

func (p *tab) click(selector string) {
	p.Helper()
	p.do(chromedp.Click(selector, chromedp.ByQuery))
}

// picture keeps a screenshot as an artefact of the run.
func (p *tab) picture(name string) {
	p.Helper()
	time.Sleep(300 * time.Millisecond) // the map glides
	var picture []byte
	p.do(chromedp.ActionFunc(func(ctx context.Context) (err error) {
		picture, err = page.CaptureScreenshot().Do(ctx)
		return err
	}))
	path := filepath.Join(p.ArtifactDir(), name+".png")
	if err := os.WriteFile(path, picture, 0o644); err != nil {
		p.Error(err)
	}
}

// theme makes the system prefer a theme.
func (p *tab) theme(name string) {
	p.Helper()
	p.do(emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: name}}))
}
