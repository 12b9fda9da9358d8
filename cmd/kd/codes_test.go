package main

import (
	"slices"
	"strings"
	"testing"
)

func TestCodes(t *testing.T) {
	inFolder(t)
	for _, test := range []struct{ name, args string }{
		{"codes", ""},
		{"codes-prefix", "--prefix 3-1"},
		{"codes-limit", "--limit 1"},
		{"codes-shared", "--shared"},
		{"codes-near", "up cat"},
		{"codes-within", "up --within 0"},
		{"codes-near-limit", "up --limit 3"},
	} {
		r := kd(t, "", append([]string{"codes", "t.kd"}, strings.Fields(test.args)...)...)
		r.quiet(t)
		golden(t, test.name, r.stdout)
	}
}

func TestCodesJSON(t *testing.T) {
	inFolder(t)
	var got codesResult
	kd(t, "", "codes", "t.kd", "--json", "--limit", "2").object(t, &got)
	if got.N != 9 || got.Ways != 4 || got.CodeLength != 3 || len(got.Codes) != 6 {
		t.Fatalf("%+v", got)
	}
	up := got.Codes[3]
	if !slices.Equal(up.Code, []uint16{3, 1, 0}) || up.Count != 3 || !slices.Equal(up.Symbols, []string{"up", "when"}) || !slices.Equal(up.IDs, []int{0, 3}) {
		t.Errorf("%+v", up)
	}

	got = codesResult{}
	kd(t, "", "codes", "t.kd", "--json", "up").object(t, &got)
	if len(got.Symbols) != 1 || got.Symbols[0].Symbol != "up" || len(got.Codes) != 0 {
		t.Fatalf("%+v", got)
	}
	near := got.Symbols[0].Near
	if *near[0].Differ != 0 || !slices.Equal(near[0].Symbols, []string{"when", "over"}) {
		t.Errorf("%+v", near[0])
	}
	for i, n := range near[1:] {
		if *n.Differ < *near[i].Differ {
			t.Errorf("not by the digits that differ: %+v", near)
		}
	}
}

func TestCodesUnknown(t *testing.T) {
	inFolder(t)
	kd(t, "", "codes", "t.kd", "bat").want(t, exitData, `t.kd: no symbol "bat"; did you mean "cat"`)
}

func TestCodesWithoutSymbols(t *testing.T) {
	inFolder(t)
	m := model()
	m.Symbols = nil
	write(t, "ids.kd", m)
	r := kd(t, "", "codes", "ids.kd", "--prefix", "3-1-0")
	r.quiet(t)
	if r.stdout != "3-1-0  0 3 8\n" {
		t.Errorf("%q", r.stdout)
	}
	r = kd(t, "", "codes", "ids.kd", "0", "--within", "0")
	r.quiet(t)
	if !strings.Contains(r.stdout, "3-1-0  3 8\n") {
		t.Errorf("%q", r.stdout)
	}
	kd(t, "", "codes", "ids.kd", "up").want(t, exitData, "no symbols, only the ids 0 to 8")
}
