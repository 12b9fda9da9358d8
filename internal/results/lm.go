package results

import "fmt"

// LM is the paper's main experiment: language models of Penn Treebank in three
// sizes.
var LM = &Suite{
	Name:        "lm",
	Title:       "Language modelling on Penn Treebank",
	Experiments: lmExperiments(),
	QuickLines:  1000,
	Tables: []Table{
		{
			ID:    "lm-sizes",
			Title: "Table 1: full, low rank and KD with pre-trained guidance",
			Note: "Test perplexity, and the size of the embedding layer. KD is K = D = 32 with d' = 300, guided by the full embedding of the same " +
				"size and seed, with the auto-encoder. The large model is unstable in its first epochs when gradients are clipped at 10, as the recipe says; clipped at 5 it is stable, and fits the training text too well after 17 epochs. " +
				"Low rank has a fifth and a tenth of the full table's parameters.",
			Columns: []Column{{"perplexity", Tested, 2}, {"parameters, M", MillionParameters, 2}, {"bits, M", Megabits, 2}},
			Rows: []Row{
				{"small, full", []float64{114.53, 2.00, 64.00}, lm("small/full")},
				{"small, low rank 5x", []float64{134.01, 0.40, 12.73}, lm("small/lowrank5")},
				{"small, low rank 10x", []float64{134.89, 0.19, 6.20}, lm("small/lowrank10")},
				{"small, KD", []float64{107.77, 0.37, 13.39}, lm("small/pdg-ae")},
				{"medium, full", []float64{83.38, 6.50, 208.00}, lm("medium/full")},
				{"medium, low rank 5x", []float64{84.84, 1.30, 41.58}, lm("medium/lowrank5")},
				{"medium, low rank 10x", []float64{85.53, 0.65, 20.79}, lm("medium/lowrank10")},
				{"medium, KD", []float64{83.11, 0.50, 17.75}, lm("medium/pdg-ae")},
				{"large, full", []float64{78.71, 15.00, 480.00}, lm("large/full")},
				{"large, full, clipped at 5", nil, lm("large/full-clip5")},
				{"large, low rank 5x", []float64{81.23, 2.99, 95.68}, lm("large/lowrank5")},
				{"large, low rank 10x", []float64{81.85, 1.50, 47.84}, lm("large/lowrank10")},
				{"large, KD", []float64{77.72, 0.76, 26.00}, lm("large/pdg-ae")},
			},
		},
		{
			ID:    "lm-baselines",
			Title: "Table 4: more baselines, medium",
			Note: "The first ten characters of a word as its code; quantization-aware training of 8, 6 and 4 bits a number; product quantization of the " +
				"trained full embedding (K × D), frozen while the rest of the model trains. The paper's bits saved by product quantization do not " +
				"follow from N·D·log2 K + 32·K·d, which ours do.",
			Columns: []Column{{"perplexity", Tested, 2}, {"bits saved, %", PercentSaved, 0}},
			Rows: []Row{
				{"characters as codes", []float64{108.14, 96}, lm("medium/chars")},
				{"scalar quantization, 8 bits", []float64{84.06, 75}, lm("medium/scalar8")},
				{"scalar quantization, 6 bits", []float64{87.73, 81}, lm("medium/scalar6")},
				{"scalar quantization, 4 bits", []float64{92.86, 88}, lm("medium/scalar4")},
				{"product quantization, 64x325", []float64{84.03, 88}, lm("medium/product64")},
				{"product quantization, 128x325", []float64{83.71, 85}, lm("medium/product128")},
				{"product quantization, 256x325", []float64{83.66, 81}, lm("medium/product256")},
				{"KD, pre-trained guidance", []float64{83.11, 92}, lm("medium/pdg-ae")},
			},
		},
		{
			ID:    "lm-coding",
			Title: "Table 5: how codes are learned",
			Note: "Test perplexity. Random codes are drawn once; pre-trained codes are learned from the trained full embedding by reconstruction (`kd train codes`; a row of " +
				"our own: `kd compress`) and then fixed; the others are learned end to end. The weight of the paper's entropy regulariser is not published: these runs have none.",
			Columns: []Column{{"perplexity", Tested, 2}},
			Rows:    codingRows(),
		},
		{
			ID:    "lm-tricks",
			Title: "Table 6: relaxation and regularisers, medium",
			Note: "CR is the softmax itself in training, STE its straight-through estimate. Of the weights 1e-4 to 1 of the entropy regulariser the table " +
				"has the one that did best on validation. The temperature falls by a tenth an epoch down to 0.1. The rows with guidance are without the " +
				"entropy regulariser here. Gumbel noise is not in the paper's table.",
			Columns: []Column{{"perplexity", Tested, 2}},
			Rows: []Row{
				{"CR", []float64{90.61}, lm("medium/soft")},
				{"CR + STE", []float64{90.15}, lm("medium/none")},
				{"CR + STE + temperature schedule", []float64{89.55}, lm("medium/temperature")},
				{"CR + STE + entropy", []float64{89.03}, lm("medium/entropy-1e-4", "medium/entropy-1e-3", "medium/entropy-1e-2", "medium/entropy-1e-1", "medium/entropy-1")},
				{"CR + STE + Gumbel noise", nil, lm("medium/gumbel")},
				{"CR + STE + PDG without auto-encoder", []float64{83.71}, lm("medium/pdg")},
				{"CR + STE + PDG with auto-encoder", []float64{83.11}, lm("medium/pdg-ae")},
			},
		},
		{
			ID:    "lm-dpq",
			Title: "Beyond the paper: differentiable product quantization",
			Note: "Two ways to choose a value: SX by keys, VQ the nearest. Values are shared by all digits: K = 8 and D = 25 in small, 32 and 50 in " +
				"medium, 16 and 50 in large. Gradients are clipped at 3 in small and 5 in " +
				"the others, unless a row says otherwise. Flat is how many epochs have the full learning rate, which then falls to 0.7 in each; " +
				"without it they are 6 in medium, with a decay of 0.8, and 14 in large. The numbers beside are what its paper reports of SX (2020, the same first author).",
			Columns: []Column{{"perplexity", Tested, 2}, {"times smaller", Ratio, 0}},
			Rows: []Row{
				{"small, SX", []float64{105.8, 85}, lm("small/dpq")},
				{"small, SX, mean weights", []float64{105.8, 85}, lm("small/dpq-mean")},
				{"small, VQ", []float64{105.8, 85}, lm("small/vq")},
				{"medium, SX", []float64{82.0, 83}, lm("medium/dpq")},
				{"medium, SX, clipped at 3", []float64{82.0, 83}, lm("medium/dpq-clip3")},
				{"medium, SX, clipped at 2", []float64{82.0, 83}, lm("medium/dpq-clip2")},
				{"medium, SX, clipped at 3, flat for 12", []float64{82.0, 83}, lm("medium/dpq-flat12")},
				{"medium, SX, clipped at 3, mean weights", []float64{82.0, 83}, lm("medium/dpq-mean")},
				{"medium, VQ", []float64{82.0, 83}, lm("medium/vq")},
				{"large, SX", []float64{78.5, 238}, lm("large/dpq")},
				{"large, SX, flat for 18", []float64{78.5, 238}, lm("large/dpq-flat18")},
				{"large, SX, mean weights", []float64{78.5, 238}, lm("large/dpq-mean")},
				{"large, VQ", []float64{78.5, 238}, lm("large/vq")},
			},
		},
		{
			ID:    "lm-mean",
			Title: "Beyond the paper: the mean of the weights",
			Note: "The learning rate does not decay (KD: by 0.8 after 4 epochs in small, 12 in medium and 14 in large, so that codes settle); the model is the mean of its weights over about three epochs (one in small, four in medium), in the epoch that does best on validation: " +
				"`--average 3 --best`. KD is guided by the full embedding of Table 1 unless a row says otherwise. The full embedding of large is clipped at 5. The numbers beside are the paper's.",
			Columns: []Column{{"perplexity", Tested, 2}, {"bits, M", Megabits, 2}},
			Rows: []Row{
				{"small, full", []float64{114.53, 64.00}, lm("small/full-mean")},
				{"small, KD, weight of guidance 100", []float64{107.77, 13.39}, lm("small/pdg100-mean")},
				{"medium, full", []float64{83.38, 208.00}, lm("medium/full-mean")},
				{"medium, KD", []float64{83.11, 17.75}, lm("medium/pdg-ae-mean")},
				{"medium, KD, guided by the mean of full", []float64{83.11, 17.75}, lm("medium/pdg-ae-mean-by-mean")},
				{"large, full", []float64{78.71, 480.00}, lm("large/full-mean")},
				{"large, KD", []float64{77.72, 26.00}, lm("large/pdg-ae-mean")},
			},
		},
		{
			ID:    "lm-compressed",
			Title: "Beyond the paper: a trained model, compressed afterwards",
			Note: "The full embeddings of the table above, compressed by `kd compress --weights rank`: the model is not trained further. Code embeddings are " +
				"stored in 8 bits; the bits of those compressed are the stored ones. Medium and large were trained once more for it, and a GPU does not " +
				"repeat itself: the models that were compressed had 79.18 and 76.79 as trained.",
			Columns: []Column{{"perplexity", Tested, 2}, {"bits, M", Megabits, 2}, {"times smaller", Ratio, 1}},
			Rows:    lmCompressedRows(),
		},
		{
			ID:    "lm-light",
			Title: "Beyond the paper: guidance with a lighter hand",
			Note: "KD with pre-trained guidance, without the auto-encoder, the distance to the full embedding weighing 100 instead of the paper's 1000. The " +
				"numbers beside are the paper's with the auto-encoder.",
			Columns: []Column{{"perplexity", Tested, 2}, {"bits, M", Megabits, 2}},
			Rows: []Row{
				{"small, KD", []float64{107.77, 13.39}, lm("small/pdg100")},
				{"medium, KD", []float64{83.11, 17.75}, lm("medium/pdg100")},
				{"large, KD", []float64{77.72, 26.00}, lm("large/pdg100")},
			},
		},
	},
	Figures: []Figure{
		{
			ID: "kd-linear", Title: "K and D, linear composition", XLabel: "D", YLabel: "test perplexity",
			Note:   "Small, without guidance: the mean of the code embeddings and a linear map.",
			Curves: kdCurves("mean"),
		},
		{
			ID: "kd-lstm", Title: "K and D, LSTM composition", XLabel: "D", YLabel: "test perplexity",
			Note:   "Small, without guidance: an LSTM of width 500 over the D code embeddings.",
			Curves: kdCurves("lstm"),
		},
		{
			ID: "code-dim", Title: "width of the code embeddings", XLabel: "d'", YLabel: "test perplexity",
			Note:   "Small, K = D = 32, without guidance.",
			Curves: []Curve{widthCurve("linear", "mean"), widthCurve("LSTM", "lstm")},
		},
	},
}

