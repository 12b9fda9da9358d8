package serve

import (
	"bytes"
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// document is openapi.json, to hold answers against.
type document struct {
	paths    map[string]map[string]any
	compiler *jsonschema.Compiler
	root     any
}

const documentURL = "mem:///openapi.json"

func readDocument(t testing.TB) *document {
	t.Helper()
	root, err := jsonschema.UnmarshalJSON(bytes.NewReader(openapi))
	if err != nil {
		t.Fatal(err)
	}
	d := &document{paths: map[string]map[string]any{}, compiler: jsonschema.NewCompiler(), root: root}
	d.compiler.DefaultDraft(jsonschema.Draft2020)
	d.compiler.AssertFormat()
	if err := d.compiler.AddResource(documentURL, root); err != nil {
		t.Fatal(err)
	}
	for path, item := range root.(map[string]any)["paths"].(map[string]any) {
		d.paths[path] = item.(map[string]any)
	}
	return d
}

// schema returns the compiled schema at a JSON pointer of the document.
func (d *document) schema(t testing.TB, pointer string) *jsonschema.Schema {
	t.Helper()
	s, err := d.compiler.Compile(documentURL + "#" + pointer)
	if err != nil {
		t.Fatalf("%s: %v", pointer, err)
	}
	return s
}

func escapePointer(s string) string {
	s = strings.ReplaceAll(strings.ReplaceAll(s, "~", "~0"), "/", "~1")
	return strings.NewReplacer("{", "%7B", "}", "%7D").Replace(s)
}

// pathOf returns the documented path that a request's path is one of.
func (d *document) pathOf(t testing.TB, path string) string {
	t.Helper()
	path, _, _ = strings.Cut(path, "?")
	mux := http.NewServeMux()
	for p := range d.paths {
		mux.Handle(p, http.NotFoundHandler())
	}
	r, err := http.NewRequest("GET", path, nil)
	if err != nil {
		t.Fatal(err)
	}
	_, pattern := mux.Handler(r)
	return pattern
}

// check fails the test unless the document has that answer to that request.
func (d *document) check(t testing.TB, a ask, got answer) {
	t.Helper()
	path := d.pathOf(t, a.path)
	method := strings.ToLower(a.method)
	item := d.paths[path]
	operation, ok := item[method].(map[string]any)
	if !ok {
		if got.status != http.StatusMethodNotAllowed {
			t.Errorf("%s %s is not in the document, and answered %d", a.method, a.path, got.status)
		}
		d.validate(t, a, "/components/schemas/Error", got.body)
		return
	}
	status := strconv.Itoa(got.status)
	pointer := "/paths/" + escapePointer(path) + "/" + method + "/responses/" + status
	response, ok := operation["responses"].(map[string]any)[status].(map[string]any)
	if !ok {
		t.Errorf("%s %s: the document has no answer %s: %s", a.method, a.path, status, got.body)
		return
	}
	if ref, ok := response["$ref"].(string); ok {
		pointer = strings.TrimPrefix(ref, "#")
		response = d.root.(map[string]any)["components"].(map[string]any)["responses"].(map[string]any)[strings.TrimPrefix(ref, "#/components/responses/")].(map[string]any)
	}
	media, _, _ := strings.Cut(got.header.Get("Content-Type"), ";")
	if _, ok := response["content"].(map[string]any)[media]; !ok {
		t.Errorf("%s %s: the document has no answer %s of type %q", a.method, a.path, status, media)
		return
	}
	if media == "application/json" {
		d.validate(t, a, pointer+"/content/application~1json/schema", got.body)
	}
}

func (d *document) validate(t testing.TB, a ask, pointer string, body []byte) {
	t.Helper()
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(body))
	if err != nil {
		t.Errorf("%s %s: %v in %q", a.method, a.path, err, body)
		return
	}
	if err := d.schema(t, pointer).Validate(value); err != nil {
		t.Errorf("%s %s: %v\nin %s", a.method, a.path, err, body)
	}
}

