package main

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kdcode/kdcode"
)

// codesOptions are what kd codes is told.
type codesOptions struct {
	file    string
	symbols []string
	prefix  string
	limit   int
	within  int
	shared  bool
	json    bool
}

func newCodes(s *streams) *cobra.Command {
	var o codesOptions
	cmd := &cobra.Command{
		Use:   "codes FILE [SYMBOL…]",
		Short: "List codes and the words that share them",
		Long: `List all codes in order, each with the words that share it. With symbols, list
for each the words whose codes are most like its own, and in how many digits they
differ. In a table without symbols, ids stand for them.`,
		Example: `  kd codes glove.kd | less
  kd codes glove.kd --prefix 3-1        codes that begin with 3-1
  kd codes glove.kd cat --within 2      words that differ from cat in 2 digits at most`,
		Args:              wantArgs(true, "FILE"),
		ValidArgsFunction: completeTable,
		RunE: func(cmd *cobra.Command, args []string) error {
			o.file, o.symbols = args[0], args[1:]
			if o.limit < 0 {
				return usagef("--limit %d: give a number from 0 up", o.limit)
			}
			if len(o.symbols) > 0 {
				if cmd.Flags().Changed("prefix") || o.shared {
					return usagef("--prefix and --shared list codes: leave the symbols out, or use --within")
				}
				if !cmd.Flags().Changed("within") {
					o.within = -1
				} else if o.within < 0 {
					return usagef("--within %d: give a number of digits from 0 up", o.within)
				}
				return codesNear(cmd.Context(), s, o)
			}
			if cmd.Flags().Changed("within") {
				return usagef("--within needs symbols whose neighbours to list")
			}
			return codesAll(cmd.Context(), s, o)
		},
	}
	cmd.Flags().StringVar(&o.prefix, "prefix", "", "only codes that begin with these `DIGITS`, such as 3-1")
	cmd.Flags().BoolVar(&o.shared, "shared", false, "only codes that two or more words share")
	cmd.Flags().IntVar(&o.limit, "limit", 20, "show `N` words of a code, or N neighbours of a symbol; 0 shows all")
	cmd.Flags().IntVar(&o.within, "within", 0, "with symbols: only words that differ in at most `R` digits")
	completeFlag(cmd, "prefix")
	jsonFlag(cmd, &o.json)
	return cmd
}

// codeWords is a code with words that have it.
type codeWords struct {
	Code    []uint16 `json:"code"`
	Differ  *int     `json:"differ,omitempty"` // digits, from the symbol asked for
	Count   int      `json:"count,omitempty"`  // words that have it; without symbols asked for
	Symbols []string `json:"symbols,omitempty"`
	IDs     []int    `json:"ids"`
}

// codesResult is what --json prints.
type codesResult struct {
	File       string        `json:"file"`
	N          int           `json:"n"`
	Ways       int           `json:"ways"`
	CodeLength int           `json:"code_length"`
	Codes      []codeWords   `json:"codes,omitempty"`   // without symbols
	Symbols    []symbolCodes `json:"symbols,omitempty"` // with symbols
}

// symbolCodes is a symbol with the words that share or neighbour its code.
type symbolCodes struct {
	Symbol string      `json:"symbol,omitempty"`
	ID     int         `json:"id"`
	Code   []uint16    `json:"code"`
	Near   []codeWords `json:"near"`
}

// codesAll lists all codes in order.
func codesAll(ctx context.Context, s *streams, o codesOptions) error {
	t, err := openTable(o.file)
	if err != nil {
		return err
	}
	defer t.Close()
	prefix, err := parsePrefix(o.prefix, t)
	if err != nil {
		return err
	}
	sorted, err := sortCodes(ctx, t, prefix)
	if err != nil {
		return err
	}
	result := codesResult{File: o.file, N: t.Len(), Ways: t.Ways(), CodeLength: t.CodeLength(), Codes: []codeWords{}}
	for len(sorted) > 0 {
		if err := ctx.Err(); err != nil {
			return err
		}
		n := 1
		for n < len(sorted) && bytes.Equal(sorted[n].key, sorted[0].key) {
			n++
		}
		if n > 1 || !o.shared {
			words, err := gather(t, sorted[:n], o.limit)
			if err != nil {
				return fmt.Errorf("%s: %w", o.file, err)
			}
			if o.json {
				result.Codes = append(result.Codes, words)
			} else if _, err := fmt.Fprintf(s.out, "%s  %s\n", codeText(words.Code), words); err != nil {
				return err
			}
		}
		sorted = sorted[n:]
	}
	if o.json {
		return s.writeJSON(result)
	}
	return nil
}

