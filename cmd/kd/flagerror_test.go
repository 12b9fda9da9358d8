package main

import (
	"strings"
	"testing"
)

// A value that a flag does not take is told with what it takes.
func TestFlagErrors(t *testing.T) {
	for args, want := range map[string]string{
		"train lm --seed -1":                   "--seed -1: give a whole number from 0 up",
		"train lm --seed 99999999999999999999": "--seed 99999999999999999999: give a whole number from 0 up",
		"train lm -K two":                      "--ways two: give a whole number",
		"train lm --rate fast":                 "--rate fast: give a number",
		"train lm --shared=perhaps":            "--shared perhaps: give true or false",
		"train lm --temperature hot":           "--temperature hot: give a number above 0, exp:INITIAL",
		"train lm --colour red":                "unknown flag: --colour",
		"compress x.txt --memory lots":         "--memory lots: ",
	} {
		r := kd(t, "", strings.Fields(args)...)
		r.want(t, exitUsage, "kd: "+want)
		if strings.Contains(r.stderr, "strconv") {
			t.Error(r.stderr)
		}
	}
}