// TestDocumentRoutes: the document has the routes and methods that the server
// has, and no others.
func TestDocumentRoutes(t *testing.T) {
	d := readDocument(t)
	s := newServer(t, sources(t), Options{})
	seen := map[string]bool{}
	for _, r := range s.allRoutes() {
		seen[r.path] = true
		item := d.paths[r.path]
		for method := range r.methods {
			operation, ok := item[strings.ToLower(method)].(map[string]any)
			if !ok {
				t.Errorf("%s %s is not in the document", method, r.path)
				continue
			}
			if _, open := operation["security"]; open != r.open {
				t.Errorf("%s %s: needs a token: %t; in the document: %t", method, r.path, !r.open, !open)
			}
		}
		for method := range item {
			if method != "parameters" && r.methods[strings.ToUpper(method)] == nil {
				t.Errorf("the document has %s %s, the server has not", method, r.path)
			}
		}
	}
	for path := range d.paths {
		if !seen[path] {
			t.Errorf("the document has %s, the server has not", path)
		}
	}
}

// TestDocumentSchemas: every schema compiles, every reference leads somewhere.
func TestDocumentSchemas(t *testing.T) {
	d := readDocument(t)
	for name := range d.root.(map[string]any)["components"].(map[string]any)["schemas"].(map[string]any) {
		d.schema(t, "/components/schemas/"+name)
	}
	var walk func(v any)
	walk = func(v any) {
		switch v := v.(type) {
		case map[string]any:
			if ref, ok := v["$ref"].(string); ok {
				at := d.root
				for _, part := range strings.Split(ref, "/")[1:] {
					at, _ = at.(map[string]any)[part]
				}
				if at == nil {
					t.Errorf("%s leads nowhere", ref)
				}
			}
			for _, x := range v {
				walk(x)
			}
		case []any:
			for _, x := range v {
				walk(x)
			}
		}
	}
	walk(d.root)
}

// TestDocumentCodes: the failures' codes in the document are those in the code.
func TestDocumentCodes(t *testing.T) {
	var root struct {
		Components struct {
			Schemas struct {
				Error struct {
					Properties struct {
						Error struct {
							Properties struct {
								Code struct{ Enum []string }
							}
						}
					}
				}
			}
		}
	}
	if err := json.Unmarshal(openapi, &root); err != nil {
		t.Fatal(err)
	}
	codes := root.Components.Schemas.Error.Properties.Error.Properties.Code.Enum
	for _, code := range []string{"bad_request", "too_large", "unknown_symbol", "busy", "timeout", "internal"} {
		if !slices.Contains(codes, code) {
			t.Errorf("%s is not in the document", code)
		}
	}
}

