package learn

import (
	"errors"
	"iter"
	"testing"

	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/train"
)

// counted yields batches of 0, 1, 2, …, and fails at one of them, if that is not
// negative. It notes how many it has made.
func counted(made *int, failAt int) iter.Seq2[train.Batch, error] {
	return func(yield func(train.Batch, error) bool) {
		for i := range 10 {
			if i == failAt {
				yield(train.Batch{}, errTest)
				return
			}
			*made++
			if !yield(train.Batch{Inputs: []*tensors.Tensor{tensors.FromValue([]int32{int32(i)})}}, nil) {
				return
			}
		}
	}
}

var errTest = errors.New("no more data")

func TestAhead(t *testing.T) {
	for name, c := range map[string]struct {
		failAt, stopAt int
		want           int // batches seen
		made           int // at most
		err            error
	}{
		"all":           {failAt: -1, stopAt: -1, want: 10, made: 10},
		"stopped":       {failAt: -1, stopAt: 3, want: 3, made: 3 + batchesAhead + 2},
		"failed":        {failAt: 4, stopAt: -1, want: 4, made: 4, err: errTest},
		"failed at all": {failAt: 0, stopAt: -1, want: 0, made: 0, err: errTest},
	} {
		t.Run(name, func(t *testing.T) {
			made, seen := 0, 0
			var failed error
			for batch, err := range ahead(backend(t), counted(&made, c.failAt)) {
				if err != nil {
					failed = err
					continue
				}
				if got := tensors.MustCopyFlatData[int32](batch.Inputs[0])[0]; int(got) != seen {
					t.Fatalf("batch %d comes as number %d", got, seen)
				}
				_ = batch.Finalize()
				if seen++; seen == c.stopAt {
					break
				}
			}
			// made is read without a lock: the feeder has ended when ahead returns.
			if seen != c.want || made > c.made || !errors.Is(failed, c.err) {
				t.Errorf("%d batches, %d made, error %v; want %d, at most %d, %v", seen, made, failed, c.want, c.made, c.err)
			}
		})
	}
}
