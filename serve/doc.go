// Package serve answers for code tables over HTTP: vectors, codes, neighbours,
// analogies, and what the explorer page shows. openapi.json describes the
// routes; docs/serve.md says how to run a server.
//
// # Basics
//
//	s, err := serve.New([]serve.Source{{Name: "glove", Path: "glove.kd"}}, serve.Options{})
//	defer s.Close()
//	l, err := serve.Listen("127.0.0.1:8080", serve.Access{})
//	err = s.Serve(ctx, l) // until ctx ends, then after the requests under way
//
// A Server is also an http.Handler, to be mounted in a program of one's own.
//
// # Caveats
//
// Reload opens files that were replaced by renaming, as package codefile and
// the kd command write them. Requests under way keep the file they began with,
// and it is closed after the last of them.
//
// What costs work in the size of the table (an index to search, the order of
// symbols, the map) is made when it is first asked for, or by Warm.
package serve
