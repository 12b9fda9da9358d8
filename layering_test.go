package kdcode_test

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"strings"
	"testing"
)

const module = "github.com/kdcode/kdcode"

// mayImport says which packages of the module each may import. Data flows one
// way: vectors → quantize | learn → codefile → kdcode → search → serve.
// Packages below internal/ may be imported by all, and import only each other.
var mayImport = map[string][]string{
	"":                  {"codefile"},
	"codefile":          {},
	"vectors":           {},
	"quantize":          {"vectors", "codefile"},
	"classify":          {"", "codefile"},
	"search":            {""},
	"serve":             {"", "search"},
	"engine":            {},
	"engine/enginetest": {"engine"},
	"learn":             {"codefile", "vectors", "quantize"},
	"learn/lm":          {"", "learn", "classify", "codefile", "vectors"},
	"learn/text":        {"learn", "classify", "codefile", "vectors"},
	"learn/graph":       {"", "learn", "classify", "codefile", "vectors"},
}

// mayReachGoMLX are the only packages with GoMLX among their dependencies.
var mayReachGoMLX = []string{"learn", "learn/internal/lstm", "learn/lm", "learn/text", "learn/graph", "engine", "engine/enginetest", "cmd/kd"}

type goPackage struct {
	ImportPath    string
	Imports, Deps []string
}

func listPackages(t *testing.T) []goPackage {
	t.Helper()
	out, err := exec.Command("go", "list", "-json=ImportPath,Imports,Deps", "./...").Output()
	if errors.Is(err, exec.ErrNotFound) {
		t.Skip("no go command to list the packages with")
	}
	if err != nil {
		t.Fatal(err)
	}
	var all []goPackage
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p goPackage
		if err := d.Decode(&p); err == io.EOF {
			return all
		} else if err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
}

// inModule returns the path below the module, "" for the root package.
func inModule(path string) (string, bool) {
	rest, ok := strings.CutPrefix(path, module)
	return strings.TrimPrefix(rest, "/"), ok
}

func contains(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}

func TestLayering(t *testing.T) {
	for _, p := range listPackages(t) {
		name, _ := inModule(p.ImportPath)
		for _, dep := range p.Deps {
			if strings.HasPrefix(dep, "github.com/gomlx/") && !contains(mayReachGoMLX, name) {
				t.Errorf("%s reaches %s; only %v may", p.ImportPath, dep, mayReachGoMLX)
			}
		}
		if strings.HasPrefix(name, "cmd/") {
			continue // the command reaches everything
		}
		internal := strings.Contains("/"+name+"/", "/internal/")
		allowed, known := mayImport[name]
		if !known && !internal {
			t.Errorf("%s is not in the design: add it to mayImport with what it may import", p.ImportPath)
		}
		for _, dep := range p.Imports {
			to, ours := inModule(dep)
			if !ours || strings.Contains("/"+to+"/", "/internal/") || contains(allowed, to) {
				continue
			}
			if name == "internal/tabletest" && to == "codefile" {
				continue // makes models for the tests of every layer
			}
			t.Errorf("%s may not import %s", p.ImportPath, dep)
		}
	}
}
