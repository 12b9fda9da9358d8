package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"github.com/kdcode/kdcode/internal/results"
)

// suites are the verbs of kd reproduce.
var suites = []*results.Suite{results.LM, results.Text, results.Graph, results.Glove}

func newReproduce(s *streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "reproduce",
		Short: "Run the paper's experiments, and compare with its tables",
		Long: `Run the paper's experiments, and print each of its tables with the paper's numbers,
ours and the differences. Each run leaves its settings and its result as one JSON file,
and the tables are made of those files alone.`,
		Example: "  kd reproduce lm --data data --list\n  kd reproduce lm --data data --only 'lm/small/*' --jobs 4\n  kd reproduce lm --tables\n  kd reproduce page -o docs/results.md",
	}
	for _, suite := range suites {
		cmd.AddCommand(newReproduceSuite(s, suite))
	}
	cmd.AddCommand(newReproducePage(s))
	asFolder(cmd)
	return cmd
}

// reproduceOptions are what kd reproduce SUITE is told.
type reproduceOptions struct {
	data    string
	results string
	work    string
	backend string
	only    []string
	seeds   int
	jobs    int
	quick   bool
	list    bool
	tables  bool
	json    bool
}

func newReproduceSuite(s *streams, suite *results.Suite) *cobra.Command {
	var o reproduceOptions
	cmd := &cobra.Command{
		Use:   suite.Name,
		Short: suite.Title,
		Long: suite.Title + `.

Runs the experiments that have no result yet, each as a kd of its own, and prints the
paper's tables. An experiment that needs another's embedding or codes waits for it. What
runs write to the terminal goes to logs in --work, beside a line of JSON for each epoch
(.jsonl); models, embeddings and checkpoints are kept there, too: when Ctrl-C stops the
work, the same command goes on from there. Commands may share the folders: a run that
one is at the others put off, and wait for last. A run that fails is told of at the end;
the others go on.

--only takes names, folders of them or patterns with *, with commas between: medium,
'small/mean-*'. What those need is run, too.`,
		Example: fmt.Sprintf("  kd reproduce %[1]s --data data --list\n  kd reproduce %[1]s --data data --jobs 4\n  kd reproduce %[1]s --data data --quick\n  kd reproduce %[1]s --tables", suite.Name),
		Args:    wantArgs(false),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := o.check(); err != nil {
				return err
			}
			if o.seeds == 0 && cmd.Flags().Changed("seeds") {
				return usagef("--seeds 0: give a number from 1 to %d", results.MaxSeed)
			}
			if len(o.only) == 0 && cmd.Flags().Changed("only") { // a variable of the shell that is not set
				return usagef("--only has no name: give some, or leave it out to run all")
			}
			r := &reproduction{s: s, o: o, suite: suite, store: results.Store{Dir: o.results, Quick: o.quick}, start: startChild}
			return r.run(cmd.Context())
		},
		ValidArgsFunction: cobra.NoFileCompletions,
	}
	f := cmd.Flags()
	f.StringVar(&o.data, "data", "data", "`DIR` of the data, with a folder for each set: ptb, agnews, sst2, planetoid, glove")
	f.StringVar(&o.results, "results", "results", "`DIR` of the results")
	f.StringVar(&o.work, "work", "work", "`DIR` for models, embeddings, checkpoints and logs")
	f.StringSliceVar(&o.only, "only", nil, "`NAMES` of the experiments to run")
	f.IntVar(&o.seeds, "seeds", 0, "`N` runs of each experiment, of seeds 1 to N (default each one's own)")
	f.IntVar(&o.jobs, "jobs", 1, "`N` runs side by side")
	f.BoolVar(&o.quick, "quick", false, "cut the data and the epochs, to see that it works: results lie apart and are no comparison")
	f.BoolVar(&o.list, "list", false, "list the experiments and what is done of them, and run nothing")
	f.BoolVar(&o.tables, "tables", false, "print the tables, and run nothing")
	backendFlag(cmd, &o.backend)
	jsonFlag(cmd, &o.json)
	return cmd
}

