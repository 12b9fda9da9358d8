package serve_test

import (
	"fmt"
	"net"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/kdcode/kdcode/serve"
)

// start serves the shelf on loopback.
func start(t *testing.T, s *shelf, o serve.Options) *httptest.Server {
	t.Helper()
	server, err := serve.New(s.sources, o)
	if err != nil {
		t.Fatal(err)
	}
	if err := server.Warm(t.Context()); err != nil {
		t.Fatal(err)
	}
	h := httptest.NewServer(server)
	t.Cleanup(func() {
		h.Close()
		server.Close()
	})
	return h
}

const (
	desk      = 1280
	deskHigh  = 900
	phone     = 360
	phoneHigh = 740
)

func TestBrowser(t *testing.T) {
	browser := launch(t)
	s := newShelf(t)
	server := start(t, s, serve.Options{})
	show := func(t *testing.T, width, height int64, hash string) *tab {
		return open(t, browser, server, width, height, hash)
	}

	t.Run("type a word and see its code", func(t *testing.T) {
		p := show(t, desk, deskHigh, "")
		p.waitWord("glove")
		// Key down alone: chromedp would send the character even where the page has taken the key.
		p.do(input.DispatchKeyEvent(input.KeyRawDown).WithKey("/").WithCode("Slash"))
		p.wait(`document.activeElement.id === "q"`)
		p.do(chromedp.KeyEvent("kin"))
		p.wait(`document.querySelectorAll("#q-list [role=option]").length > 1`)
		p.do(chromedp.KeyEvent(kb.ArrowDown))
		first := eval[string](p, `document.querySelector("#q-list [aria-selected=true] span").textContent`)
		if !strings.HasPrefix(first, "kin") {
			t.Errorf("kin was completed to %q", first)
		}
		p.picture("completion")
		p.do(chromedp.KeyEvent(kb.Enter))
		p.waitWord(first)
		got := eval[[]string](p, `[...document.querySelectorAll(".digit span")].map((e) => e.textContent)`)
		if want := s.code(t, "glove", first); fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("the page shows the code %v of %s, want %v", got, first, want)
		}
		p.do(chromedp.Focus(".digit", chromedp.ByQuery), chromedp.KeyEvent(kb.ArrowRight))
		p.wait(`document.activeElement.dataset.digit === "1" && document.querySelectorAll('.digit[tabindex="0"]').length === 1`)
		p.wait(`document.querySelectorAll("#neighbours .ranked li").length === 24`)
		p.wait(`document.querySelector('#tree [aria-selected="true"]')`)
		p.picture("word")
	})

	t.Run("open the tree digit by digit", func(t *testing.T) {
		p := show(t, desk, deskHigh, "#/small")
		p.waitWord("small")
		p.wait(`document.querySelector("#tree [role=treeitem]")`)
		p.do(chromedp.Focus(`#tree [role=treeitem]`, chromedp.ByQuery))
		// Down to a whole code by keys alone: open, then go to the first below.
		var digits []uint16
		for range 3 {
			here := eval[string](p, `document.activeElement.dataset.prefix`)
			digits = append(digits, uint16(here[len(here)-1]-'0'))
			shown := eval[int](p, `Number(document.activeElement.querySelector(".n").textContent)`)
			if want := s.begin("small", digits...); shown != want {
				t.Errorf("the tree says %d words begin with %v, want %d", shown, digits, want)
			}
			p.do(chromedp.KeyEvent(kb.ArrowRight))
			p.wait(`document.activeElement.querySelector("[role=group] [role=treeitem]")`)
			if open := eval[string](p, `document.activeElement.ariaExpanded`); open != "true" {
				t.Errorf("aria-expanded is %s", open)
			}
			p.do(chromedp.KeyEvent(kb.ArrowRight))
		}
		if n, want := eval[int](p, `document.activeElement.parentElement.children.length`), s.begin("small", digits...); n != want {
			t.Errorf("%d words below the code %v, want %d", n, digits, want)
		}
		p.do(chromedp.KeyEvent(kb.ArrowLeft), chromedp.KeyEvent(kb.ArrowLeft))
		if eval[string](p, `document.activeElement.ariaExpanded`) != "false" {
			t.Error("the left arrow does not close a branch")
		}
		p.do(chromedp.KeyEvent(kb.ArrowRight), chromedp.KeyEvent(kb.ArrowRight))
		word := eval[string](p, `document.activeElement.dataset.word`)
		p.do(chromedp.KeyEvent(kb.Enter))
		p.waitWord(word)
		p.wait(`document.querySelector("#tree .note").textContent.includes("the whole code of")`)
		p.picture("tree")
	})

	t.Run("follow a neighbour and come back", func(t *testing.T) {
		p := show(t, desk, deskHigh, "#/glove/w/king")
		p.waitWord("king")
		p.wait(`document.querySelector("#neighbours .both")`)
		next := eval[string](p, `document.querySelector("#neighbours .ranked a").textContent`)
		p.click("#neighbours .ranked a")
		p.waitWord(next)
		if hash := eval[string](p, `location.hash`); hash != "#/glove/w/"+next {
			t.Errorf("the address is %s", hash)
		}
		p.do(chromedp.NavigateBack())
		p.waitWord("king")
	})

	t.Run("answer an analogy", func(t *testing.T) {
		p := show(t, desk, deskHigh, "#/glove")
		p.waitWord("glove")
		p.click(".idea")
		p.wait(`document.querySelectorAll("#analogy .ranked").length === 2`)
		if words := eval[string](p, `document.querySelector("#analogy .answers").textContent`); !strings.Contains(words, "queen") {
			t.Errorf("man is to king as woman is to %s", words)
		}
	})

	t.Run("click on the map", func(t *testing.T) {
		p := show(t, desk, deskHigh, "#/glove")
		p.waitWord("glove")
		p.wait(`document.querySelector("#map .note:last-child").textContent`)
		box := eval[struct{ X, Y, W, H float64 }](p, `(() => { const r = document.querySelector(".plane").getBoundingClientRect();
			return { X: r.x, Y: r.y, W: r.width, H: r.height } })()`)
		x, y := box.X+box.W/2, box.Y+box.H/2
		word := ""
		for i := 0; word == "" && i < 200; i++ { // until the pointer is over a word
			x += 2
			p.do(chromedp.MouseEvent("mouseMoved", x, y))
			word = eval[string](p, `document.querySelector(".tip").hidden ? "" : document.querySelector(".tip").textContent`)
		}
		word, _, _ = strings.Cut(word, "  ")
		p.do(chromedp.MouseClickXY(x, y))
		p.waitWord(word)
		p.click(`[aria-label="Show the word and its neighbours"]`)
		p.click(`.digit[data-digit="3"]`)
		p.wait(`document.querySelector("#map-digit").value === "3" && document.querySelector('#usage [aria-pressed="true"]').dataset.digit === "3"`)
		p.click(`#map summary`)
		p.wait(`document.querySelectorAll(".inview a").length > 3`)
		p.picture("map")
	})

	t.Run("switch tables", func(t *testing.T) {
		p := show(t, desk, deskHigh, "")
		p.waitWord("glove")
		p.do(chromedp.SetValue("#table", "ids", chromedp.ByQuery))
		p.do(chromedp.Evaluate(`document.querySelector("#table").dispatchEvent(new Event("change"))`, nil))
		p.waitWord("ids")
		p.do(chromedp.SendKeys("#q", "17"+kb.Enter, chromedp.ByQuery))
		p.waitWord("#17")
		p.wait(`document.querySelector("#neighbours .ranked a")?.textContent.startsWith("#")`)
		p.wait(`document.querySelector("#sizes").textContent.includes("works by id")`)
		p.do(chromedp.NavigateBack())
		p.waitWord("ids")
		p.do(chromedp.NavigateBack())
		p.waitWord("glove")
	})

	t.Run("an unknown word", func(t *testing.T) {
		p := show(t, phone, phoneHigh, "")
		p.excuse("404")
		p.waitWord("glove")
		p.do(chromedp.SendKeys("#q", "govermnent"+kb.Enter, chromedp.ByQuery))
		p.waitWord("govermnent")
		p.wait(`document.querySelector(".offers a")`)
		p.picture("unknown")
		p.click(".offers a")
		p.waitWord("government")
	})

	t.Run("light and dark", func(t *testing.T) {
		p := show(t, desk, deskHigh, "#/glove/w/music")
		ground := func() string { return eval[string](p, `getComputedStyle(document.body).backgroundColor`) }
		p.waitWord("music")
		p.theme("light")
		light := ground()
		p.theme("dark")
		if dark := ground(); dark == light {
			t.Errorf("the ground is %s in both", light)
		}
		p.wait(`document.querySelector("#neighbours .both")`)
		p.picture("dark")
		p.click("#theme") // from the system's to light
		if now := ground(); now != light {
			t.Errorf("the ground is %s after light was chosen, want %s", now, light)
		}
		p.do(chromedp.Reload())
		p.waitWord("music")
		if now := ground(); now != light {
			t.Errorf("the choice of light was forgotten: the ground is %s", now)
		}
		p.do(chromedp.Evaluate(`localStorage.clear()`, nil))
	})

	t.Run("a phone", func(t *testing.T) {
		for _, hash := range []string{"", "#/glove/w/government", "#/small/w/the", "#/ids/i/3"} {
			p := show(t, phone, phoneHigh, hash)
			p.do(emulation.SetTouchEmulationEnabled(true))
			p.wait(`document.querySelectorAll(".usage button").length && document.querySelector("#tree [role=treeitem]")`)
			time.Sleep(200 * time.Millisecond)
			if wide := eval[int](p, `document.documentElement.scrollWidth`); wide > phone {
				t.Errorf("%s is %d px wide on a phone of %d", hash, wide, phone)
			}
			if strings.Contains(hash, "government") {
				p.wait(`document.querySelectorAll("#neighbours .ranked li").length === 24`)
				p.picture("phone")
			}
		}
	})

	t.Run("touch", func(t *testing.T) {
		p := show(t, phone, phoneHigh, "#/glove")
		p.do(emulation.SetTouchEmulationEnabled(true))
		p.waitWord("glove")
		p.wait(`document.querySelector("#map .note:last-child").textContent`)
		middle := eval[struct{ X, Y float64 }](p, `(() => { const plane = document.querySelector(".plane"); plane.scrollIntoView({ block: "center", behavior: "instant" });
			const r = plane.getBoundingClientRect(); return { X: r.x + r.width / 2, Y: r.y + r.height / 2 } })()`)
		fingers := func(apart float64) []*input.TouchPoint {
			return []*input.TouchPoint{{X: middle.X - apart, Y: middle.Y, ID: 1}, {X: middle.X + apart, Y: middle.Y, ID: 2}}
		}
		p.do(input.DispatchTouchEvent(input.TouchStart, fingers(20)))
		for apart := 25.0; apart <= 80; apart += 5 {
			p.do(input.DispatchTouchEvent(input.TouchMove, fingers(apart)))
		}
		p.do(input.DispatchTouchEvent(input.TouchEnd, []*input.TouchPoint{}))
		// Zoomed in, one finger pans the map instead of scrolling the page.
		p.wait(`document.querySelector(".plane").style.touchAction === "none"`)
		p.waitWord("glove") // a pinch is no tap
		p.do(input.DispatchTouchEvent(input.TouchStart, fingers(0)[:1]), input.DispatchTouchEvent(input.TouchEnd, []*input.TouchPoint{}))
		p.wait(`location.hash.startsWith("#/glove/w/")`)
	})

	t.Run("first paint", func(t *testing.T) {
		p := show(t, desk, deskHigh, "#/glove/w/music")
		p.waitWord("music")
		p.wait(`performance.getEntriesByName("first-contentful-paint").length`)
		t.Logf("first contentful paint after %.0f ms; the word is there %.0f ms after the start, or sooner",
			eval[float64](p, `performance.getEntriesByName("first-contentful-paint")[0].startTime`), eval[float64](p, `performance.now()`))
		t.Logf("%d requests, %.0f bytes", eval[int](p, `performance.getEntriesByType("resource").length + 1`),
			eval[float64](p, `performance.getEntriesByType("resource").reduce((n, e) => n + e.encodedBodySize, 0)`))
	})
}

