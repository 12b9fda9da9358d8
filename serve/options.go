package serve

import (
	"io/fs"
	"log/slog"
	"runtime"
	"time"
)

// Source is a table to serve.
type Source struct {
	Name     string
	Path     string    // of the code file
	Original *Original // the ordinary vectors it was made from; nil where not given
	Map      *Map      // of its symbols; nil where it is to be computed
}

// Options are the choices of a server. The zero value has the defaults.
type Options struct {
	Token     string       // asked of every request, but for the page and for health; empty asks none
	MapSize   int          // symbols on the map; 0 is 5,000
	Load      bool         // read files into memory instead of mapping them
	Log       *slog.Logger // nil drops all
	AccessLog bool         // a line a request
	Page      fs.FS        // in place of the explorer page
	Limits    Limits
}

// Limits keep one client from taking all of a server. Zeros are the defaults.
type Limits struct {
	Body       int64         // bytes of a request's body: 8 MiB
	Batch      int           // vectors or codes of a request: 16,384
	Queries    int           // searches of a request: 256
	Neighbours int           // of a search: 1,000
	Searches   int           // requests that search at the same time: one a core
	Time       time.Duration // that a request may take: 30 s
	Header     time.Duration // that a client may take to send its header: 5 s
	Drain      time.Duration // that requests under way have at the end: 10 s
}

// The defaults of Options and Limits.
const (
	DefaultMapSize    = 5000
	DefaultBody       = 8 << 20
	DefaultBatch      = 16384
	DefaultQueries    = 256
	DefaultNeighbours = 1000
	DefaultTime       = 30 * time.Second
	DefaultHeader     = 5 * time.Second
	DefaultDrain      = 10 * time.Second
)

func orDefault[T int | int64 | time.Duration](v *T, value T) {
	if *v <= 0 {
		*v = value
	}
}

func (o *Options) fill() {
	orDefault(&o.MapSize, DefaultMapSize)
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Page == nil {
		o.Page = page()
	}
	l := &o.Limits
	orDefault(&l.Body, DefaultBody)
	orDefault(&l.Batch, DefaultBatch)
	orDefault(&l.Queries, DefaultQueries)
	orDefault(&l.Neighbours, DefaultNeighbours)
	orDefault(&l.Searches, runtime.GOMAXPROCS(0))
	orDefault(&l.Time, DefaultTime)
	orDefault(&l.Header, DefaultHeader)
	orDefault(&l.Drain, DefaultDrain)
}
