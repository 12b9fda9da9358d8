package graph

import (
	"math"
	"math/rand/v2"
)

// dropout drops nonzeros of a sparse matrix, each with a probability, and scales
// those that stay so that sums keep their mean. It is done on the host: the
// graph then multiplies only by what stays, and an epoch's choice follows from
// the seed alone.
type dropout struct {
	rate float64
	seed uint64
}

// of returns what stays of a matrix in an epoch. It is padded with zeros to
// nearly always the same length, since for each length a graph is built.
func (d dropout) of(m coordinates, epoch int) coordinates {
	stays := coordinates{height: m.height, width: m.width}
	rng := rand.New(rand.NewPCG(d.seed, uint64(epoch)+1))
	scale := float32(1 / (1 - d.rate))
	for i, v := range m.values {
		if rng.Float64() >= d.rate {
			stays.rows = append(stays.rows, m.rows[i])
			stays.cols = append(stays.cols, m.cols[i])
			stays.values = append(stays.values, v*scale)
		}
	}
	length := d.length(len(m.values))
	if len(stays.values) > length {
		length = len(m.values)
	}
	for len(stays.values) < length { // in the last row: rows stay sorted
		stays.rows = append(stays.rows, int32(m.height-1))
		stays.cols = append(stays.cols, 0)
		stays.values = append(stays.values, 0)
	}
	return stays
}

// length returns how many of n nonzeros stay at most, but once in 10⁹ times.
func (d dropout) length(n int) int {
	mean := float64(n) * (1 - d.rate)
	return min(n, int(mean+6*math.Sqrt(mean*d.rate))+1)
}
