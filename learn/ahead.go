package learn

import (
	"iter"

	"github.com/gomlx/compute"
	"github.com/gomlx/gomlx/ml/train"
)

// batchesAhead is how many batches are made ready while the device computes.
const batchesAhead = 2

// fed is a batch made ready, or why there is none.
type fed struct {
	batch train.Batch
	err   error
}

// ahead makes batches ready and moves them to the device while it computes on
// those before.
func ahead(backend compute.Backend, batches iter.Seq2[train.Batch, error]) iter.Seq2[train.Batch, error] {
	return func(yield func(train.Batch, error) bool) {
		ready, stop := make(chan fed, batchesAhead), make(chan struct{})
		go feed(backend, batches, ready, stop)
		defer func() {
			close(stop)
			for f := range ready { // and waits for the feeder to end
				_ = f.batch.Finalize()
			}
		}()
		for f := range ready {
			if !yield(f.batch, f.err) {
				return
			}
		}
	}
}

// feed sends batches until there are no more, one fails or stop is closed.
func feed(backend compute.Backend, batches iter.Seq2[train.Batch, error], ready chan<- fed, stop <-chan struct{}) {
	defer close(ready)
	for batch, err := range batches {
		if err == nil {
			err = toDevice(backend, batch)
		}
		if !send(ready, stop, fed{batch, err}) || err != nil {
			return
		}
	}
}

// send sends a batch, unless stop is closed: that is looked at first, since
// whoever closed it takes what is sent.
func send(ready chan<- fed, stop <-chan struct{}, f fed) bool {
	select {
	case <-stop:
	default:
		select {
		case ready <- f:
			return true
		case <-stop:
		}
	}
	_ = f.batch.Finalize()
	return false
}

// toDevice moves a batch to where graphs run.
func toDevice(backend compute.Backend, batch train.Batch) error {
	for _, t := range append(batch.Inputs[:len(batch.Inputs):len(batch.Inputs)], batch.Labels...) {
		if err := t.ToDevice(backend, 0); err != nil {
			return err
		}
	}
	return nil
}