// parsePrefix reads digits such as 3-1.
func parsePrefix(text string, t *kdcode.Table) ([]uint16, error) {
	if text == "" {
		return nil, nil
	}
	fields := strings.Split(strings.TrimSuffix(text, "-"), "-")
	if len(fields) > t.CodeLength() {
		return nil, usagef("--prefix %s has %d digits, the codes have %d", text, len(fields), t.CodeLength())
	}
	prefix := make([]uint16, len(fields))
	for i, f := range fields {
		digit, err := strconv.ParseUint(f, 10, 16)
		if err != nil || int(digit) >= t.Ways() {
			return nil, usagef("--prefix %s: %q is no digit of this table; digits are 0 to %d, with - between them", text, f, t.Ways()-1)
		}
		prefix[i] = uint16(digit)
	}
	return prefix, nil
}

// codedID is an id with its code as bytes that sort as the digits do.
type codedID struct {
	key []byte
	id  int
}

// sortCodes returns the ids whose code begins with prefix, sorted by code,
// then by id.
func sortCodes(ctx context.Context, t *kdcode.Table, prefix []uint16) ([]codedID, error) {
	var all []codedID
	var keys []byte
	code := make([]uint16, 0, t.CodeLength())
	for id := range t.Len() {
		if id%4096 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		code = t.Code(code[:0], id)
		if len(code) < len(prefix) || !slices.Equal(code[:len(prefix)], prefix) {
			continue
		}
		size := 2 * len(code)
		if cap(keys)-len(keys) < size {
			keys = make([]byte, 0, max(64<<10, size))
		}
		from := len(keys)
		for _, digit := range code {
			keys = binary.BigEndian.AppendUint16(keys, digit)
		}
		all = append(all, codedID{keys[from:len(keys):len(keys)], id})
	}
	// Stable sorting is slow; the ids make every element different.
	slices.SortFunc(all, func(a, b codedID) int {
		if c := bytes.Compare(a.key, b.key); c != 0 {
			return c
		}
		return a.id - b.id
	})
	return all, nil
}

// gather returns the code that all of shared have, with limit of them.
func gather(t *kdcode.Table, shared []codedID, limit int) (codeWords, error) {
	w := codeWords{Code: t.Code(nil, shared[0].id)}
	for _, c := range shared {
		if err := w.add(t, c.id, limit); err != nil {
			return w, err
		}
	}
	return w, nil
}

// add counts id in, and keeps it if fewer than limit are kept; 0 keeps all.
func (w *codeWords) add(t *kdcode.Table, id, limit int) error {
	w.Count++
	if limit > 0 && len(w.IDs) >= limit {
		return nil
	}
	w.IDs = append(w.IDs, id)
	if !t.HasSymbols() {
		return nil
	}
	symbol, err := t.Symbol(id)
	w.Symbols = append(w.Symbols, symbol)
	return err
}

// String lists the words in a line.
func (w codeWords) String() string {
	var words []string
	for i, id := range w.IDs {
		if w.Symbols != nil {
			words = append(words, quoted(w.Symbols[i]))
		} else {
			words = append(words, idText(id))
		}
	}
	if more := w.Count - len(w.IDs); more > 0 {
		words = append(words, fmt.Sprintf("… %s more", grouped(int64(more))))
	}
	return strings.Join(words, " ")
}

// codeText writes digits as the paper does: 3-1-0-3.
func codeText(code []uint16) string {
	var b []byte
	for i, digit := range code {
		if i > 0 {
			b = append(b, '-')
		}
		b = strconv.AppendUint(b, uint64(digit), 10)
	}
	return string(b)
}
