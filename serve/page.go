package serve

import (
	"embed"
	"io/fs"
	"net/http"
	"path"
	"strings"
)

//go:embed web/dist
var dist embed.FS

// page is the explorer page that the binary brings along.
func page() fs.FS {
	sub, err := fs.Sub(dist, "web/dist")
	if err != nil {
		return dist // cannot be: the folder is embedded
	}
	return sub
}

// contentPolicy keeps the page from asking anyone but this server.
const contentPolicy = "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

// explorer serves the page and its parts. Whatever else nobody knows ends here
// too.
func (s *Server) explorer(w http.ResponseWriter, r *http.Request) error {
	name := strings.TrimPrefix(path.Clean(r.URL.Path), "/")
	if name == "" {
		name = "index.html"
	}
	if info, err := fs.Stat(s.options.Page, name); err != nil || info.IsDir() {
		return fail(http.StatusNotFound, "not_found", "there is nothing at %s; /openapi.json lists what there is", r.URL.Path)
	}
	h := w.Header()
	h.Set("Content-Security-Policy", contentPolicy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cache-Control", "no-cache") // a new binary brings a new page
	http.ServeFileFS(w, r, s.options.Page, name)
	return nil
}
