package results

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// Print writes a table for a terminal.
func (f *Filled) Print(w io.Writer) {
	fmt.Fprintf(w, "%s\n\n", f.Title)
	grid := f.grid()
	widths := make([]int, len(grid[0]))
	for _, row := range grid {
		for i, text := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(text))
		}
	}
	for _, row := range grid {
		var line strings.Builder
		for i, text := range row {
			pad := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(text))
			if i == 0 {
				line.WriteString("  " + text + pad)
			} else {
				line.WriteString("  " + pad + text)
			}
		}
		fmt.Fprintln(w, strings.TrimRight(line.String(), " "))
	}
}

// Markdown writes a table for a page.
func (f *Filled) Markdown(w io.Writer) {
	fmt.Fprintf(w, "### %s\n%s\n\n", f.Title, f.Note)
	for i, row := range f.grid() {
		fmt.Fprintf(w, "| %s |\n", strings.Join(row, " | "))
		if i == 0 {
			fmt.Fprintf(w, "| --- |%s\n", strings.Repeat(" ---: |", len(row)-1))
		}
	}
	fmt.Fprintln(w)
}
