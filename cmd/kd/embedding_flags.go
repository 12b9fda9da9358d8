package main

import (
	"cmp"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kdcode/kdcode/learn"
)

// embeddingOptions are those of verbs that train an embedding layer: which
// layer, and its settings. The JSON of it is part of a checkpoint's settings.
type embeddingOptions struct {
	Kind string `json:"emb"`
	Dim  int    `json:"dim"`

	// Of layers with codes:
	Ways        int     `json:"ways"`
	CodeLength  int     `json:"code_length"`
	CodeDim     int     `json:"code_dim"`
	Compose     string  `json:"compose"`
	Hidden      int     `json:"hidden"`
	Relax       string  `json:"relax"`
	Temperature string  `json:"temperature"`
	Entropy     float64 `json:"entropy"`
	Shared      bool    `json:"shared"`
	DropDigits  float64 `json:"drop_digits"`
	NoNorms     bool    `json:"no_norms"`
	InitScale   float64 `json:"init_scale"`
	NormScale   float64 `json:"norm_scale"`
	Match       string  `json:"match"`

	// Of the others:
	Rank int `json:"rank"`
	Bits int `json:"bits"`

	// From elsewhere:
	CodesFrom   string  `json:"-"`
	VectorsFrom string  `json:"-"`
	Guide       string  `json:"guide"`
	GuideFrom   string  `json:"-"`
	GuideMix    float64 `json:"guide_mix"`
	GuideWeight float64 `json:"guide_weight"`
	AutoEncoder bool    `json:"auto_encoder"`

	temperature temperatureFlag
	lengths     map[string]int // defaults of D by kind; nil stands for lengthsByDefault
}

// Kinds of embedding layers, as --emb names them.
const (
	embKD      = "kd"
	embFull    = "full"
	embLowRank = "lowrank"
	embScalar  = "scalar"
	embDPQ     = "dpq"
	embRandom  = "random"
	embCodes   = "codes"
	embChars   = "chars"
	embProduct = "product"
)

var (
	embeddingKinds   = []string{embKD, embFull, embLowRank, embScalar, embDPQ, embRandom, embCodes, embChars, embProduct}
	composing        = []string{embKD, embRandom, embCodes, embChars} // all a learn.KD
	composeNames     = []string{learn.Mean.String(), learn.Sum.String(), learn.Concat.String(), learn.LSTM.String(), learn.PaperLSTM.String()}
	relaxationNames  = []string{learn.StraightThrough.String(), learn.Soft.String(), learn.Gumbel.String(), learn.Threshold.String()}
	matchNames       = []string{learn.SX.String(), learn.VQ.String()}
	guidanceKinds    = []string{guideNone, guideOnline, guidePretrained}
	lengthsByDefault = map[string]int{embChars: 10, embDPQ: 50, embProduct: 50} // where the verb's own does not suit
)

// Kinds of guidance, as --guide names them.
const (
	guideNone       = "none"
	guideOnline     = "odg"
	guidePretrained = "pdg"
)

// guideWeights are the weights of the paper's experiments.
var guideWeights = map[string]float64{guideOnline: 0.1, guidePretrained: 1000}

// flagsOf says which layers a flag is for. Those not here are for all.
var flagsOf = map[string][]string{
	"ways":         {embKD, embDPQ, embRandom, embProduct, embLowRank},
	"code-length":  {embKD, embDPQ, embRandom, embProduct, embChars, embLowRank},
	"code-dim":     composing,
	"compose":      composing,
	"hidden":       composing,
	"no-norms":     composing,
	"norm-scale":   composing,
	"drop-digits":  composing,
	"guide":        composing,
	"guide-from":   composing,
	"guide-mix":    composing,
	"guide-weight": composing,
	"auto-encoder": {embKD},
	"relax":        {embKD},
	"temperature":  {embKD},
	"entropy":      {embKD},
	"shared":       append([]string{embDPQ}, composing...),
	"match":        {embDPQ},
	"rank":         {embLowRank},
	"bits":         {embScalar},
	"codes-from":   {embCodes},
	"vectors-from": {embProduct},
}