// lm returns the names of language models' experiments.
func lm(names ...string) []string {
	all := make([]string, len(names))
	for i, name := range names {
		all[i] = "lm/" + name
	}
	return all
}

// kdCurves are one for each K, over D.
func kdCurves(f string) []Curve {
	var all []Curve
	for _, k := range sweptK {
		c := Curve{Label: fmt.Sprintf("K = %d", k)}
		for _, d := range sweptD {
			c.Points = append(c.Points, Point{float64(d), "lm/small/" + sweep(f, k, d, 300)})
		}
		all = append(all, c)
	}
	return all
}

// widthCurve is one over d'.
func widthCurve(label, f string) Curve {
	c := Curve{Label: label}
	for _, width := range sweptWidth {
		c.Points = append(c.Points, Point{float64(width), "lm/small/" + sweep(f, 32, 32, width)})
	}
	return c
}

// codingRows are those of the table of how codes are learned, by size.
func codingRows() []Row {
	var rows []Row
	for i, size := range []string{"small", "medium", "large"} {
		for _, m := range []struct {
			label, name string
			paper       [3]float64
		}{
			{"full embedding", "full", [3]float64{114.53, 83.38, 78.71}},
			{"random codes", "random", [3]float64{115.79, 104.12, 98.38}},
			{"pre-trained codes", "pretrained", [3]float64{107.95, 84.92, 80.69}},
			{"pre-trained codes of kd compress", "quantized", [3]float64{None, None, None}},
			{"KD, no guidance", "none", [3]float64{108.50, 89.03, 86.41}},
			{"KD, ODG", "odg", [3]float64{108.19, 85.50, 83.00}},
			{"KD, PDG without auto-encoder", "pdg", [3]float64{None, 83.71, None}},
			{"KD, PDG", "pdg-ae", [3]float64{107.77, 83.11, 77.72}},
		} {
			rows = append(rows, Row{size + ", " + m.label, []float64{m.paper[i]}, lm(size + "/" + m.name)})
		}
	}
	return rows
}

// lmCompressedRows are those of all sizes.
func lmCompressedRows() []Row {
	var rows []Row
	for _, size := range sizes {
		rows = append(rows, compressedRows(size, "lm/"+size+"/full-mean", lmShapes)...)
	}
	return rows
}
