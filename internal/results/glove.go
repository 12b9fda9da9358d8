package results

// Glove is the paper's look at codes: few codes of many words, so that words must
// share them.
var Glove = &Suite{
	Name:  "glove",
	Title: "Codes of GloVe's words",

	QuickLines: 2000,
	Experiments: []Experiment{
		{
			Name: "glove/auto-encoder", Command: "train codes --vectors {data:glove/glove.10k.100d} -K 6 -D 4",
			Data: "glove/glove.10k.100d", Seeds: 1, Quick: "--epochs 20",
		},
		{
			Name: "glove/quantize", Command: "compress {data:glove/glove.10k.100d} -K 6 -D 4 --dtype float32",
			Data: "glove/glove.10k.100d", Seeds: 1, Quick: "--effort fast",
		},
	},
	Sharing: &Sharing{
		Title: "Table 7: words that share a code",
		Note: "10,000 words, K = 6, D = 4: 1,296 codes. The paper shows four neighbouring codes; for each, the code of ours that most of its words have. " +
			"Which digits a code has is chance. The auto-encoder is `kd train codes`, a dense layer to the code's logits trained by reconstruction; " +
			"quantize is `kd compress`.",
		Paper: []Group{
			{"3-1-0-3", []string{"up", "when", "over", "into", "time", "back", "off", "set", "left", "open", "half", "behind", "quickly", "starts"}},
			{"3-1-0-4", []string{"week", "tuesday", "wednesday", "monday", "thursday", "friday", "sunday", "saturday"}},
			{"3-1-0-5", []string{"by", "were", "after", "before", "while", "past", "ago", "close", "soon", "recently", "continued", "meanwhile"}},
			{"3-1-1-1", []string{"year", "month", "months", "record", "fall", "annual", "target", "cuts"}},
		},
		Of: []Method{{"auto-encoder", "glove/auto-encoder"}, {"quantize", "glove/quantize"}},
	},
}
