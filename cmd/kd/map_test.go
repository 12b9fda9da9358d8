package main

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/kdcode/kdcode/serve"
)

func TestMapVerb(t *testing.T) {
	inFolder(t)
	r := kd(t, "", "map", "t.kd", "-o", "map.json", "--size", "5")
	r.quiet(t)
	if !strings.HasPrefix(r.stdout, "map.json: 5 symbols; ") {
		t.Errorf("%q", r.stdout)
	}
	var written, printed serve.Map
	if err := json.Unmarshal([]byte(readText(t, "map.json")), &written); err != nil {
		t.Fatal(err)
	}
	r = kd(t, "", "map", "t.kd", "--json", "--size", "5")
	r.quiet(t)
	r.object(t, &printed)
	if len(written.X) != 5 || written.Symbols[1] != "week" || len(printed.Y) != 5 || printed.X[2] != written.X[2] {
		t.Errorf("%+v, %+v", written, printed)
	}
}
