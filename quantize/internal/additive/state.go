package additive

import (
	"context"
	"fmt"
)

// State is the work between two rounds. A run resumed from it ends with the same
// bytes as one that was not interrupted.
type State struct {
	Round int       // rounds done
	W     []float32 // [D, K, d] for vectors less the mean of the sample
	Codes []uint16  // [n, D] of the rows learned from
}

func (l *learner) state(round int) State {
	s := State{Round: round, Codes: l.codes, W: make([]float32, l.D*l.K*l.d)}
	for i := range l.D * l.K {
		copy(s.W[i*l.d:][:l.d], l.W[i*l.stride:])
	}
	return s
}

// resume takes over a state.
func (l *learner) resume(ctx context.Context, s *State) error {
	if len(s.W) != l.D*l.K*l.d || len(s.Codes) != l.n*l.D || s.Round < 0 || s.Round > l.plan.rounds {
		return fmt.Errorf("%w: the state to resume from is of another run", ErrParams)
	}
	for _, k := range s.Codes {
		if int(k) >= l.K {
			return fmt.Errorf("%w: the state to resume from has a digit %d of %d values", ErrParams, k, l.K)
		}
	}
	for i := range l.D * l.K {
		copy(l.W[i*l.stride:], s.W[i*l.d:][:l.d])
	}
	copy(l.codes, s.Codes)
	return l.residuals(ctx)
}