func TestBrowserToken(t *testing.T) {
	browser := launch(t)
	server := start(t, newShelf(t), serve.Options{Token: "open sesame"})
	p := open(t, browser, server, desk, deskHigh, "#/glove/w/king")
	p.excuse("401")
	p.wait(`document.querySelector("dialog[open]")`)
	p.do(chromedp.SendKeys("#token", "wrong"+kb.Enter, chromedp.ByQuery))
	p.wait(`document.querySelector("dialog[open]")?.textContent.includes("did not take")`)
	p.picture("token")
	p.do(chromedp.SendKeys("#token", "open sesame"+kb.Enter, chromedp.ByQuery))
	p.waitWord("king")
	p.do(chromedp.Reload())
	p.waitWord("king")
	if eval[bool](p, `!!document.querySelector("dialog")`) {
		t.Error("the token is asked for again")
	}
}

func TestBrowserServerGone(t *testing.T) {
	browser := launch(t)
	s := newShelf(t)
	server, err := serve.New(s.sources, serve.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	first := httptest.NewServer(server)
	p := open(t, browser, first, desk, deskHigh, "#/glove/w/king")
	p.excuse("ERR_CONNECTION_REFUSED")
	p.waitWord("king")
	first.CloseClientConnections()
	first.Close()
	p.do(chromedp.SendKeys("#q", kb.ArrowUp, chromedp.ByQuery), chromedp.Evaluate(`location.hash = "#/glove/w/queen"`, nil))
	p.wait(`!document.querySelector("#banner").hidden`)
	p.picture("gone")

	again := httptest.NewUnstartedServer(server)
	again.Listener.Close()
	if again.Listener, err = net.Listen("tcp", first.Listener.Addr().String()); err != nil {
		t.Skipf("the port was taken meanwhile: %v", err)
	}
	again.Start()
	defer again.Close()
	p.click("#banner button")
	p.waitWord("queen")
	p.wait(`document.querySelector("#banner").hidden`)
}
