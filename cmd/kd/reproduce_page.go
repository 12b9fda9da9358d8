package main

import (
	"bytes"
	_ "embed"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kdcode/kdcode/internal/atomicfile"
	"github.com/kdcode/kdcode/internal/results"
)

// pageHead is how the page begins.
//
//go:embed reproduce_page.md
var pageHead string

func newReproducePage(s *streams) *cobra.Command {
	var dir, out string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "page -o PAGE.md",
		Short: "Write a page of all tables, with pictures",
		Long: `Write a page of all tables in Markdown, from the results that there are. Pictures go to
the folder of the page's name beside it.`,
		Example: "  kd reproduce page -o docs/results.md",
		Args:    wantArgs(false),
		RunE: func(*cobra.Command, []string) error {
			if out == "" {
				return usagef("-o PAGE.md is missing")
			}
			if filepath.Ext(out) != ".md" {
				return usagef("-o %s: give a name that ends in .md", out)
			}
			if _, err := os.Stat(dir); err != nil { // a page of nothing would replace one of results
				return dataf("%w; name the folder of the results with --results", err)
			}
			p := &page{out: out, store: results.Store{Dir: dir}}
			if err := p.write(); err != nil {
				return err
			}
			if asJSON {
				return s.writeJSON(map[string]any{"file": out, "tables": p.tables, "pictures": p.pictures})
			}
			fmt.Fprintf(s.out, "%s: %s, %s\n", out, plural(p.tables, "table"), plural(p.pictures, "picture"))
			return nil
		},
		ValidArgsFunction: cobra.NoFileCompletions,
	}
	cmd.Flags().StringVarP(&out, "out", "o", "", "`PAGE.md` to write")
	cmd.Flags().StringVar(&dir, "results", "results", "`DIR` of the results")
	jsonFlag(cmd, &asJSON)
	return cmd
}

const runsHead = `## What was run
Seconds an epoch are the median of the first seed without its first epoch. “Side by side” counts the runs of one kd; others on the same
machine, up to thirteen for the language models of this project, are not in it. So the seconds say little about speed:
[gpu.md](gpu.md) has what was measured alone.

`

// page is a page being written.
type page struct {
	out   string
	store results.Store
	text  bytes.Buffer

	tables, pictures int
}

func (p *page) write() error {
	p.text.WriteString(pageHead)
	for _, suite := range suites {
		fmt.Fprintf(&p.text, "## %s\n", suite.Title)
		if err := p.suite(suite); err != nil {
			return err
		}
	}
	if err := p.runs(); err != nil {
		return err
	}
	f, err := atomicfile.Create(p.out)
	if err != nil {
		return err
	}
	defer f.Close()
	if _, err := f.Write(append(bytes.TrimRight(p.text.Bytes(), "\n"), '\n')); err != nil {
		return err
	}
	return f.Commit()
}

// suite adds the tables and figures of a suite.
func (p *page) suite(suite *results.Suite) error {
	for i := range suite.Tables {
		t, err := suite.Tables[i].Fill(p.store, nil)
		if err != nil {
			return dataError{err}
		}
		t.Markdown(&p.text)
		p.tables++
	}
	for i := range suite.Figures {
		if err := p.figure(&suite.Figures[i]); err != nil {
			return err
		}
	}
	if suite.Sharing != nil {
		if err := suite.Sharing.Markdown(&p.text, p.store); err != nil {
			return dataError{err}
		}
		p.tables++
	}
	return nil
}

// runs adds what was run of all suites: long, so at the end.
func (p *page) runs() error {
	p.text.WriteString(runsHead)
	for _, suite := range suites {
		if err := suite.RunsMarkdown(&p.text, p.store); err != nil {
			return dataError{err}
		}
	}
	return nil
}

// figure adds a figure, and draws it if there is something to draw.
func (p *page) figure(f *results.Figure) error {
	folder := strings.TrimSuffix(p.out, ".md")
	picture := filepath.Join(folder, f.ID+".png")
	drawn, err := drawFigure(picture, f, p.store)
	if err != nil {
		return err
	}
	fmt.Fprintf(&p.text, "### Figure: %s\n%s\n\n", f.Title, f.Note)
	if !drawn {
		p.text.WriteString("Not run yet.\n\n")
		return nil
	}
	p.pictures++
	fmt.Fprintf(&p.text, "![%s](%s/%s.png)\n\n", f.Title, filepath.Base(folder), f.ID)
	return nil
}
