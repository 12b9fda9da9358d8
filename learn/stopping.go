package learn

// Patience stops when the score has not risen for n epochs.
func Patience(n int) func([]Epoch) bool {
	return func(history []Epoch) bool {
		best := 0
		for i, e := range history {
			if e.Score != nil && *e.Score > *history[best].Score {
				best = i
			}
		}
		return n > 0 && len(history)-1-best >= n
	}
}

// Window stops when the evaluation's loss is above the mean of the n epochs
// before, as Kipf & Welling do.
func Window(n int) func([]Epoch) bool {
	return func(history []Epoch) bool {
		last := len(history) - 1
		if n <= 0 || last <= n {
			return false
		}
		mean := 0.0
		for _, e := range history[last-n : last] {
			mean += *e.EvalLoss / float64(n)
		}
		return *history[last].EvalLoss > mean
	}
}
