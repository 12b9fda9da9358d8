package lm

import "fmt"

// Size is the size and the schedule of a model, as Zaremba's and the paper's.
type Size struct {
	Dim       int     // d
	Steps     int     // T
	InitScale float64 // s: weights start uniform in (−s, s)
	Keep      float64 // 1 − dropout, of the embedding, between the layers, of the output
	Clip      float64 // of the gradient's norm
	Flat      int     // epochs at the full learning rate
	Decay     float64 // of the learning rate in each epoch after them
	Epochs    int
}

// MaxSteps bounds T: a graph of that many steps is built, of files, too.
const MaxSteps = 10_000

// Sizes are the paper's three sizes, by name, for a full embedding.
var Sizes = map[string]Size{
	"small":  {200, 20, 0.1, 1, 5, 4, 0.5, 15},
	"medium": {650, 35, 0.05, 0.5, 5, 6, 0.8, 30},
	"large":  {1500, 35, 0.04, 0.35, 10, 14, 1 / 1.15, 35},
}

// kdSchedules are what differs with a KD layer.
var kdSchedules = map[string]Size{
	"small":  {Clip: 3, Flat: 4, Decay: 0.5, Epochs: 15},
	"medium": {Clip: 5, Flat: 12, Decay: 0.6, Epochs: 35},
	"large":  {Clip: 5, Flat: 14, Decay: 0.6, Epochs: 35},
}

// dpqSchedules are what differs with differentiable product quantization.
var dpqSchedules = map[string]Size{
	"small":  {Clip: 3, Flat: 4, Decay: 0.5, Epochs: 15},
	"medium": {Clip: 5, Flat: 6, Decay: 0.8, Epochs: 35},
	"large":  {Clip: 5, Flat: 14, Decay: 0.7, Epochs: 25},
}

// Kind is what the schedule depends on.
type Kind int

const (
	Ordinary Kind = iota // full, and what is trained like it
	Coded                // a KD layer
	Queried              // DPQ
)

// SizeOf returns the size of that name with the schedule of a kind of
// embedding.
func SizeOf(name string, kind Kind) (Size, error) {
	s, ok := Sizes[name]
	if !ok {
		return s, fmt.Errorf("lm: the size %q is none of small, medium and large", name)
	}
	schedule := s
	switch kind {
	case Coded:
		schedule = kdSchedules[name]
	case Queried:
		schedule = dpqSchedules[name]
	}
	s.Clip, s.Flat, s.Decay, s.Epochs = schedule.Clip, schedule.Flat, schedule.Decay, schedule.Epochs
	return s, nil
}

// Rate returns the learning rate of an epoch, the first being 0.
func (s Size) Rate(epoch int) float64 {
	rate := 1.0
	for range max(epoch+1-s.Flat, 0) {
		rate *= s.Decay
	}
	return rate
}

// Check returns an error unless the numbers make sense.
func (s Size) Check() error {
	switch {
	case s.Dim < 1 || s.Steps < 1 || s.Epochs < 1:
		return fmt.Errorf("lm: width %d, %d steps a batch, %d epochs: all must be positive", s.Dim, s.Steps, s.Epochs)
	case s.Steps > MaxSteps:
		return fmt.Errorf("lm: %d steps a batch: up to %d are possible", s.Steps, MaxSteps)
	case !(s.Keep > 0 && s.Keep <= 1):
		return fmt.Errorf("lm: keeping a share of %g: above 0 up to 1 is possible", s.Keep)
	case !(s.InitScale > 0) || !(s.Decay > 0):
		return fmt.Errorf("lm: initial scale %g, decay %g: they must be positive", s.InitScale, s.Decay)
	case !(s.Clip >= 0):
		return fmt.Errorf("lm: gradients clipped at %g: 0, which is not at all, or more is possible", s.Clip)
	}
	return nil
}