// TestEveryRoute holds a good answer of every route against the document.
func TestEveryRoute(t *testing.T) {
	d := readDocument(t)
	s := newServer(t, sources(t), Options{})
	octets := map[string]string{"Accept": "application/octet-stream"}
	packed := map[string]string{"Content-Type": "application/octet-stream"}
	seen := map[string]bool{}
	for _, a := range []ask{
		{"GET", "/v1/tables", "", nil},
		{"GET", "/v1/tables/t", "", nil},
		{"GET", "/v1/tables/ids", "", nil},
		{"GET", "/v1/tables/t/vectors?symbol=cat", "", nil},
		{"GET", "/v1/tables/t/vectors?symbol=", "", nil},
		{"GET", "/v1/tables/t/vectors?id=5", "", octets},
		{"GET", "/v1/tables/ids/vectors?id=5", "", nil},
		{"POST", "/v1/tables/t/vectors", `{"symbols":["cat","up"]}`, nil},
		{"POST", "/v1/tables/t/vectors", `{"ids":[0,1,2,3,4,5,6,7,8,9,10,11,12,13]}`, nil},
		{"POST", "/v1/tables/t/vectors", `{"symbols":["cat","nonsense"],"missing":"null"}`, nil},
		{"POST", "/v1/tables/t/vectors", "\x05\x00\x00\x00", packed},
		{"POST", "/v1/tables/t/vectors", `{"ids":[]}`, octets},
		{"POST", "/v1/tables/ids/vectors", `{"ids":[0]}`, nil},
		{"GET", "/v1/tables/t/vectors/cat", "", nil},
		{"GET", "/v1/tables/t/vectors/new%20york", "", nil},
		{"GET", "/v1/tables/t/vectors/and%2For", "", nil},
		{"GET", "/v1/tables/t/vectors/%2E", "", nil},
		{"GET", "/v1/tables/t/vectors/%FFodd", "", nil},
		{"GET", "/v1/tables/t/codes?id=3", "", nil},
		{"GET", "/v1/tables/t/codes/cat", "", nil},
		{"GET", "/v1/tables/t/codes/cat", "", octets},
		{"POST", "/v1/tables/t/codes", `{"symbols":["cat","nonsense"],"missing":"null"}`, nil},
		{"POST", "/v1/tables/t/codes", `{"symbols":["cat","nonsense"],"missing":"null"}`, octets},
		{"POST", "/v1/tables/ids/codes", `{"ids":[1]}`, nil},
		{"GET", "/v1/tables/t/neighbours?symbol=cat", "", nil},
		{"GET", "/v1/tables/t/neighbours?id=5&k=2&metric=euclidean&source=original", "", nil},
		{"GET", "/v1/tables/ids/neighbours?id=5&k=2&metric=inner", "", nil},
		{"POST", "/v1/tables/t/neighbours", `{"symbols":["cat","up"],"k":3}`, nil},
		{"POST", "/v1/tables/t/neighbours", `{"ids":[4],"source":"original"}`, nil},
		{"POST", "/v1/tables/t/neighbours", `{"vectors":[[1,2,3,4],[0,0,0,0]],"metric":"inner"}`, nil},
		{"POST", "/v1/tables/t/neighbours", `{"vectors":[]}`, nil},
		{"POST", "/v1/tables/t/analogies", `{"symbols":[["cat","cats","week"]],"k":2}`, nil},
		{"POST", "/v1/tables/ids/analogies", `{"ids":[[5,6,1]]}`, nil},
		{"POST", "/v1/tables/t/analogies", `{"ids":[[5,6,1]],"source":"original"}`, nil},
		{"GET", "/v1/tables/t/prefix", "", nil},
		{"GET", "/v1/tables/t/prefix?digits=3-1&limit=2", "", nil},
		{"GET", "/v1/tables/t/prefix?digits=3-1-0&offset=1", "", nil},
		{"GET", "/v1/tables/t/prefix?digits=0-0", "", nil},
		{"GET", "/v1/tables/ids/prefix?digits=3", "", nil},
		{"GET", "/v1/tables/t/usage", "", nil},
		{"GET", "/v1/tables/t/complete?q=ca", "", nil},
		{"GET", "/v1/tables/t/complete?q=wek", "", nil},
		{"GET", "/v1/tables/t/map", "", nil},
		{"GET", "/v1/tables/t/map?digits=all", "", nil},
		{"GET", "/v1/tables/ids/map?digits=0,2", "", nil},
		{"GET", "/openapi.json", "", nil},
		{"GET", "/metrics", "", nil},
		{"GET", "/healthz", "", nil},
		{"GET", "/readyz", "", nil},
		{"POST", "/admin/reload", "", nil},
		{"GET", "/", "", nil},
	} {
		got := do(t, s, a)
		if got.status != http.StatusOK {
			t.Errorf("%s %s: %d %s", a.method, a.path, got.status, got.body)
		}
		d.check(t, a, got)
		seen[a.method+" "+d.pathOf(t, a.path)] = true
	}
	for _, r := range s.allRoutes() {
		for method := range r.methods {
			if !seen[method+" "+r.path] {
				t.Errorf("%s %s was not tried", method, r.path)
			}
		}
	}
}
