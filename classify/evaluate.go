package classify

import (
	"fmt"
	"io"
	"runtime"
	"strconv"
	"strings"
	"sync"
)

// Evaluate predicts the label of every example that is left in r and compares
// it with the example's own. A label that the model does not have is an error.
// It runs on that many threads, or on one for each core if threads is 0; the
// report does not depend on their number.
func (m *Model) Evaluate(r *Reader, threads int) (*Report, error) {
	if threads <= 0 {
		threads = runtime.GOMAXPROCS(0)
	}
	v := &evaluation{m: m, confusion: newConfusion(len(m.class.Labels))}
	todo := make(chan []labelled, threads)
	var workers sync.WaitGroup
	for range threads {
		workers.Go(func() { v.work(todo) })
	}
	err := m.distribute(r, todo)
	close(todo)
	workers.Wait()
	if v.err != nil { // met before what the reader met
		err = fmt.Errorf("%s: %w", atLine(r.Name(), v.line), v.err)
	}
	if err != nil {
		return nil, err
	}
	return NewReport(m.Labels(), v.confusion), nil
}

// labelled is an example whose label is known to be a class.
type labelled struct {
	Example
	class int
}

// distribute reads examples and sends them in batches.
func (m *Model) distribute(r *Reader, todo chan<- []labelled) error {
	const size = 256
	batch := make([]labelled, 0, size)
	for {
		e, err := r.Read()
		class, ok := m.Class(e.Label)
		if err == nil && !ok {
			err = m.unknownLabel(r, e)
		}
		if err == nil {
			batch = append(batch, labelled{e, class})
		}
		if len(batch) == size || err != nil {
			todo <- batch
			batch = make([]labelled, 0, size)
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

func (m *Model) unknownLabel(r *Reader, e Example) error {
	const most = 8
	known := make([]string, 0, most+1)
	for _, label := range m.class.Labels[:min(most, len(m.class.Labels))] {
		known = append(known, strconv.Quote(clip(label)))
	}
	if more := len(m.class.Labels) - most; more > 0 {
		known = append(known, fmt.Sprintf("and %d more", more))
	}
	return &stated{ErrLabel, fmt.Sprintf("%s: the label %q is none of those the classifier was trained on (%s): correct it, or train with it",
		atLine(r.Name(), e.Line), clip(e.Label), strings.Join(known, ", "))}
}

// evaluation is what the workers bring together.
type evaluation struct {
	m         *Model
	mu        sync.Mutex
	confusion [][]int
	err       error // that of the earliest line
	line      int
}

func (v *evaluation) work(todo <-chan []labelled) {
	p := v.m.Predictor()
	scores := make([]float32, len(v.m.class.Labels))
	var best []int
	for batch := range todo {
		best = best[:0]
		for _, e := range batch {
			if _, err := p.Scores(scores, []byte(e.Text)); err != nil {
				v.fail(err, e.Line)
				break
			}
			best = append(best, Best(scores))
		}
		v.mu.Lock()
		for i, class := range best {
			v.confusion[batch[i].class][class]++
		}
		v.mu.Unlock()
	}
}

// fail notes an error. Every line is tried, so that the earliest error is the
// same whatever the number of workers.
func (v *evaluation) fail(err error, line int) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.err == nil || line < v.line {
		v.err, v.line = err, line
	}
}

func newConfusion(classes int) [][]int {
	rows := make([][]int, classes)
	for i := range rows {
		rows[i] = make([]int, classes)
	}
	return rows
}
