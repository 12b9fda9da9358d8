package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kdcode/kdcode/quantize"
)

// learningOptions are those of verbs that learn codes.
type learningOptions struct {
	effort  string
	seed    uint64
	threads int
}

// flags gives cmd the flags of a verb that learns codes.
func (l *learningOptions) flags(cmd *cobra.Command) {
	cmd.Flags().StringVar(&l.effort, "effort", quantize.Normal.String(), "how much `TIME` to take: "+strings.Join(effortNames(), ", "))
	cmd.Flags().Uint64Var(&l.seed, "seed", 1, "`NUMBER` that chance begins from: the same seed gives the same file")
	cmd.Flags().IntVar(&l.threads, "threads", 0, "`N` cores to use; 0 uses all")
	completeFlag(cmd, "effort", effortNames()...)
}

func effortNames() []string {
	var all []string
	for _, e := range quantize.Efforts {
		all = append(all, e.String())
	}
	return all
}

// options returns the options as package quantize takes them.
func (l *learningOptions) options() (quantize.Options, error) {
	effort, err := quantize.ParseEffort(l.effort)
	switch {
	case err != nil:
		return quantize.Options{}, usagef("--effort %s: use one of %s", l.effort, strings.Join(effortNames(), ", "))
	case l.threads < 0:
		return quantize.Options{}, usagef("--threads %d: give a number from 0 up", l.threads)
	}
	return quantize.Options{Effort: effort, Seed: l.seed, Threads: l.threads}, nil
}

// phases are what people read for those of package quantize.
var phases = map[string]string{"choose": "choosing K and D", "start": "starting", "learn": "learning", "encode": "encoding"}

// showProgress shows how far package quantize is.
func (s *streams) showProgress(p quantize.Progress) {
	phase, known := phases[p.Phase]
	if !known {
		phase = p.Phase
	}
	detail := ""
	if p.RelativeError > 0 {
		detail = fmt.Sprintf("error %.4f", p.RelativeError)
	}
	s.progress.bar(phase, p.Done, p.Total, detail)
}