func (o *reproduceOptions) check() error {
	switch {
	case o.seeds < 0 || o.seeds > results.MaxSeed:
		return usagef("--seeds %d: give a number from 1 to %d", o.seeds, results.MaxSeed)
	case o.jobs < 1:
		return usagef("--jobs %d: give a number from 1 up", o.jobs)
	case o.list && o.tables:
		return usagef("--list and --tables: give one of them")
	case o.tables && len(o.only) > 0:
		return usagef("--tables prints them all: --only is for what is run or listed")
	}
	return nil
}

// reproduction is a run of kd reproduce.
type reproduction struct {
	s     *streams
	o     reproduceOptions
	suite *results.Suite
	store results.Store

	// start runs a kd of its own with those arguments, until it ends or ctx does.
	start func(ctx context.Context, args []string, stdout, stderr io.Writer) error

	cut string     // the folder of the data that was cut for quick runs; empty is none
	mu  sync.Mutex // of what is said
}

func (r *reproduction) run(ctx context.Context) error {
	experiments, err := r.suite.Select(r.o.only)
	if err != nil {
		return usageError{err}
	}
	if r.o.quick {
		if experiments = r.quickOnes(experiments); len(experiments) == 0 {
			return usagef("--quick: none of these experiments has a quick run; --quick --list shows those that have")
		}
	}
	switch {
	case r.o.list:
		return r.list(experiments)
	case r.o.tables:
		return r.print(nil)
	}
	here, err := r.withData(experiments)
	if err != nil {
		return err
	}
	if err := r.cutData(here); err != nil {
		return err
	}
	plan, err := r.suite.NewPlan(here, r.seeds(), r.store, r.exists)
	if err != nil {
		return dataError{err}
	}
	err = r.execute(ctx, plan)
	if err != nil {
		return err
	}
	if err := r.print(plan); err != nil {
		return err
	}
	return r.failures(plan)
}

// seeds returns how many runs of each experiment are asked for; 0 is each one's
// own.
func (r *reproduction) seeds() int {
	if r.o.quick {
		return max(r.o.seeds, 1)
	}
	return r.o.seeds
}

// execute runs the plan, and says how far it is.
func (r *reproduction) execute(ctx context.Context, plan *results.Plan) error {
	if len(plan.Runs) == 0 {
		return nil
	}
	if err := r.store.Prepare(); err != nil {
		return err
	}
	r.o.jobs = min(r.o.jobs, len(plan.Runs)) // records tell how many ran side by side
	fmt.Fprintf(r.s.err, "kd: %s to do, %d done\n", plural(len(plan.Runs), "run"), plan.Done)
	err := plan.Execute(ctx, r.o.jobs, func(ctx context.Context, run *results.Run) error {
		begins := "begins"
		if run.Wait {
			begins = "waits for another kd"
		}
		r.say("%s: %s", run, begins)
		record, err := r.runOne(ctx, run)
		switch {
		case errors.Is(err, results.ErrBusy):
			r.say("%s: another kd is at it: put off", run)
		case err != nil:
			r.say("%s: %s", run, message(err))
		default:
			r.say("%s: %s %.4g in %.0f seconds", run, record.Metric, record.Test, record.TotalSeconds)
		}
		return err
	})
	if err != nil {
		return interruption{err, "the same command goes on from where it was"}
	}
	return nil
}

// failures returns an error that names the runs that failed, nil if none did.
func (r *reproduction) failures(plan *results.Plan) error {
	failed := plan.Failed()
	if len(failed) == 0 {
		return nil
	}
	var all []string
	for _, run := range failed {
		all = append(all, run.String()+": "+message(run.Err()))
	}
	return fmt.Errorf("%s failed; the same command tries again: %s", plural(len(failed), "run"), strings.Join(all, "; "))
}
