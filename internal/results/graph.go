package results

// Graph is the paper's graph convolutional network, on the Planetoid sets.
var Graph = &Suite{
	Name:        "graph",
	Title:       "Node classification in graphs",
	Experiments: graphExperiments(),
	Tables: []Table{{
		ID:    "graph",
		Title: "Table 3: graph convolutional networks",
		Note: "Test accuracy, and the size of the input layer: K = 64 and D = 8, on Pubmed 32 and 4. Full is stopped early as Kipf & Welling do; the others " +
			"keep the epoch that is best on validation. The paper's 2.69 K parameters for Pubmed do not follow from K = 32 and D = 4.",
		Columns: []Column{{"accuracy", Tested, 3}, {"parameters, K", ThousandParameters, 2}, {"bits, M", Megabits, 2}},
		Rows:    graphRows(),
	}, {
		ID:    "graph-compressed",
		Title: "Beyond the paper: networks of graphs, compressed afterwards",
		Note: "The full layers of Table 3, compressed by `kd compress`: the networks are not trained further. Code embeddings are stored in 8 bits; the bits " +
			"of those compressed are the stored ones.",
		Columns: []Column{{"accuracy", Tested, 3}, {"bits, M", Megabits, 3}, {"times smaller", Ratio, 0}},
		Rows:    graphCompressedRows(),
	}},
}

// graphMethods are the layers that are compared.
var graphMethods = []struct{ name, label, flags string }{
	{"full", "full", "--emb full"},
	{"lowrank2", "low rank 2x", "--emb lowrank --rank 7 --window 0"},
	{"lowrank4", "low rank 4x", "--emb lowrank --rank 4 --window 0"},
	{"kd", "KD", ""},
}

// graphSets are the data sets, with the flags of their codes and the paper's
// numbers of each method: accuracy, parameters in thousands, bits in millions.
var graphSets = []struct {
	name, label, codes string
	paper              map[string][]float64
}{
	{"cora", "Cora", "", map[string][]float64{
		"full": {0.814, 22.93, 0.73}, "lowrank2": {0.789, 10.14, 0.32}, "lowrank4": {0.767, 5.8, 0.19}, "kd": {0.823, 8.22, 0.33},
	}},
	{"citeseer", "Citeseer", "", map[string][]float64{
		"full": {0.721, 59.25, 1.90}, "lowrank2": {0.710, 26.03, 0.83}, "lowrank4": {0.685, 14.88, 0.48}, "kd": {0.723, 8.22, 0.44},
	}},
	{"pubmed", "Pubmed", "-K 32 -D 4", map[string][]float64{
		"full": {0.795, 8.00, 0.26}, "lowrank2": {0.773, 3.61, 0.12}, "lowrank4": {0.780, 2.06, 0.07}, "kd": {0.797, 2.69, 0.10},
	}},
}

func graphExperiments() []Experiment {
	var all []Experiment
	for _, set := range graphSets {
		for _, m := range graphMethods {
			flags := m.flags
			if m.name == "kd" {
				flags = set.codes
			}
			all = append(all, Experiment{
				Name:    "graph/" + set.name + "/" + m.name,
				Command: joined("train graph --data {data:planetoid} --name "+set.name, flags),
				Data:    "planetoid/ind." + set.name + ".x",
				Seeds:   10,
				Quick:   "--epochs 50",
			})
		}
		like := Experiment{Data: "planetoid/ind." + set.name + ".x", Seeds: 10}
		all = append(all, compressed("graph/"+set.name+"/full", "", "--data {data:planetoid} --name "+set.name, like, classifierShapes)...)
	}
	return all
}

func graphCompressedRows() []Row {
	var rows []Row
	for _, set := range graphSets[:2] { // those that are here
		rows = append(rows, compressedRows(set.label, "graph/"+set.name+"/full", classifierShapes)...)
	}
	return rows
}

func graphRows() []Row {
	var rows []Row
	for _, set := range graphSets {
		for _, m := range graphMethods {
			rows = append(rows, Row{set.label + ", " + m.label, set.paper[m.name], []string{"graph/" + set.name + "/" + m.name}})
		}
	}
	return rows
}
