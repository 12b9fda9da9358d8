package vectors

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"testing"
)

// sameAsStrconv checks scanFloat against the standard library.
func sameAsStrconv(t *testing.T, s string) {
	t.Helper()
	want, err := strconv.ParseFloat(s, 32)
	got, n := scanFloat([]byte(s + " 1"))
	if err != nil {
		if n != 0 {
			t.Fatalf("scanFloat(%q) is %g, ParseFloat refuses it: %v", s, got, err)
		}
		return
	}
	if n != len(s) || math.Float32bits(got) != math.Float32bits(float32(want)) {
		t.Fatalf("scanFloat(%q) is %g of %d bytes, want %g of %d", s, got, n, float32(want), len(s))
	}
	if end, m := scanFloat([]byte(s)); m != n || math.Float32bits(end) != math.Float32bits(got) {
		t.Fatalf("scanFloat(%q) at the end is %g", s, end)
	}
}

func TestScanFloat(t *testing.T) {
	for _, s := range []string{
		"0", "-0", "+0", "1", "-1.5", ".5", "-.5", "5.", "1e3", "1E+3", "1e-3", "0.418", "-0.038194", "00001.5", "0e999", "1e-60",
		"3.4028235e38", "3.4028236e38", "3.4028235677973366e38", "3.402823567797337e38", "1e38", "1e39", "-1e400",
		"1.1754944e-38", "1.1754943e-38", "1e-45", "7e-46", "1.401298464324817e-45", "0.7e-45", "1e-400",
		"16777217", "16777219", "1.00000005960464477539", "1.000000059604644775390625", "1.0000000596046448", "1.0000000596046447",
		"9007199254740993", "9007199254740992", "18446744073709551616", "99999999999999999999", "0.00000000000000000000000000001",
		"1e22", "1e23", "1e-22", "1e-23", "123456789012345678e-20", "8388608.5", "8388609.5", "0.000000000000000000123",
		"", "-", "+", ".", "-.", "e5", "1e", "1e+", "1e-", "1.2.3", "1-2", "x", "1x", "--1", "1e5x", "1e00000000000000005", "1e1000000000000",
		"inf", "Inf", "-inf", "+INF", "infinity", "-Infinity", "infinit", "infx", "in",
	} {
		sameAsStrconv(t, s)
	}
	for _, s := range []string{"nan", "NaN", "-nan", "+NAN"} {
		if v, n := scanFloat([]byte(s)); v == v || n != len(s) {
			t.Errorf("%q: %g", s, v)
		}
	}
	for _, s := range []string{"0x10", "0x1p-2", "1_000", "nanx", "na", "nann"} {
		if _, n := scanFloat([]byte(s)); n != 0 || isNumber([]byte(s)) {
			t.Errorf("%q is a number", s)
		}
	}
}

func TestScanFloatRandom(t *testing.T) {
	n := 60_000
	if testing.Short() {
		n /= 10
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for range n {
		v := rng.NormFloat64()
		bits := math.Float32frombits(rng.Uint32())
		mid := float64(bits) + (float64(math.Nextafter32(bits, 10))-float64(bits))/2 // halfway between two float32s
		for _, s := range []string{
			strconv.FormatFloat(v, 'f', 1+rng.IntN(18), 64),
			strconv.FormatFloat(v, 'g', 1+rng.IntN(17), 64),
			strconv.FormatFloat(v*math.Pow10(rng.IntN(90)-45), 'e', rng.IntN(20), 64),
			fmt.Sprintf("%d.%de%d", rng.Uint64()>>rng.IntN(64), rng.Uint64()>>rng.IntN(64), rng.IntN(100)-50),
			fmt.Sprintf("-%d", rng.Uint64()>>rng.IntN(64)),
			strconv.FormatFloat(mid, 'g', 10+rng.IntN(15), 64),
			strconv.FormatFloat(float64(bits), 'g', -1, 32),
		} {
			if s != "NaN" {
				sameAsStrconv(t, s)
			}
		}
	}
}

func BenchmarkScanFloat(b *testing.B) {
	text := []byte("-0.038194")
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		scanFloat(text)
	}
}
