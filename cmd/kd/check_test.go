package main

import (
	"testing"
)

func TestCheck(t *testing.T) {
	inFolder(t)
	write(t, "u.kd", affineModel())
	r := kd(t, "", "check", "t.kd", "u.kd")
	r.quiet(t)
	if want := "t.kd: ok, 9 vectors\nu.kd: ok, 9 vectors\n"; r.stdout != want {
		t.Errorf("%q, want %q", r.stdout, want)
	}
}

func TestCheckDamaged(t *testing.T) {
	inFolder(t)
	whole := readText(t, "t.kd")
	damaged := []byte(whole)
	damaged[len(damaged)-1] ^= 1
	writeText(t, "damaged.kd", string(damaged))
	writeText(t, "cut.kd", whole[:len(whole)/2])

	r := kd(t, "", "check", "damaged.kd", "t.kd", "cut.kd", "missing.kd")
	if r.code != exitData || r.stderr != "" {
		t.Errorf("%+v", r)
	}
	golden(t, "check", r.stdout)

	r = kd(t, "", "check", "damaged.kd", "t.kd", "--json")
	if r.code != exitData || r.stderr != "" {
		t.Errorf("%+v", r)
	}
	var got checkResult
	r.object(t, &got)
	if got.OK || len(got.Files) != 2 || got.Files[0].OK || got.Files[0].Error == "" || !got.Files[1].OK || got.Files[1].N != 9 {
		t.Errorf("%+v", got)
	}
	if r := kd(t, "", "check", "missing.kd"); r.code != exitFailed {
		t.Errorf("%+v", r)
	}
}
