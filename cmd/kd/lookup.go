package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kdcode/kdcode"
)

// lookupOptions are what kd lookup is told.
type lookupOptions struct {
	file        string
	wanted      []string // symbols or ids; from stdin if empty
	byID        bool
	skipUnknown bool
	json        bool
}

func newLookup(s *streams) *cobra.Command {
	var o lookupOptions
	cmd := &cobra.Command{
		Use:   "lookup FILE [SYMBOL…]",
		Short: "Print the vectors of symbols",
		Long: `Print the vectors of symbols, a line each: the symbol, then its numbers. That is
a table in GloVe's format. Without symbols, they are read from standard input, one
a line. Put -- before symbols that begin with a dash.`,
		Example: `  kd lookup glove.kd cat dog
  kd lookup glove.kd --id 0 1 2
  kd lookup glove.kd --skip-unknown < words.txt > small.txt`,
		Args:              wantArgs(true, "FILE"),
		ValidArgsFunction: completeTable,
		RunE: func(cmd *cobra.Command, args []string) error {
			o.file, o.wanted = args[0], args[1:]
			return lookup(cmd.Context(), s, o)
		},
	}
	cmd.Flags().BoolVar(&o.byID, "id", false, "the arguments are ids (0 is the first symbol), not symbols")
	cmd.Flags().BoolVar(&o.skipUnknown, "skip-unknown", false, "leave symbols out that the table does not have")
	jsonFlag(cmd, &o.json)
	return cmd
}

// lookupResult is what --json prints.
type lookupResult struct {
	File    string         `json:"file"`
	Dim     int            `json:"dim"`
	Vectors []lookupVector `json:"vectors"`
	Unknown []string       `json:"unknown"` // left out by --skip-unknown
}

type lookupVector struct {
	Symbol string    `json:"symbol,omitempty"`
	ID     int       `json:"id"`
	Vector []float32 `json:"vector"`
}

func lookup(ctx context.Context, s *streams, o lookupOptions) error {
	t, err := openTable(o.file)
	if err != nil {
		return err
	}
	defer t.Close()
	if !t.HasSymbols() && !o.byID {
		return unknownSymbol(ctx, t, o.file, o.file, "")
	}
	l := lookuper{t: t, s: s, o: o, row: make([]float32, t.Dim())}
	l.result = lookupResult{File: o.file, Dim: t.Dim(), Vectors: []lookupVector{}, Unknown: []string{}}
	if len(o.wanted) > 0 {
		err = l.arguments(ctx)
	} else {
		err = l.lines(ctx)
	}
	if err != nil {
		return err
	}
	if o.json {
		return s.writeJSON(l.result)
	}
	if n := len(l.result.Unknown); n > 0 {
		fmt.Fprintf(s.err, "kd: %s: left %s out that the table does not have: %s\n", o.file, plural(n, "symbol"), some(l.result.Unknown))
	}
	return nil
}

// lookuper looks symbols up and prints or keeps their vectors.
type lookuper struct {
	t      *kdcode.Table
	s      *streams
	o      lookupOptions
	row    []float32
	line   []byte
	result lookupResult
}

// arguments looks up what was named on the command line. All of it is found
// before anything is printed.
func (l *lookuper) arguments(ctx context.Context) error {
	ids := make([]int, 0, len(l.o.wanted))
	for _, want := range l.o.wanted {
		if _, err := strconv.Atoi(want); l.o.byID && err != nil {
			return usagef("%q is not an id: with --id, give whole numbers", want)
		}
		id, err := l.find(ctx, l.o.file, want)
		if err != nil {
			return err
		}
		ids = append(ids, id)
	}
	for _, id := range ids {
		if err := l.emit(id); err != nil {
			return err
		}
	}
	return nil
}

// lines looks up what standard input names, line by line.
func (l *lookuper) lines(ctx context.Context) error {
	if l.s.keyboard {
		fmt.Fprintln(l.s.err, "kd: reading symbols from the keyboard, one a line; Ctrl-D ends")
	}
	in := bufio.NewReader(l.s.in)
	for n := 1; ; n++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		line, err := in.ReadString('\n')
		if err != nil && err != io.EOF {
			return fmt.Errorf("standard input: %w", err)
		}
		end := err == io.EOF
		if n == 1 {
			line = strings.TrimPrefix(line, byteOrderMark)
		}
		if line = strings.TrimRight(line, "\r\n"); line != "" {
			id, err := l.find(ctx, fmt.Sprintf("stdin:%d", n), line)
			if err == nil {
				err = l.emit(id)
			}
			if err != nil {
				return err
			}
		}
		if end {
			return nil
		}
		if in.Buffered() == 0 && !l.o.json {
			// Whoever writes to us by and by gets answers by and by.
			if err := l.s.out.Flush(); err != nil {
				return err
			}
		}
	}
}

// find returns the id of what is wanted, or -1 to leave it out.
func (l *lookuper) find(ctx context.Context, place, want string) (int, error) {
	if l.o.byID {
		id, err := strconv.Atoi(want)
		if err != nil {
			return 0, dataf("%s: %q is not an id: with --id, give whole numbers", place, want)
		}
		if id < 0 || id >= l.t.Len() {
			if l.o.skipUnknown {
				l.result.Unknown = append(l.result.Unknown, want)
				return -1, nil
			}
			return 0, dataf("%s: no id %d; ids are 0 to %d", place, id, l.t.Len()-1)
		}
		return id, nil
	}
	if id, ok := l.t.ID(want); ok {
		return id, nil
	}
	if l.o.skipUnknown {
		l.result.Unknown = append(l.result.Unknown, want)
		return -1, nil
	}
	return 0, unknownSymbol(ctx, l.t, place, l.o.file, want)
}

// emit prints the vector of id, or keeps it for the JSON object.
func (l *lookuper) emit(id int) error {
	if id < 0 {
		return nil
	}
	if err := l.t.Lookup(l.row, id); err != nil {
		return fmt.Errorf("%s: %w", l.o.file, err)
	}
	symbol, err := symbolOrID(l.t, id)
	if err != nil {
		return fmt.Errorf("%s: %w", l.o.file, err)
	}
	if l.o.json {
		v := lookupVector{ID: id, Vector: append([]float32(nil), l.row...)}
		if l.t.HasSymbols() {
			v.Symbol = symbol
		}
		l.result.Vectors = append(l.result.Vectors, v)
		return nil
	}
	l.line = append(l.line[:0], symbol...)
	for _, x := range l.row {
		l.line = strconv.AppendFloat(append(l.line, ' '), float64(x), 'g', -1, 32)
	}
	_, err = l.s.out.Write(append(l.line, '\n'))
	return err
}

func idText(id int) string { return strconv.Itoa(id) }

// some lists the first few of many.
func some(symbols []string) string {
	const few = 5
	var b strings.Builder
	for i, s := range symbols[:min(few, len(symbols))] {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(quoted(s))
	}
	if len(symbols) > few {
		b.WriteString(" …")
	}
	return b.String()
}
