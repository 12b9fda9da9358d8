package classify

import "fmt"

// Report says how well a classifier did over labelled texts.
type Report struct {
	Examples  int           `json:"examples"`
	Accuracy  float64       `json:"accuracy"`
	Classes   []ClassReport `json:"classes"`   // in the order of the labels
	Confusion [][]int       `json:"confusion"` // [label][predicted label] examples
}

// ClassReport says how well it did on one label. A ratio of nothing, such as
// the precision of a label that was never predicted, is 0.
type ClassReport struct {
	Label     string  `json:"label"`
	Examples  int     `json:"examples"`
	Precision float64 `json:"precision"` // of those predicted so, how many were
	Recall    float64 `json:"recall"`    // of those that were, how many were predicted so
	F1        float64 `json:"f1"`        // their harmonic mean
}

// NewReport computes a report from the confusion counts: confusion[i][j]
// examples of label i were taken for label j. It panics unless there are as
// many counts as labels.
func NewReport(labels []string, confusion [][]int) *Report {
	r := &Report{Confusion: confusion, Classes: make([]ClassReport, len(labels))}
	right := 0
	for i, label := range labels {
		were, predicted := 0, 0
		for j := range labels {
			were += confusion[i][j]
			predicted += confusion[j][i]
		}
		hits := confusion[i][i]
		right += hits
		r.Examples += were
		r.Classes[i] = ClassReport{
			Label:     label,
			Examples:  were,
			Precision: ratio(hits, predicted),
			Recall:    ratio(hits, were),
			F1:        ratio(2*hits, predicted+were),
		}
	}
	r.Accuracy = ratio(right, r.Examples)
	return r
}

// MacroF1 returns the mean of the labels' F1.
func (r *Report) MacroF1() float64 {
	var sum float64
	for _, c := range r.Classes {
		sum += c.F1
	}
	return sum / float64(max(len(r.Classes), 1))
}

// String puts the report into one line.
func (r *Report) String() string {
	return fmt.Sprintf("accuracy %.4f, macro F1 %.4f over %d examples", r.Accuracy, r.MacroF1(), r.Examples)
}

func ratio(a, b int) float64 {
	if b == 0 {
		return 0
	}
	return float64(a) / float64(b)
}
