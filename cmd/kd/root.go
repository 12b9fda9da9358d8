package main

import (
	"context"
	"fmt"
	"io"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"
)

// verbs are the verbs of kd. A new one is a file with its options struct and
// its newX, and a line here.
var verbs = []verb{
	{small, newCompress},
	{small, newEncode},
	{small, newDemo},
	{tasks, newTrain},
	{tasks, newPredict},
	{tasks, newEval},
	{tasks, newReproduce},
	{look, newLookup},
	{look, newSimilar},
	{look, newAnalogy},
	{look, newCodes},
	{look, newInfo},
	{look, newMap},
	{look, newServe},
	{work, newConvert},
	{work, newCheck},
	{work, newBench},
}

type verb struct {
	group string
	make  func(*streams) *cobra.Command
}

// The groups in which kd --help lists the verbs.
const (
	small = "small"
	tasks = "tasks"
	look  = "look"
	work  = "work"
)

var groups = []*cobra.Group{
	{ID: small, Title: "Make a table small:"},
	{ID: tasks, Title: "Train a model, and use it:"},
	{ID: look, Title: "Look into a table:"},
	{ID: work, Title: "Work with files:"},
}

// run runs kd with those arguments and returns its exit code.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	s := newStreams(ctx, stdin, stdout, stderr)
	root := newRoot(s)
	root.SetArgs(append([]string{}, args...)) // for nil, cobra would take those of the process
	cmd, err := root.ExecuteContextC(ctx)
	s.progress.clear()
	if flushErr := s.out.Flush(); err == nil {
		err = flushErr
	}
	return report(stderr, cmd, err)
}

func newRoot(s *streams) *cobra.Command {
	root := &cobra.Command{
		Use:   "kd",
		Short: "Embedding tables as compact discrete codes",
		Long: `kd stores embedding tables as K-way D-dimensional codes: each symbol becomes a
short code such as 3-1-0-3, and its vector is composed from the code embeddings
that the digits choose. Such a code file is many times smaller than the table.

Exit codes: 0 done, 1 failed, 2 wrong usage, 3 bad input data, 130 interrupted.`,
		Example: `  kd demo                             see it work, on words that kd brings along
  kd compress glove.txt -o glove.kd   make a table small
  kd info glove.kd                    what a file holds, and how small it is
  kd lookup glove.kd cat dog          the vectors of two words
  kd similar glove.kd cat             words whose vectors are near that of cat
  kd convert glove.kd glove.txt       back to ordinary vectors
  kd train text --train t.csv -o t.kd a text classifier whose words are codes`,
		Version:       version(),
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.SetUsageTemplate(usageTemplate)
	root.SetVersionTemplate("kd {{.Version}}\n")
	root.SetIn(s.in)
	root.SetOut(s.out)
	root.SetErr(s.err)
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return flagError(err) })
	root.AddGroup(groups...)
	for _, v := range verbs {
		cmd := v.make(s)
		cmd.GroupID = v.group
		root.AddCommand(cmd)
	}
	asFolder(root)
	addCobraVerbs(root)
	plainUseLines(root)
	return root
}

// addCobraVerbs adds the verbs that cobra brings, in our words.
func addCobraVerbs(root *cobra.Command) {
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	for _, cmd := range root.Commands() {
		switch cmd.Name() {
		case "help":
			cmd.Short = "Say more about a verb"
			cmd.Long = "Say more about a verb: kd help train lm is kd train lm --help."
			cmd.Run, cmd.RunE = nil, help
		case "completion":
			cmd.Short = "Print a script that lets your shell complete verbs, options, files and symbols"
			cmd.Long = cmd.Short + "."
			cmd.Example = "  source <(kd completion bash)"
			asFolder(cmd)
			for _, shell := range cmd.Commands() {
				shell.Args = wantArgs(false)
			}
		}
	}
}

// help shows the help of the verb that args name, and refuses one that is not
// there.
func help(cmd *cobra.Command, args []string) error {
	verb, rest, err := cmd.Root().Find(args)
	if err == nil && len(rest) > 0 && verb.HasSubCommands() {
		return verb.RunE(verb, rest)
	}
	if err != nil {
		return usageError{err}
	}
	verb.InitDefaultHelpFlag() // as running it would
	verb.InitDefaultVersionFlag()
	return verb.Help()
}

// plainUseLines leaves to usageTemplate what follows a verb's arguments.
func plainUseLines(cmd *cobra.Command) {
	cmd.DisableFlagsInUseLine = true
	for _, c := range cmd.Commands() {
		plainUseLines(c)
	}
}

// usageTemplate is how --help goes on after what a verb is for.
const usageTemplate = `Usage:
{{- if or (not .HasAvailableSubCommands) (ne .Use .Name)}}
  {{.UseLine}} [OPTIONS]{{end}}
{{- if .HasAvailableSubCommands}}
  {{.CommandPath}} VERB [ARGUMENTS…] [OPTIONS]{{end}}
{{- if .HasExample}}

Examples:
{{.Example}}{{end}}
{{- if .HasAvailableSubCommands}}
{{- $all := .Commands}}
{{- range $group := .Groups}}

{{.Title}}
{{- range $all}}{{if and (eq .GroupID $group.ID) .IsAvailableCommand}}
  {{rpad .Name .NamePadding}} {{.Short}}{{end}}{{end}}{{end}}

{{if .Groups}}Further verbs:{{else}}Verbs:{{end}}
{{- range $all}}{{if and (eq .GroupID "") (or .IsAvailableCommand (eq .Name "help"))}}
  {{rpad .Name .NamePadding}} {{.Short}}{{end}}{{end}}{{end}}
{{- if .HasAvailableLocalFlags}}

Options:
{{.LocalFlags.FlagUsagesWrapped 90 | trimTrailingWhitespaces}}{{end}}
{{- if .HasAvailableSubCommands}}

{{.CommandPath}} VERB --help says more about a verb.{{end}}
`

// asFolder makes cmd, whose verbs are added, show its help where none is
// named, and refuse one that is not there.
func asFolder(cmd *cobra.Command) {
	cmd.Args = cobra.ArbitraryArgs
	cmd.SuggestionsMinimumDistance = 2
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return cmd.Help()
		}
		msg := fmt.Sprintf("no verb %q", args[0])
		if near := cmd.SuggestionsFor(args[0]); len(near) > 0 {
			msg += "; did you mean " + strings.Join(near, ", ") + "?"
		}
		return usagef("%s", msg)
	}
}

// version says which build of kd this is.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "(unknown version)"
	}
	set := settings(info)
	return fmt.Sprintf("%s (%s, %s/%s)", moduleVersion(), info.GoVersion, set["GOOS"], set["GOARCH"])
}

// moduleVersion is the version of the module that kd was built from, with the
// revision where that is no release.
func moduleVersion() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "(unknown version)"
	}
	set := settings(info)
	v := info.Main.Version
	if v == "" {
		v = "(devel)"
	}
	if r := set["vcs.revision"]; r != "" && !strings.Contains(v, r[:min(12, len(r))]) {
		v += " " + r[:min(12, len(r))]
		if set["vcs.modified"] == "true" {
			v += "+dirty"
		}
	}
	return v
}

func settings(info *debug.BuildInfo) map[string]string {
	set := map[string]string{}
	for _, s := range info.Settings {
		set[s.Key] = s.Value
	}
	return set
}
