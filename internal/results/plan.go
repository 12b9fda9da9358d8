package results

import (
	"context"
	"errors"
	"fmt"
)

// Run is an experiment with a seed, to be run.
type Run struct {
	Experiment *Experiment
	Seed       int

	// Again is set where the result is there and what others need of it is not:
	// the result stands, and is not written again.
	Again bool

	// Wait is set where all else is done or under way: a run that another
	// process is at is then waited for.
	Wait bool

	needs []*Run
	state state
	err   error
}

type state int

const (
	waiting state = iota
	running
	putOff // another process is at it
	done
	failed
)

// ErrBusy is returned by a run that another process is at: it is put off until
// there is nothing else to do.
var ErrBusy = errors.New("another kd is at it")

// String names the run.
func (r *Run) String() string { return fmt.Sprintf("%s, seed %d", r.Experiment.Name, r.Seed) }

// Err returns why the run failed, nil if it did not.
func (r *Run) Err() error { return r.err }

// Plan is the runs that are still to be done, each after those it needs.
type Plan struct {
	Runs []*Run
	Done int // runs that are done already

	suite  *Suite
	store  Store
	exists func(kind, name string, seed int) bool // whether an experiment's file is there
	byName map[string]*Run
}

// NewPlan plans the experiments with so many seeds; 0 takes each one's own.
func (s *Suite) NewPlan(experiments []*Experiment, seeds int, store Store, exists func(kind, name string, seed int) bool) (*Plan, error) {
	p := &Plan{suite: s, store: store, exists: exists, byName: map[string]*Run{}}
	for _, e := range experiments {
		n := seeds
		if n == 0 {
			n = e.Seeds
		}
		for seed := 1; seed <= n; seed++ {
			record, err := store.Read(e.Name, seed)
			switch {
			case err != nil:
				return nil, err
			case record != nil:
				p.Done++
				continue
			}
			if _, err := p.add(e, seed, false); err != nil {
				return nil, err
			}
		}
	}
	return p, nil
}

// add adds a run after those that it needs.
func (p *Plan) add(e *Experiment, seed int, again bool) (*Run, error) {
	key := stem(e.Name, seed)
	if r := p.byName[key]; r != nil {
		return r, nil
	}
	r := &Run{Experiment: e, Seed: seed, Again: again}
	for _, f := range e.needs() {
		need, err := p.need(e, f, seed)
		if err != nil {
			return nil, err
		}
		if need != nil {
			r.needs = append(r.needs, need)
		}
	}
	p.byName[key] = r
	p.Runs = append(p.Runs, r)
	return r, nil
}

// need returns the run that makes a file, nil if it is there.
func (p *Plan) need(e *Experiment, f file, seed int) (*Run, error) {
	from := p.suite.find(f.name)
	if from == nil {
		return nil, fmt.Errorf("%s needs %s, which is no experiment", e.Name, f.name)
	}
	record, err := p.store.Read(from.Name, seed)
	if err != nil {
		return nil, err
	}
	if record != nil && p.exists(f.kind, f.name, seed) {
		return nil, nil
	}
	return p.add(from, seed, record != nil)
}

// Execute runs the plan, up to jobs runs side by side, in the order of the plan
// where a run does not wait for another. A run that fails fails those that need
// it, and no others. It returns ctx's error when that ends it, else nil: runs
// know whether they failed.
func (p *Plan) Execute(ctx context.Context, jobs int, run func(context.Context, *Run) error) error {
	type end struct {
		run *Run
		err error
	}
	ends := make(chan end)
	under := 0
	for {
		for under < jobs && ctx.Err() == nil {
			r := p.next()
			if r == nil {
				break
			}
			r.state = running
			under++
			go func() { ends <- end{r, run(ctx, r)} }()
		}
		if under == 0 {
			return ctx.Err()
		}
		e := <-ends
		under--
		e.run.state, e.run.err = done, e.err
		switch {
		case errors.Is(e.err, ErrBusy):
			e.run.state = putOff
		case e.err != nil:
			e.run.state = failed
		}
	}
}

// next returns the first run that waits for no other, then the first that was
// put off, nil if there is none.
func (p *Plan) next() *Run {
	var later *Run
	for _, r := range p.Runs {
		switch {
		case r.state == waiting && r.ready():
			return r
		case r.state == putOff && later == nil:
			later = r
		}
	}
	if later != nil {
		later.Wait = true
	}
	return later
}

// ready reports whether all that a run needs is done. Where that failed, so has
// the run.
func (r *Run) ready() bool {
	for _, need := range r.needs {
		switch need.state {
		case failed:
			r.state = failed
			r.err = fmt.Errorf("it needs %s, which failed", need)
			return false
		case waiting, running, putOff:
			return false
		}
	}
	return true
}

// Failed returns the runs that failed, those that were interrupted not among
// them.
func (p *Plan) Failed() []*Run {
	var all []*Run
	for _, r := range p.Runs {
		if r.state == failed && !errors.Is(r.err, context.Canceled) {
			all = append(all, r)
		}
	}
	return all
}
