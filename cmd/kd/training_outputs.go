package main

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kdcode/kdcode/codefile"
	"github.com/kdcode/kdcode/vectors"
)

// trainingOutputs are what verbs that train write, and where.
type trainingOutputs struct {
	out         string // the model
	dtype       string
	checkpoints string // a folder
	resume      bool
	metrics     string
	plot        string
	embedding   string // --save-embedding
	json        bool
}

// flags gives cmd the flags of a verb that writes a trained model. The options'
// dtype is the default.
func (o *trainingOutputs) flags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVarP(&o.out, "out", "o", "", "`MODEL.kd`, the code file to write")
	f.StringVar(&o.dtype, "dtype", cmp.Or(o.dtype, string(codefile.Float16)), "`TYPE` of the code embeddings in MODEL: "+strings.Join(names(codefile.DTypes), ", "))
	f.StringVar(&o.checkpoints, "checkpoints", "", "`FOLDER` for checkpoints, removed when done (default MODEL.kd.checkpoints)")
	f.BoolVar(&o.resume, "resume", false, "go on from the last checkpoint of the same command")
	f.StringVar(&o.metrics, "metrics", "", "`FILE` for a line of JSON an epoch")
	f.StringVar(&o.plot, "plot", "", "draw the epochs to this `FILE`: .png or .svg")
	f.StringVar(&o.embedding, "save-embedding", "", "`FILE` for the trained vectors, in the format of its name: .txt is GloVe's")
	completeFlag(cmd, "dtype", names(codefile.DTypes)...)
	jsonFlag(cmd, &o.json)
}

func (o *trainingOutputs) check() error {
	if o.checkpoints == "" {
		o.checkpoints = o.out + ".checkpoints"
	}
	switch {
	case o.out == "":
		return usagef("-o MODEL.kd is missing")
	case o.out == "-":
		return usagef("a code file cannot go to standard output: name a file with -o")
	case !slices.Contains(names(codefile.DTypes), o.dtype):
		return usagef("--dtype %s: use one of %s", o.dtype, strings.Join(names(codefile.DTypes), ", "))
	case o.plot != "" && !slices.Contains(plotFormats, filepath.Ext(o.plot)):
		return usagef("--plot %s: give a name that ends in %s", o.plot, strings.Join(plotFormats, " or "))
	}
	if err := o.checkNames(); err != nil {
		return err
	}
	if o.embedding != "" {
		if format, _, ok := vectors.FormatOf(o.embedding); !ok || !format.HasSymbols() {
			return usagef("--save-embedding %s: give a name that ends in .txt, .vec or .bin, or in .gz after that", o.embedding)
		}
	}
	return nil
}

// checkNames refuses outputs of which one would replace another, and standard
// output, where the report goes.
func (o *trainingOutputs) checkNames() error {
	flags := map[string]string{} // by the file that they name
	for _, output := range []struct{ flag, path string }{
		{"-o", o.out}, {"--metrics", o.metrics}, {"--plot", o.plot}, {"--save-embedding", o.embedding}, {"--checkpoints", o.checkpoints},
	} {
		switch path := filepath.Clean(output.path); {
		case output.path == "":
			continue
		case output.path == "-":
			return usagef("%s cannot go to standard output: name a file", output.flag)
		case flags[path] != "":
			return usagef("%s and %s are both %s: give them names of their own", flags[path], output.flag, output.path)
		default:
			flags[path] = output.flag
		}
	}
	return nil
}

// canWrite makes sure, before long work, that all of it can be written, and
// that it replaces no input.
func (o *trainingOutputs) canWrite(inputs ...string) error {
	return canWrite(inputs, o.out, o.metrics, o.plot, o.embedding)
}
