package learn

import (
	"fmt"
	"slices"
)

// Padding in ids stands for no symbol.
const Padding = -1

// Occurrences are the distinct symbols of a batch and where they occur, found
// on the host. Its zero value is ready for use; the slices are overwritten by
// the next Find.
type Occurrences struct {
	IDs      []int32   // the distinct ids in increasing order, then padding: id 0 with weight 0
	Weight   []float32 // how often each occurs
	Position []int32   // of each id given, its place in IDs; 0 for padding

	order []int32
}

// Find fills in the distinct symbols of ids below n. Their number is rounded up
// to a multiple of round, so that few shapes of graphs have to be compiled.
func (o *Occurrences) Find(ids []int32, n, round int) error {
	o.order = o.order[:0]
	for i, id := range ids {
		switch {
		case id == Padding:
		case id < 0 || int(id) >= n:
			return fmt.Errorf("learn: id %d at place %d: there are %d symbols", id, i, n)
		default:
			o.order = append(o.order, id)
		}
	}
	slices.Sort(o.order)
	o.IDs, o.Weight = o.IDs[:0], o.Weight[:0]
	for i, id := range o.order {
		if i == 0 || id != o.order[i-1] {
			o.IDs, o.Weight = append(o.IDs, id), append(o.Weight, 0)
		}
		o.Weight[len(o.Weight)-1]++
	}
	o.Position = o.Position[:0]
	for _, id := range ids {
		place := 0
		if id != Padding {
			place, _ = slices.BinarySearch(o.IDs, id)
		}
		o.Position = append(o.Position, int32(place))
	}
	for len(o.IDs) == 0 || len(o.IDs)%max(round, 1) != 0 {
		o.IDs, o.Weight = append(o.IDs, 0), append(o.Weight, 0)
	}
	return nil
}
