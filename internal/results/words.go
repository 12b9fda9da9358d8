package results

// Words is how good the codes of words are, and which words share one.
type Words struct {
	MeanCosine       float64 `json:"mean_cosine"`
	NeighbourOverlap float64 `json:"neighbour_overlap_10"` // share of the ten nearest that stay so
	DistinctCodes    int     `json:"distinct_codes"`
	Groups           []Group `json:"groups"` // the most alike
	Paper            []Group `json:"paper"`  // those that share a code with most words of a group of the paper's
}

// Group is words with the same code.
type Group struct {
	Code  string   `json:"code"`
	Words []string `json:"words"`
}
