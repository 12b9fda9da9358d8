package results

import (
	"fmt"
	"path"
	"slices"
	"strings"
)

// Experiment is a command of kd that is run with some seeds.
type Experiment struct {
	Name string // of its suite, size or data, and method: "lm/medium/pdg-ae"

	// Command is what follows kd, without the seed and the outputs. Words in
	// braces stand for files: {data:ptb} for what lies in the folder of data,
	// {embedding:NAME} and {codes:NAME} for what the experiment of that name
	// made with the same seed.
	Command string

	Data  string // what must be in the folder of data
	Seeds int
	Quick string // flags to add in a quick run; empty is in none
}

// file is a word of a command that stands for a file.
type file struct {
	kind string // fileData, or what of an experiment's outputs
	name string
}

// Kinds of files that a command names.
const (
	fileData      = "data"
	FileEmbedding = "embedding" // the trained vectors
	FileCodes     = "codes"     // the code file
)

// fileOf returns the file that a word of a command stands for.
func fileOf(word string) (file, bool) {
	inner, ok := strings.CutPrefix(word, "{")
	if !ok || !strings.HasSuffix(inner, "}") {
		return file{}, false
	}
	kind, name, _ := strings.Cut(strings.TrimSuffix(inner, "}"), ":")
	return file{kind, name}, true
}

// joined returns the parts of a command, those that are not empty.
func joined(parts ...string) string {
	parts = slices.DeleteFunc(parts, func(p string) bool { return p == "" })
	return strings.Join(parts, " ")
}

// words returns the command's words, those of a quick run with its flags.
func (e *Experiment) words(quick bool) []string {
	words := strings.Fields(e.Command)
	if quick {
		words = append(words, strings.Fields(e.Quick)...)
	}
	return words
}

// Args returns the command's words, each that stands for a file replaced by the
// path that data and made return for it.
func (e *Experiment) Args(quick bool, data func(name string) string, made func(kind, name string) string) []string {
	words := e.words(quick)
	for i, word := range words {
		f, ok := fileOf(word)
		switch {
		case !ok:
		case f.kind == fileData:
			words[i] = data(f.name)
		default:
			words[i] = made(f.kind, f.name)
		}
	}
	return words
}

// Verb returns the verb of kd that the command is.
func (e *Experiment) Verb() string {
	verb, _, _ := strings.Cut(e.Command, " ")
	return verb
}

// Line returns the command to give a run again. Data is named as data does, and
// what other runs made without its folder.
func (e *Experiment) Line(quick bool, seed int, data func(string) string, more ...string) string {
	args := e.Args(quick, data, func(kind, name string) string { return path.Base(FileName(kind, name, seed)) })
	args = append([]string{"kd"}, args...)
	if !e.Measures() {
		args = append(args, "--seed", fmt.Sprint(seed), "-o", path.Base(FileName(FileCodes, e.Name, seed)))
	}
	return strings.Join(append(args, more...), " ")
}

// Measures reports whether the experiment measures what another made, and makes
// nothing itself.
func (e *Experiment) Measures() bool { return e.Verb() == "eval" }

// FileName returns the name, below the folder for work, of what an experiment
// makes with a seed.
func FileName(kind, name string, seed int) string {
	ending := ".kd"
	if kind == FileEmbedding {
		ending = ".bin" // exact, and fast to read
	}
	return stem(name, seed) + ending
}

// stem is how the names of a run's files begin.
func stem(name string, seed int) string { return fmt.Sprintf("%s-seed%d", name, seed) }

// needs returns the files of other experiments that the command names.
func (e *Experiment) needs() []file {
	var all []file
	for _, word := range e.words(false) {
		if f, ok := fileOf(word); ok && f.kind != fileData {
			all = append(all, f)
		}
	}
	return all
}

// Suite is the experiments of a task, in the order in which they are run, and
// what the paper shows of them.
type Suite struct {
	Name        string
	Title       string
	Experiments []Experiment
	Tables      []Table
	Figures     []Figure
	Sharing     *Sharing // nil for suites without codes to look at
	QuickLines  int      // of a file of data that a quick run takes; 0 is all
}

// find returns the experiment of that name, nil if there is none.
func (s *Suite) find(name string) *Experiment {
	for i := range s.Experiments {
		if s.Experiments[i].Name == name {
			return &s.Experiments[i]
		}
	}
	return nil
}

// Teaches reports whether an experiment's embedding is needed by others.
func (s *Suite) Teaches(name string) bool {
	for i := range s.Experiments {
		if slices.Contains(s.Experiments[i].needs(), file{FileEmbedding, name}) {
			return true
		}
	}
	return false
}

// Select returns the experiments whose names match one of the patterns, all of
// them without patterns. A pattern is a name, one of a folder of names, or has
// *, which stands for anything.
func (s *Suite) Select(patterns []string) ([]*Experiment, error) {
	var all []*Experiment
	used := make([]bool, len(patterns))
	for i := range s.Experiments {
		e := &s.Experiments[i]
		chosen := len(patterns) == 0
		for p, pattern := range patterns {
			if pattern != "" && (matches(pattern, e.Name) || matches(s.Name+"/"+pattern, e.Name)) {
				chosen, used[p] = true, true
			}
		}
		if chosen {
			all = append(all, e)
		}
	}
	if unused := slices.Index(used, false); unused >= 0 {
		return nil, fmt.Errorf("no experiment is called %q; --list shows all", patterns[unused])
	}
	return all, nil
}

// matches reports whether a name is the pattern, begins with it as a folder, or
// is what its stars make of it.
func matches(pattern, name string) bool {
	parts := strings.Split(strings.TrimSuffix(pattern, "/"), "*")
	rest, ok := strings.CutPrefix(name, parts[0])
	if !ok {
		return false
	}
	for i, part := range parts[1:] {
		if i == len(parts)-2 {
			return strings.HasSuffix(rest, part)
		}
		_, rest, ok = strings.Cut(rest, part)
		if !ok {
			return false
		}
	}
	return rest == "" || len(parts) == 1 && rest[0] == '/'
}
