package results

import (
	"fmt"
	"strings"
)

// Flags of experiments, added to those of their size.
const (
	flagsFull        = "--emb full"
	flagsPDG         = "--guide pdg --guide-from {embedding:lm/SIZE/full}"
	flagsAutoEncoder = flagsPDG + " --auto-encoder"
	flagsSX          = "--emb dpq"
	flagsVQ          = flagsSX + " --match vq"
)

// lmMethods are the experiments that there are in every size, by name.
var lmMethods = map[string]string{
	"full":       flagsFull,
	"none":       "",
	"pdg":        flagsPDG,
	"pdg-ae":     flagsAutoEncoder,
	"pdg100":     flagsPDG + " --guide-weight 100",
	"dpq":        flagsSX,
	"vq":         flagsVQ,
	"random":     "--emb random",
	"odg":        "--guide odg",
	"pretrained": "--emb codes --codes-from {codes:lm/SIZE/codes}",
	"quantized":  "--emb codes --codes-from {codes:lm/SIZE/codes-quantized}",
	"lowrank5":   "--emb lowrank --ratio 0.2",
	"lowrank10":  "--emb lowrank --ratio 0.1",
}

// lmExperiments are in the order in which they are worth running.
func lmExperiments() []Experiment {
	var l lmList
	l.methods("small", 3, "full", "none", "pdg", "pdg-ae", "pdg100")
	l.methods("medium", 3, "full", "none", "pdg-ae")
	l.methods("medium", 1, "pdg", "pdg100")
	l.methods("small", 3, "dpq", "vq")
	l.means("small", 10, 1, "full", flagsFull)
	l.means("small", 12, 1, "dpq", flagsSX)
	l.add("small", "pdg100-mean", 1, lmMethods["pdg100"]+" --decay 0.8 --average 1 --best")
	l.add("medium", "dpq-clip3", 1, flagsSX+" --clip 3")
	l.add("medium", "dpq-clip2", 1, flagsSX+" --clip 2")
	l.add("medium", "dpq-flat12", 1, flagsSX+" --clip 3 --flat 12 --decay 0.7")
	l.means("medium", 34, 4, "dpq", flagsSX+" --clip 3")
	l.means("medium", 26, 4, "full", flagsFull)
	kd := flagsAutoEncoder + " --decay 0.8 --epochs 26 --average 4 --best"
	l.add("medium", "pdg-ae-mean", 1, kd)
	l.add("medium", "pdg-ae-mean-by-mean", 1, strings.Replace(kd, "SIZE/full}", "SIZE/full-mean}", 1))
	l.methods("medium", 1, "dpq", "vq")
	l.methods("medium", 3, "random", "pretrained", "odg")
	l.methods("medium", 1, "lowrank5", "lowrank10")
	l.baselines()
	l.tricks()
	l.methods("large", 1, "full", "pdg-ae", "pdg", "pdg100", "dpq", "vq")
	l.add("large", "dpq-flat18", 1, flagsSX+" --flat 18 --epochs 31")
	l.means("large", 22, 3, "dpq", flagsSX)
	l.add("large", "pdg-ae-mean", 1, flagsAutoEncoder+" --decay 0.8 --epochs 26 --average 3 --best")
	l.means("large", 20, 3, "full", flagsFull+" --clip 5")
	l.add("large", "full-clip5", 1, flagsFull+" --clip 5")
	for _, size := range sizes {
		l = append(l, compressed("lm/"+size+"/full-mean", "--weights rank", "--data {data:ptb}", Experiment{Data: "ptb", Seeds: 1}, lmShapes)...)
	}
	l.sweeps("mean")
	l.sweeps("lstm")
	l.methods("small", 3, "random", "pretrained", "odg")
	l.methods("small", 1, "lowrank5", "lowrank10", "quantized")
	l.methods("medium", 1, "quantized")
	l.methods("large", 1, "none", "odg", "pretrained", "random", "lowrank5", "lowrank10", "quantized")
	return l
}

// sizes are those of the language model.
var sizes = []string{"small", "medium", "large"}

// lmShapes are the codes that trained models are compressed to.
var lmShapes = []shape{{32, 32}, {32, 16}, {16, 16}}

// lmList is a list of experiments under way.
type lmList []Experiment

