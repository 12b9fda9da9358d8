package classify

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

func tokens(text string) []string { return slices.Collect(Tokens(text)) }

func TestTokenizer(t *testing.T) {
	long := strings.Repeat("a", 1000)
	for _, c := range []struct{ text, want string }{
		{"", ""},
		{" \t\r\n\x00\x7f", ""},
		{"The cat", "the cat"},
		{"It's 1.8 km.", "it ' s 1 . 8 km ."},
		{"it 's", "it ' s"},
		{"do n't", "do n ' t"},
		{"U.S.-led", "u . s . - led"},
		{"--", "- -"},
		{"a_b", "a _ b"},
		{"It #39;s", "it # 39 ; s"},
		{`second\team`, `second \ team`},
		{"ÉCOLE Straße ΑΒΓ", "école straße αβγ"},
		{"abcÉ", "abcé"},
		{"éa", "éa"},
		{"cafe\u0301s", "cafe\u0301s"},
		{"a\u00a0b\u2003c\u200bd", "a b c d"}, // no-break, em and zero-width space
		{"a\u0085b", "a b"},
		{"“quoted”—so", "“ quoted ” — so"},
		{"日本語。", "日本語 。"},
		{"Ⅷ ٣", "ⅷ ٣"},
		{"€5👍🏽", "€ 5 👍 🏽"},
		{"\ufeffbom", "bom"},
		{"a\xffb", "a \ufffd b"},
		{"\xe2\x82", "\ufffd \ufffd"},
		{"\ufffd", "\ufffd"},
		{long + "É", long + "é"},
		{long + " " + long, long + " " + long},
		{strings.Repeat("a", 63) + "日", strings.Repeat("a", 63) + "日"},
		{strings.Repeat("a", 64), strings.Repeat("a", 64)},
	} {
		if got := strings.Join(tokens(c.text), " "); got != c.want {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
	}
}

// Every rune behaves as the documentation says: alone, and between letters.
func TestTokenizerEveryRune(t *testing.T) {
	last := rune(unicode.MaxRune)
	if testing.Short() {
		last = 0x3000
	}
	for r := rune(0); r <= last; r++ {
		if !utf8.ValidRune(r) {
			continue
		}
		lower := string(unicode.ToLower(r))
		want := []string{"x", lower, "y"}
		switch {
		case unicode.In(r, unicode.L, unicode.M, unicode.N):
			want = []string{"x" + lower + "y"}
		case unicode.IsSpace(r) || unicode.In(r, unicode.Cc, unicode.Cf, unicode.Z):
			want = []string{"x", "y"}
		}
		got := tokens("X" + string(r) + "Y")
		if !slices.Equal(got, want) {
			t.Fatalf("U+%04X: %q, want %q", r, got, want)
		}
		if again := tokens(strings.Join(got, " ")); !slices.Equal(again, got) {
			t.Fatalf("U+%04X: %q splits again into %q", r, got, again)
		}
	}
}

func TestTokenizerStops(t *testing.T) {
	for range Tokens("a b c") {
		break
	}
	var k Tokenizer
	if k.Next() != nil {
		t.Error("a Tokenizer without a text has a token")
	}
}

func TestTokenizerAllocatesNothing(t *testing.T) {
	text := []byte("Wall St. Bears Claw Back Into the Black — été, naïve")
	var k Tokenizer
	k.Reset(text)
	n := testing.AllocsPerRun(100, func() {
		k.Reset(text)
		for k.Next() != nil {
		}
	})
	if n != 0 {
		t.Errorf("%v allocations a text", n)
	}
}

// plainTokens is the definition of Tokenizer, rune by rune.
func plainTokens(text string) []string {
	var all []string
	word := ""
	end := func() {
		if word != "" {
			all = append(all, word)
		}
		word = ""
	}
	for _, r := range text {
		switch {
		case inWord(r):
			word += string(unicode.ToLower(r))
		case separates(r):
			end()
		default:
			end()
			all = append(all, string(unicode.ToLower(r)))
		}
	}
	end()
	return all
}

func FuzzTokenizer(f *testing.F) {
	for _, s := range []string{"", "It's 1.8 km.", "ÉCOLE \xff\xe2\x82 日本語。", "a\u0301 Ⅷ \u00a0👍🏽", strings.Repeat("aÉ", 60)} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if len(text) > 1<<14 {
			return
		}
		kept := bytes.Clone(text)
		got := tokens(string(text))
		if !bytes.Equal(text, kept) {
			t.Fatal("the text was changed")
		}
		if want := plainTokens(string(text)); !slices.Equal(got, want) {
			t.Fatalf("%q: %q, want %q", text, got, want)
		}
		for _, w := range got {
			if w == "" || !utf8.ValidString(w) {
				t.Fatalf("%q: token %q", text, w)
			}
		}
		if again := tokens(strings.Join(got, " ")); !slices.Equal(again, got) {
			t.Fatalf("%q splits again into %q", got, again)
		}
	})
}

func BenchmarkTokenizer(b *testing.B) {
	for name, text := range map[string]string{"ascii": sampleText, "cyrillic": strings.Repeat("Съешь же ещё этих мягких французских булок. ", 7)} {
		b.Run(name, func(b *testing.B) {
			var k Tokenizer
			words := 0
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				k.ResetString(text)
				for k.Next() != nil {
					words++
				}
			}
			b.ReportMetric(float64(words)/b.Elapsed().Seconds(), "words/s")
		})
	}
}

const sampleText = "AP - It's barely dawn when Mike Fitzpatrick starts his shift with a blur of colorful maps, figures and endless charts, " +
	"but already he knows what the day will bring. Lightning will strike in places he expects. Winds will pick up, moist places will dry and flames will roar."
