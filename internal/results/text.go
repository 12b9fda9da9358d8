package results

// Text is the paper's text classification, on the data sets that are here.
var Text = &Suite{
	Name:        "text",
	Title:       "Text classification",
	Experiments: textExperiments(),
	QuickLines:  4000,
	Tables: []Table{{
		ID:    "text",
		Title: "Table 2: text classification",
		Note: "Test accuracy, and the size of the embedding layer: K = D = 32, d = 300. AG News here is a sample, 10,001 of its 120,000 training " +
			"texts, with a vocabulary of its own size: accuracies and sizes are not those of the whole set. SST-2 is not among the paper's sets.",
		Columns: []Column{{"accuracy", Tested, 3}, {"parameters, M", MillionParameters, 3}, {"bits, G", Gigabits, 3}},
		Rows:    textRows(),
	}, {
		ID:    "text-compressed",
		Title: "Beyond the paper: text classifiers, compressed afterwards",
		Note: "The full embeddings of Table 2, compressed by `kd compress --weights rank`: the classifiers are not trained further. Code embeddings are " +
			"stored in 8 bits; the bits of those compressed are the stored ones.",
		Columns: []Column{{"accuracy", Tested, 3}, {"bits, M", Megabits, 2}, {"times smaller", Ratio, 0}},
		Rows:    textCompressedRows(),
	}},
}

// classifierShapes are the codes that trained classifiers are compressed to.
var classifierShapes = []shape{{32, 32}, {16, 8}, {16, 4}, {8, 4}}

// textSet is a data set with the settings it is trained with, and the paper's
// numbers of each method: accuracy, parameters in millions, bits in billions.
type textSet struct {
	folder, label   string
	codes, ordinary string // flags of layers of codes, and of others
	paper           map[string][]float64
}

// textMethods are the layers that are compared. Of so many words as in all of
// these sets, a rank of 29 is a tenth of the full table's parameters.
var textMethods = []struct{ name, label, flags string }{
	{"full", "full", "--emb full"},
	{"lowrank10", "low rank 10x", "--emb lowrank --rank 29"},
	{"lowrank20", "low rank 20x", "--emb lowrank --rank 14"},
	{"kd", "KD", ""},
}

var textSets = []textSet{
	{"agnews", "AG News (sample)", "--rate 1e-4 --code-rate 100 --drop-digits 0.2 --drop-words 0.5", "--drop-words 0.5", map[string][]float64{
		"full": {0.914, 20.797, 0.665}, "lowrank10": {0.914, 2.019, 0.065}, "lowrank20": {0.915, 0.975, 0.031}, "kd": {0.916, 0.308, 0.021},
	}},
	{"sst2", "SST-2", "", "", nil},
	{"yahoo", "Yahoo! Answers", textLarge, textLarge, map[string][]float64{
		"full": {0.698, 143.26, 4.584}, "lowrank10": {0.695, 13.857, 0.443}, "lowrank20": {0.691, 6.690, 0.214}, "kd": {0.695, 0.308, 0.086},
	}},
	{"yelp-polarity", "Yelp polarity", textLarge, textLarge, map[string][]float64{
		"full": {0.932, 74.022, 2.369}, "lowrank10": {0.924, 7.164, 0.229}, "lowrank20": {0.923, 3.459, 0.111}, "kd": {0.931, 0.308, 0.049},
	}},
	{"yelp-full", "Yelp full", textLarge, textLarge, map[string][]float64{
		"full": {0.592, 80.524, 2.577}, "lowrank10": {0.578, 7.793, 0.249}, "lowrank20": {0.573, 3.762, 0.120}, "kd": {0.590, 0.308, 0.053},
	}},
	{"dbpedia", "DBpedia", textLarge, textLarge, map[string][]float64{
		"full": {0.977, 183.76, 5.880}, "lowrank10": {0.977, 17.772, 0.569}, "lowrank20": {0.979, 8.580, 0.275}, "kd": {0.980, 0.308, 0.108},
	}},
}

// textLarge is for the sets of hundreds of thousands of texts: the authors' later
// code has this many steps.
const textLarge = "--steps 5000"

func textExperiments() []Experiment {
	var all []Experiment
	for _, set := range textSets {
		for _, m := range textMethods {
			flags := set.ordinary
			if m.name == "kd" {
				flags = set.codes
			}
			all = append(all, Experiment{
				Name:    "text/" + set.folder + "/" + m.name,
				Command: joined("train text --train {data:"+set.folder+"/train} --test {data:"+set.folder+"/test} --hold-out 0", m.flags, flags),
				Data:    set.folder + "/train",
				Seeds:   5,
				Quick:   "--epochs 4",
			})
		}
		like := Experiment{Data: set.folder + "/train", Seeds: 5}
		all = append(all, compressed("text/"+set.folder+"/full", "--weights rank", "--test {data:"+set.folder+"/test}", like, classifierShapes)...)
	}
	return all
}

// textCompressedRows are of the sets that are here: the paper has none to compare
// with.
func textCompressedRows() []Row {
	var rows []Row
	for _, set := range textSets[:2] {
		rows = append(rows, compressedRows(set.label, "text/"+set.folder+"/full", classifierShapes)...)
	}
	return rows
}

func textRows() []Row {
	var rows []Row
	for _, set := range textSets {
		for _, m := range textMethods {
			rows = append(rows, Row{set.label + ", " + m.label, set.paper[m.name], []string{"text/" + set.folder + "/" + m.name}})
		}
	}
	return rows
}
