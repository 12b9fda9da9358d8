package serve

import (
	_ "embed"
	"maps"
	"net/http"
	"slices"
	"strings"
)

//go:embed openapi.json
var openapi []byte

// handler answers a request, or returns an error that is told to the client.
type handler func(http.ResponseWriter, *http.Request) error

// route is a path with what answers each method.
type route struct {
	path    string
	open    bool // needs no token
	methods map[string]handler
}

// allRoutes are the routes; openapi.json describes the same ones.
func (s *Server) allRoutes() []route {
	get := func(h handler) map[string]handler { return map[string]handler{http.MethodGet: h} }
	post := func(h handler) map[string]handler { return map[string]handler{http.MethodPost: h} }
	both := func(g, p handler) map[string]handler {
		return map[string]handler{http.MethodGet: g, http.MethodPost: p}
	}
	return []route{
		{"/v1/tables", false, get(s.listTables)},
		{"/v1/tables/{table}", false, get(s.held(s.describe))},
		{"/v1/tables/{table}/vectors", false, both(s.held(s.vector), s.held(s.vectors))},
		{"/v1/tables/{table}/vectors/{symbol}", false, get(s.held(s.vector))},
		{"/v1/tables/{table}/codes", false, both(s.held(s.code), s.held(s.codes))},
		{"/v1/tables/{table}/codes/{symbol}", false, get(s.held(s.code))},
		{"/v1/tables/{table}/neighbours", false, both(s.held(s.neighboursOf), s.held(s.neighbours))},
		{"/v1/tables/{table}/analogies", false, post(s.held(s.analogies))},
		{"/v1/tables/{table}/prefix", false, get(s.held(s.prefix))},
		{"/v1/tables/{table}/usage", false, get(s.held(s.usage))},
		{"/v1/tables/{table}/complete", false, get(s.held(s.complete))},
		{"/v1/tables/{table}/map", false, get(s.held(s.chart))},
		{"/openapi.json", true, get(s.document)},
		{"/metrics", false, get(s.metrics.serve)},
		{"/healthz", true, get(s.healthy)},
		{"/readyz", true, get(s.ready)},
		{"/admin/reload", false, post(s.reloadNow)},
		{"/", true, get(s.explorer)},
	}
}

func (s *Server) routes() *http.ServeMux {
	mux := http.NewServeMux()
	for _, r := range s.allRoutes() {
		mux.Handle(r.path, s.watched(r))
	}
	return mux
}

// ServeHTTP answers a request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.mux.ServeHTTP(w, r) }

// answer lets the method's handler answer, if the client may ask.
func (s *Server) answer(route *route, w http.ResponseWriter, r *http.Request) error {
	method := r.Method
	if method == http.MethodHead {
		method = http.MethodGet // net/http leaves the body out
	}
	handle := route.methods[method]
	if handle == nil {
		allowed := strings.Join(slices.Sorted(maps.Keys(route.methods)), ", ")
		w.Header().Set("Allow", allowed)
		return fail(http.StatusMethodNotAllowed, "method_not_allowed", "%s is not for this route; use %s", r.Method, allowed)
	}
	if err := s.allowed(route, r); err != nil {
		return err
	}
	return handle(w, r)
}

// document is the route of the OpenAPI document.
func (s *Server) document(w http.ResponseWriter, _ *http.Request) error {
	write(w, http.StatusOK, jsonType, openapi)
	return nil
}

// healthy is the route that says that the process runs.
func (s *Server) healthy(w http.ResponseWriter, _ *http.Request) error {
	return writeJSON(w, http.StatusOK, map[string]string{"status": "ok"})
}

// ready is the route that says whether to send requests here.
func (s *Server) ready(w http.ResponseWriter, _ *http.Request) error {
	if s.draining.Load() {
		return fail(http.StatusServiceUnavailable, "unavailable", "the server is shutting down")
	}
	return writeJSON(w, http.StatusOK, map[string]string{"status": "ready"})
}