func (l *lmList) add(size, name string, seeds int, flags string) {
	command := joined("train lm --data {data:ptb} --size "+size, strings.ReplaceAll(flags, "SIZE", size))
	e := Experiment{Name: "lm/" + size + "/" + name, Command: command, Data: "ptb", Seeds: seeds}
	if size == "small" && quickMethods[name] {
		e.Quick = quickLM
	}
	*l = append(*l, e)
}

// methods adds those that every size has, and the codes that they need.
func (l *lmList) methods(size string, seeds int, names ...string) {
	for _, name := range names {
		if made, ok := lmCodes[name]; ok {
			*l = append(*l, made.of(size, seeds))
		}
		l.add(size, name, seeds, lmMethods[name])
	}
}

// means adds a method by the mean of its weights. The rate does not decay: the
// mean does what that is for.
func (l *lmList) means(size string, epochs, average int, name, flags string) {
	l.add(size, name+"-mean", 1, fmt.Sprintf("%s --flat %[2]d --epochs %[2]d --average %[3]d --best", flags, epochs, average))
}

// baselines adds scalar and product quantization, and characters.
func (l *lmList) baselines() {
	for _, bits := range []int{8, 6, 4} {
		l.add("medium", fmt.Sprintf("scalar%d", bits), 1, fmt.Sprintf("--emb scalar --bits %d", bits))
	}
	for _, k := range []int{64, 128, 256} {
		l.add("medium", fmt.Sprintf("product%d", k), 1, fmt.Sprintf("--emb product --vectors-from {embedding:lm/SIZE/full} -K %d -D 325", k))
	}
	l.add("medium", "chars", 1, "--emb chars")
}

// tricks adds ways to learn codes without guidance.
func (l *lmList) tricks() {
	l.add("medium", "soft", 1, "--relax soft")
	l.add("medium", "temperature", 1, "--temperature exp:1,1327,0.9,0.1") // an epoch has 1,327 steps
	for _, weight := range []string{"1e-4", "1e-3", "1e-2", "1e-1", "1"} {
		l.add("medium", "entropy-"+weight, 1, "--entropy "+weight)
	}
	l.add("medium", "gumbel", 1, "--relax gumbel")
}

// sweeps adds what the figures of a composition vary.
func (l *lmList) sweeps(f string) {
	known := map[string]bool{"none": true}
	vary := func(k, d, width int) {
		if name := sweep(f, k, d, width); !known[name] {
			known[name] = true
			l.add("small", name, 1, sweepFlags(f, k, d, width))
		}
	}
	for _, k := range sweptK {
		for _, d := range sweptD {
			vary(k, d, 300)
		}
	}
	for _, width := range sweptWidth {
		vary(32, 32, width)
	}
}

// lmCodes make the codes that are fixed then, of the trained full embedding, by
// the method that takes them.
var lmCodes = map[string]Experiment{
	"pretrained": {Name: "codes", Command: "train codes --vectors {embedding:lm/SIZE/full} -K 32 -D 32"},
	"quantized":  {Name: "codes-quantized", Command: "compress {embedding:lm/SIZE/full} -K 32 -D 32 --dtype float32"},
}

// of returns an experiment that makes codes, in a size.
func (e Experiment) of(size string, seeds int) Experiment {
	return Experiment{Name: "lm/" + size + "/" + e.Name, Command: strings.ReplaceAll(e.Command, "SIZE", size), Data: "ptb", Seeds: seeds}
}

// A quick run is of the small model, on part of the corpus.
const quickLM = "--epochs 2 --flat 1"

var quickMethods = map[string]bool{"full": true, "none": true, "pdg": true, "pdg-ae": true, "dpq": true, "random": true, "odg": true, "lowrank10": true}

// What the paper's figures vary.
var (
	sweptK     = []int{2, 8, 32, 128}
	sweptD     = []int{8, 16, 32, 64}
	sweptWidth = []int{25, 50, 100, 300, 600}
)

// sweep names an experiment of the figures. One of them is that of the tables.
func sweep(f string, k, d, width int) string {
	if f == "mean" && k == 32 && d == 32 && width == 300 {
		return "none"
	}
	return fmt.Sprintf("%s-k%d-d%d-w%d", f, k, d, width)
}

func sweepFlags(f string, k, d, width int) string {
	flags := fmt.Sprintf("-K %d -D %d --code-dim %d", k, d, width)
	if f != "mean" {
		flags += " --compose " + f
	}
	return flags
}
