package main

import (
	"github.com/spf13/cobra"
)

// trainingOptions are how verbs that train do so. The JSON of it is part of a
// checkpoint's settings.
type trainingOptions struct {
	Epochs  int     `json:"epochs"`
	Rate    float64 `json:"rate"`
	Dropout float64 `json:"dropout"`
	Seed    uint64  `json:"seed"`
	Backend string  `json:"backend"`
}

// flags gives cmd the flags of a verb that trains; the options are the
// defaults.
func (o *trainingOptions) flags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.IntVar(&o.Epochs, "epochs", o.Epochs, "`N` epochs to train at most")
	f.Float64Var(&o.Rate, "rate", o.Rate, "learning `RATE` of Adam")
	f.Uint64Var(&o.Seed, "seed", 1, "`NUMBER` that chance begins from: the same seed gives the same file on a CPU")
	backendFlag(cmd, &o.Backend)
	completeFlag(cmd, "backend", "auto", "go", "xla:cuda", "xla:cpu", "xla:tpu")
}

// dropoutFlag gives cmd the flag of a task with one share to drop out.
func (o *trainingOptions) dropoutFlag(cmd *cobra.Command) {
	cmd.Flags().Float64Var(&o.Dropout, "dropout", o.Dropout, "`SHARE` to drop out")
}

func (o *trainingOptions) check() error {
	switch {
	case o.Epochs < 0:
		return usagef("--epochs %d: give a number from 1 up", o.Epochs)
	case !positive(o.Rate):
		return usagef("--rate %g: give a number above 0", o.Rate)
	case !(o.Dropout >= 0 && o.Dropout < 1):
		return usagef("--dropout %g: give a share from 0 up, below 1", o.Dropout)
	}
	return nil
}
