package search

// Recall returns which part of the neighbours wanted were found, over all
// queries: 1 means all of them. Where nothing is wanted it is 1.
func Recall(got, want [][]Neighbour) float64 {
	found, wanted := 0, 0
	for q := range want {
		ids := make(map[int]bool, len(want[q]))
		for _, n := range want[q] {
			ids[n.ID] = true
		}
		wanted += len(ids)
		if q >= len(got) {
			continue
		}
		for _, n := range got[q] {
			if ids[n.ID] {
				found++
			}
		}
	}
	if wanted == 0 {
		return 1
	}
	return float64(found) / float64(wanted)
}
