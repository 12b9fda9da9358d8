package additive

import (
	"context"

	"github.com/kdcode/kdcode/internal/simd"
)

// learner learns from rows in memory.
type learner struct {
	*book
	*rows
	pool
	plan     plan
	seed     uint64
	progress func(Progress)

	normal *normal
	coder  *coder
	sums   [][]float32 // [threads][stride]
}

// Learn learns code embeddings and codes for a table.
func Learn(ctx context.Context, src Source, p Params) (*Result, error) {
	if err := p.check(src); err != nil {
		return nil, err
	}
	b := newBook(p.K, p.D, src.Dim())
	plan := p.plan(src.Len(), src.Dim())
	chosen, weights := choose(src.Len(), plan.sample, p.Weights, p.Seed)
	sample, err := load(src, b, chosen, weights)
	if err != nil {
		return nil, err
	}
	l := newLearner(b, sample, plan, p)
	if err := l.learn(ctx, p); err != nil {
		return nil, err
	}
	if len(chosen) == src.Len() {
		return l.result(ctx), nil
	}
	return l.pass(ctx, src, p, chosen)
}

func newLearner(b *book, r *rows, plan plan, p Params) *learner {
	l := &learner{
		book: b, rows: r, pool: pool{p.threads()}, plan: plan, seed: p.Seed, progress: p.Progress,
		coder: newCoder(b, p.threads()),
	}
	for range l.threads {
		l.sums = append(l.sums, simd.AlignedFloats(b.stride))
	}
	return l
}

// learn runs the rounds, and fits code embeddings to the last codes.
func (l *learner) learn(ctx context.Context, p Params) error {
	round := 0
	if p.Resume != nil {
		round = p.Resume.Round
		if err := l.resume(ctx, p.Resume); err != nil {
			return err
		}
	} else if err := l.start(ctx); err != nil {
		return err
	}
	for ; round < l.plan.rounds; round++ {
		if err := l.round(ctx, round); err != nil {
			return err
		}
		l.report("learn", round+1, l.plan.rounds)
		if p.Checkpoint != nil {
			if err := p.Checkpoint(l.state(round + 1)); err != nil {
				return err
			}
		}
	}
	return l.fit(ctx)
}

// round fits W to the codes, then searches for better codes.
func (l *learner) round(ctx context.Context, round int) error {
	if err := l.fit(ctx); err != nil {
		return err
	}
	if err := l.coder.update(ctx, l.pool, l.meanError(ctx)); err != nil {
		return err
	}
	return l.coder.search(ctx, l.pool, l.rows, l.plan.steps, randomOf(l.seed, 'r', uint64(round)))
}

// meanError returns the mean squared error of a row.
func (l *learner) meanError(ctx context.Context) float64 {
	total, weight := l.error(ctx, l.pool, l.stride)
	if weight == 0 {
		return 0
	}
	return total / weight
}

// relative returns Σ w‖r‖² / Σ w‖v‖².
func (l *learner) relative(ctx context.Context) float64 {
	total, _ := l.error(ctx, l.pool, l.stride)
	return ratio(total, l.norm)
}

func ratio(lost, norm float64) float64 {
	if norm == 0 {
		return 0
	}
	return lost / norm
}

func (l *learner) report(phase string, round, rounds int) {
	if l.progress != nil {
		l.progress(Progress{phase, round, rounds, l.relative(context.Background())})
	}
}

func (l *learner) result(ctx context.Context) *Result {
	return &Result{Codebook: l.codebook(), Codes: l.codes, Error: l.relative(ctx)}
}

// coder finds codes for code embeddings as they are: by walks where the tables
// for them fit, by descent otherwise.
type coder struct {
	sweeper *sweeper
	tables  *tables // nil where they do not fit
}

func newCoder(b *book, threads int) *coder {
	c := &coder{sweeper: newSweeper(b, threads)}
	if tabulated(b.K, b.D) {
		c.tables = newTables(b, threads)
	}
	return c
}

// update takes over the code embeddings, for rows of a mean squared error.
func (c *coder) update(ctx context.Context, p pool, squared float64) error {
	if c.tables != nil {
		return c.tables.update(ctx, p, squared)
	}
	return c.sweeper.update(ctx, p)
}

func (c *coder) search(ctx context.Context, p pool, r *rows, steps int, place random) error {
	if c.tables != nil {
		return c.tables.search(ctx, p, r, steps, place)
	}
	return c.sweeper.search(ctx, p, r, steps, place)
}
