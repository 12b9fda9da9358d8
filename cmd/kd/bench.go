package main

import "github.com/spf13/cobra"

// benches are the verbs of kd bench. A new one is a file with its newBenchX,
// and a line here.
var benches = []func(*streams) *cobra.Command{
	newBenchLookup,
	newBenchSearch,
	newBenchLearn,
	newBenchEngine,
	newBenchServe,
}

func newBench(s *streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "bench",
		Short:   "Measure speed and memory",
		Long:    "Measure speed and memory on this machine.",
		Example: "  kd bench lookup glove.kd",
	}
	for _, b := range benches {
		cmd.AddCommand(b(s))
	}
	asFolder(cmd)
	return cmd
}
