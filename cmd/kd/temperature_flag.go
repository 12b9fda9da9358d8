package main

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/kdcode/kdcode/learn"
)

// temperatureFlag is a schedule of τ: a number, or a kind of fall with its
// numbers.
//
//	0.5
//	exp:INITIAL,STEPS,RATE[,LOWER]      τ = INITIAL · RATE^⌊step/STEPS⌋
//	inverse:INITIAL,STEPS,RATE[,LOWER]  τ = INITIAL / (1 + RATE·⌊step/STEPS⌋)
type temperatureFlag struct {
	text     string
	schedule learn.Temperature
}

// temperatureKinds are the schedules by the names that the flag takes.
var temperatureKinds = map[string]learn.TemperatureKind{"exp": learn.Exponential, "inverse": learn.InverseTime}

func (t *temperatureFlag) String() string { return t.text }

func (t *temperatureFlag) Type() string { return "T" }

// Set reads the flag.
func (t *temperatureFlag) Set(text string) error {
	kind, numbers, scheduled := strings.Cut(text, ":")
	if !scheduled {
		x, err := strconv.ParseFloat(text, 64)
		if err != nil || !positive(x) {
			return fmt.Errorf("give a number above 0, exp:INITIAL,STEPS,RATE[,LOWER] or inverse:INITIAL,STEPS,RATE[,LOWER]")
		}
		t.text, t.schedule = text, learn.Temperature{Initial: x}
		return nil
	}
	s := learn.Temperature{Kind: temperatureKinds[kind]}
	if s.Kind == learn.Constant {
		return fmt.Errorf("there is no schedule %q; use exp or inverse", kind)
	}
	parts := strings.Split(numbers, ",")
	if len(parts) != 3 && len(parts) != 4 {
		return fmt.Errorf("give %s:INITIAL,STEPS,RATE or %s:INITIAL,STEPS,RATE,LOWER", kind, kind)
	}
	var err error
	if s.Steps, err = strconv.Atoi(parts[1]); err != nil || s.Steps < 1 {
		return fmt.Errorf("STEPS is %q: give a whole number from 1 up", parts[1])
	}
	for i, name := range []string{"INITIAL", "", "RATE", "LOWER"}[:len(parts)] {
		if name == "" {
			continue
		}
		x, err := strconv.ParseFloat(parts[i], 64)
		if err != nil || !positive(x) {
			return fmt.Errorf("%s is %q: give a number above 0", name, parts[i])
		}
		*[]*float64{&s.Initial, nil, &s.Rate, &s.Lower}[i] = x
	}
	t.text, t.schedule = text, s
	return nil
}
