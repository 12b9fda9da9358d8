package main

import (
	"strings"

	"github.com/spf13/cobra"
)

// completeTable completes a code file, then symbols of it.
func completeTable(_ *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
	if len(args) == 0 {
		return completeCodeFiles(nil, nil, "")
	}
	t, err := openTable(args[0])
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	defer t.Close()
	const enough = 50
	var found []string
	for _, symbol := range t.Symbols() {
		if strings.HasPrefix(symbol, begun) && !strings.ContainsAny(symbol, "\t\r\n") {
			if found = append(found, symbol); len(found) == enough {
				break
			}
		}
	}
	return found, cobra.ShellCompDirectiveNoFileComp
}

// completeCodeFiles completes names that code files usually have.
func completeCodeFiles(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return []string{"kd", "safetensors"}, cobra.ShellCompDirectiveFilterFileExt
}

// completeFiles completes up to n names of files of any kind.
func completeFiles(n int) cobra.CompletionFunc {
	return func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		if len(args) >= n {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return nil, cobra.ShellCompDirectiveDefault
	}
}

// completeFlag completes the values of a flag of cmd.
func completeFlag(cmd *cobra.Command, flag string, values ...string) {
	complete := cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp)
	if err := cmd.RegisterFlagCompletionFunc(flag, complete); err != nil {
		panic(err) // the verb has no such flag
	}
}

// names returns the names of all values, for completions and for messages.
func names[T ~string](values []T) []string {
	all := make([]string, len(values))
	for i, v := range values {
		all[i] = string(v)
	}
	return all
}
