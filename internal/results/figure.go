package results

// Figure is one of the paper's figures: curves of what was tested.
type Figure struct {
	ID     string // of its picture: ID.png
	Title  string
	Note   string
	XLabel string
	YLabel string
	Curves []Curve
}

// Curve is a line of a figure.
type Curve struct {
	Label  string
	Points []Point
}

// Point is an experiment on a curve.
type Point struct {
	X  float64
	Of string
}

// Fill returns the curves' points that have records, each the mean of its runs:
// by curve, x and y.
func (f *Figure) Fill(s Store) ([][][2]float64, error) {
	all := make([][][2]float64, len(f.Curves))
	for i, curve := range f.Curves {
		for _, p := range curve.Points {
			records, err := s.All(p.Of)
			if err != nil {
				return nil, err
			}
			if len(records) == 0 {
				continue
			}
			var values []float64
			for _, r := range records {
				values = append(values, r.Test)
			}
			mean, _ := MeanAndSpread(values)
			all[i] = append(all[i], [2]float64{p.X, mean})
		}
	}
	return all, nil
}
