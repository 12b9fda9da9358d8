package main

import (
	"context"
	"fmt"
	"iter"
	"strings"

	"github.com/kdcode/kdcode/internal/spelling"
)

// spellable is a table whose symbols can be misspelled.
type spellable interface {
	HasSymbols() bool
	Symbols() iter.Seq2[int, string]
}

// unknownSymbol is the error for a symbol that the table at path does not
// have; place is where it was asked for.
func unknownSymbol(ctx context.Context, t spellable, place, path, symbol string) error {
	if !t.HasSymbols() {
		return dataf("%s: the table has no symbols; ask by number with --id", path)
	}
	near, err := spelling.Nearest(ctx, t.Symbols(), symbol)
	if err != nil {
		return err
	}
	in := ""
	if place != path {
		in = " in " + path
	}
	remedy := "check the spelling"
	if len(near) > 0 {
		for i := range near {
			near[i] = fmt.Sprintf("%q", near[i])
		}
		remedy = "did you mean " + strings.Join(near, " or ") + "?"
	}
	return dataf("%s: no symbol %q%s; %s", place, symbol, in, remedy)
}
