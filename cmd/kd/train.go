package main

import "github.com/spf13/cobra"

// trainings are the verbs of kd train. A new one is a file with its newTrainX,
// and a line here.
var trainings = []func(*streams) *cobra.Command{
	newTrainText,
	newTrainGraph,
	newTrainLM,
	newTrainCodes,
}

func newTrain(s *streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "train",
		Short: "Train a model whose embeddings are codes",
		Long: `Train a model whose embeddings are codes, learned end to end by the task's own
gradient, and write it as one code file.`,
		Example: "  kd train text --train train.csv --test test.csv -o news.kd\n  kd train graph --data planetoid --name cora -o cora.kd\n  kd train lm --data ptb --size small -o words.kd",
	}
	for _, t := range trainings {
		cmd.AddCommand(t(s))
	}
	asFolder(cmd)
	return cmd
}
