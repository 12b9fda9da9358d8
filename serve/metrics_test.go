package serve

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"
)

func TestMetrics(t *testing.T) {
	s := newServer(t, sources(t), Options{})
	get(t, s, "/v1/tables/t/vectors/cat")
	get(t, s, "/v1/tables/t/vectors/cat")
	get(t, s, "/v1/tables/t/vectors/nonsense")
	post(t, s, "/v1/tables/t/vectors", `{"ids":[1,2,3]}`)
	post(t, s, "/admin/reload", "")
	got := get(t, s, "/metrics")
	if !strings.HasPrefix(got.header.Get("Content-Type"), "text/plain") {
		t.Errorf("%v", got.header)
	}
	for _, want := range []string{
		`kd_requests_total{route="/v1/tables/{table}/vectors/{symbol}",status="200"} 2`,
		`kd_requests_total{route="/v1/tables/{table}/vectors/{symbol}",status="404"} 1`,
		`kd_request_seconds_count{route="/v1/tables/{table}/vectors/{symbol}"} 3`,
		`kd_vectors_total{table="t"} 5`,
		`kd_vectors_total{table="ids"} 0`,
		`kd_reloads_total{result="unchanged",table="t"} 1`,
		`kd_table_symbols{table="t"} 14`,
		`kd_table_bytes{part="full",table="t"} 224`,
		`kd_build_info{go="go`,
		"go_goroutines ",
	} {
		if !strings.Contains(string(got.body), want) {
			t.Errorf("no %s in\n%s", want, got.body)
		}
	}
}

func TestAccessLog(t *testing.T) {
	var log bytes.Buffer
	s := newServer(t, sources(t), Options{Log: slog.New(slog.NewJSONHandler(&log, nil)), AccessLog: true})
	get(t, s, "/v1/tables/t/vectors/cat?x=1")
	for _, want := range []string{`"msg":"request"`, `"method":"GET"`, `"path":"/v1/tables/t/vectors/cat"`, `"status":200`, `"took":`} {
		if !strings.Contains(log.String(), want) {
			t.Errorf("no %s in %s", want, log.String())
		}
	}
}

func TestNewErrors(t *testing.T) {
	all := sources(t)
	short, err := NewOriginal(nil, make([]float32, 9), 3)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		sources []Source
		want    string
	}{
		{nil, "no tables"},
		{[]Source{{Name: "a b", Path: all[0].Path}}, "cannot be called"},
		{[]Source{all[0], all[0]}, "two tables"},
		{[]Source{{Name: "x", Path: "missing.kd"}}, "missing.kd"},
		{[]Source{{Name: "x", Path: all[0].Path, Original: short}}, "width 4, those of the original 3"},
		{[]Source{{Name: "x", Path: all[0].Path, Map: &Map{IDs: []int{99}}}}, "no id 99"},
	} {
		if _, err := New(test.sources, Options{}); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%v instead of %q", err, test.want)
		}
	}
	if _, err := NewOriginal([]string{"a"}, make([]float32, 9), 3); err == nil {
		t.Error("one symbol for three vectors")
	}
}