// embeddingHelp says in a verb's help what --emb chooses from.
const embeddingHelp = `  --emb kd        codes learned by the task's own gradient: the paper's layer
  --emb full      an ordinary embedding
  --emb lowrank   of --rank; by default of as many bits as kd with the same -K and -D
  --emb scalar    --bits a number, trained to be
  --emb dpq       differentiable product quantization, later work of the same author
  --emb random    codes drawn at random, code embeddings learned
  --emb codes     codes of --codes-from FILE.kd, code embeddings learned
  --emb chars     the first -D characters of a word as its code
  --emb product   product quantization of --vectors-from, frozen`

// flags gives cmd the flags of a verb that trains an embedding layer. The
// options' Dim, Ways, CodeLength, DropDigits and NormScale are the defaults.
func (o *embeddingOptions) flags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&o.Kind, "emb", embKD, "`LAYER`: "+strings.Join(embeddingKinds, ", "))
	f.IntVar(&o.Dim, "dim", o.Dim, "`d`, the width of the embeddings")
	f.IntVarP(&o.Ways, "ways", "K", o.Ways, "`K`, the values that a digit can take")
	f.IntVarP(&o.CodeLength, "code-length", "D", o.CodeLength, "`D`, the digits of a code; unless given, 10 for chars, and 50 for dpq and product if that divides d")
	f.IntVar(&o.CodeDim, "code-dim", 0, "width `d'` of the code embeddings (default d, and d/D in --compose concat)")
	f.StringVar(&o.Compose, "compose", learn.Mean.String(), "`KIND` of composition: "+strings.Join(composeNames, ", "))
	f.IntVar(&o.Hidden, "hidden", 0, "width `h` of the LSTM in --compose lstm (default 500)")
	f.StringVar(&o.Relax, "relax", learn.StraightThrough.String(), "`KIND` of relaxation: "+strings.Join(relaxationNames, ", ")+" (for K = 2)")
	f.Var(&o.temperature, "temperature", "`T` of the softmax: a number, exp:INITIAL,STEPS,RATE[,LOWER], where T is multiplied by RATE every STEPS steps, or inverse:…, where it is INITIAL/(1+RATE·s) after s times STEPS (default 1)")
	f.Float64Var(&o.Entropy, "entropy", 0, "`WEIGHT` of the digits' entropy in the loss")
	f.BoolVar(&o.Shared, "shared", false, "one set of code embeddings for all digits")
	f.Float64Var(&o.DropDigits, "drop-digits", o.DropDigits, "probability `P` of dropping a digit in training")
	f.BoolVar(&o.NoNorms, "no-norms", false, "no batch norms of logits and embedding")
	f.Float64Var(&o.InitScale, "init-scale", 0.1, "initial values are uniform in -`S`…S")
	f.Float64Var(&o.NormScale, "norm-scale", cmp.Or(o.NormScale, 1), "spread `S` that embeddings with a batch norm start with")
	f.StringVar(&o.Match, "match", learn.SX.String(), "how dpq chooses: `KIND` "+strings.Join(matchNames, ", "))
	f.IntVar(&o.Rank, "rank", 0, "`RANK` of lowrank (default that of as many bits as kd)")
	f.IntVar(&o.Bits, "bits", 8, "`BITS` of a number in scalar: 2 to 8")
	f.StringVar(&o.CodesFrom, "codes-from", "", "code `FILE` of the codes of --emb codes, matched by symbol")
	f.StringVar(&o.VectorsFrom, "vectors-from", "", "`FILE` of the vectors that --emb product quantizes, matched by symbol")
	f.StringVar(&o.Guide, "guide", guideNone, "`KIND` of guidance: none, odg (online), pdg (by trained embeddings)")
	f.StringVar(&o.GuideFrom, "guide-from", "", "`FILE` of the vectors of --guide pdg, matched by symbol: a table or a code file")
	f.Float64Var(&o.GuideMix, "guide-mix", 0.5, "probability `P` of an embedding from codes in --guide odg")
	f.Float64Var(&o.GuideWeight, "guide-weight", 0, "`WEIGHT` of the distance to the guide (default 0.1 in odg, 1000 in pdg)")
	f.BoolVar(&o.AutoEncoder, "auto-encoder", false, "--guide pdg with the auto-encoder")
	for flag, values := range map[string][]string{
		"emb": embeddingKinds, "compose": composeNames, "relax": relaxationNames, "match": matchNames, "guide": guidanceKinds,
	} {
		completeFlag(cmd, flag, values...)
	}
}

// files returns the files that the layer is made from.
func (o *embeddingOptions) files() []string { return []string{o.CodesFrom, o.VectorsFrom, o.GuideFrom} }
