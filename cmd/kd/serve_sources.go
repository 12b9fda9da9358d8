package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/kdcode/kdcode/serve"
)

// sources returns the tables to serve. Their files are opened later; those that
// are read as a whole, here.
func (o *serveOptions) sources(ctx context.Context, s *streams) ([]serve.Source, error) {
	var sources []serve.Source
	for _, arg := range o.files {
		name, path := splitName(arg)
		if name == "" {
			name = nameOf(path)
		}
		if slices.ContainsFunc(sources, func(other serve.Source) bool { return other.Name == name }) {
			return nil, usagef("two tables are called %s; name one of them: other=%s", name, path)
		}
		t, err := openTable(path) // says what a file is that is no code file
		if err != nil {
			return nil, err
		}
		t.Close()
		sources = append(sources, serve.Source{Name: name, Path: path})
	}
	for _, arg := range o.originals {
		to, path, err := sourceFor(sources, "--original", arg)
		if err != nil {
			return nil, err
		}
		if to.Original, err = readOriginal(ctx, s, path); err != nil {
			return nil, err
		}
	}
	for _, arg := range o.maps {
		to, path, err := sourceFor(sources, "--map", arg)
		if err != nil {
			return nil, err
		}
		if to.Map, err = readMap(path); err != nil {
			return nil, err
		}
	}
	return sources, nil
}

// givenName is the name in NAME=FILE.
var givenName = regexp.MustCompile(`^([A-Za-z0-9][A-Za-z0-9._-]*)=(.+)$`)

// splitName splits NAME=FILE; the name is empty where there is none. A file
// that is there by the whole of it is meant by it.
func splitName(arg string) (name, path string) {
	parts := givenName.FindStringSubmatch(arg)
	if _, err := os.Stat(arg); err == nil || parts == nil {
		return "", arg
	}
	return parts[1], parts[2]
}

// nameOf makes a table's name of that of its file.
func nameOf(path string) string {
	name := strings.TrimSuffix(filepath.Base(path), codeFileExt)
	name = regexp.MustCompile(`[^A-Za-z0-9._-]+`).ReplaceAllString(name, "-")
	return cmp.Or(strings.TrimLeft(name, "._-"), "table")
}

// sourceFor returns the table that the value of a flag, [NAME=]FILE, is for.
func sourceFor(sources []serve.Source, flag, arg string) (*serve.Source, string, error) {
	name, path := splitName(arg)
	if name == "" && len(sources) > 1 {
		return nil, "", usagef("%s %s: there are several tables; say which one it is for: %s=%s", flag, arg, sources[0].Name, path)
	}
	for i := range sources {
		if name == "" || sources[i].Name == name {
			return &sources[i], path, nil
		}
	}
	return nil, "", usagef("%s %s: no table is called %s", flag, arg, name)
}

func readOriginal(ctx context.Context, s *streams, path string) (*serve.Original, error) {
	code, err := isCodeFile(path)
	if err != nil {
		return nil, err
	}
	if code {
		return nil, dataf("%s: a code file; --original takes the ordinary vectors that one was made from", path)
	}
	var input vectorsInput
	t, err := input.readAll(ctx, s, path)
	if err != nil {
		return nil, err
	}
	original, err := serve.NewOriginal(t.Symbols, t.Data, t.Dim)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return original, nil
}

func readMap(path string) (*serve.Map, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	m, err := serve.ReadMap(f)
	if err != nil {
		return nil, dataError{fmt.Errorf("%s: %w", path, err)}
	}
	return m, nil
}

// readToken returns the token in the file, or in KD_TOKEN where none is named.
// It is no argument: those are seen by all on the machine.
func readToken(path string) (string, error) {
	if path == "" {
		return strings.TrimSpace(os.Getenv("KD_TOKEN")), nil
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	token := strings.TrimSpace(string(text))
	if token == "" {
		return "", dataf("%s: no token in it; put one there, such as: openssl rand -hex 32", path)
	}
	return token, nil
}

// serveResult is what --json prints when requests are taken.
type serveResult struct {
	URL    string   `json:"url"`
	Tables []string `json:"tables"`
}

// announce says where the server is.
func announce(s *streams, o serveOptions, url string, sources []serve.Source) error {
	r := serveResult{URL: url}
	for _, source := range sources {
		r.Tables = append(r.Tables, source.Name)
	}
	if o.json {
		if err := s.writeJSON(r); err != nil {
			return err
		}
	} else {
		fmt.Fprintf(s.out, "serving %s at %s\n", strings.Join(r.Tables, ", "), url)
	}
	return s.out.Flush() // whoever started us waits for it
}

// serverURL reads the URL of a running server.
func serverURL(text string) (*url.URL, error) {
	u, err := url.Parse(text)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, usagef("%q is no URL of a server; give one such as http://127.0.0.1:8080", text)
	}
	return u, nil
}

// checkServer asks a running server whether it takes requests.
func checkServer(ctx context.Context, s *streams, o serveOptions) error {
	if len(o.files) > 1 {
		return usagef("%q is one argument too many", o.files[1])
	}
	server, err := serverURL(o.files[0])
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	url := strings.TrimSuffix(server.String(), "/") + "/readyz"
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(io.LimitReader(answer.Body, 4<<10))
	if err != nil {
		return err
	}
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: %s: %s", url, answer.Status, strings.TrimSpace(string(body)))
	}
	if o.json {
		return s.writeJSON(json.RawMessage(body))
	}
	fmt.Fprintln(s.out, "ready")
	return nil
}
