package main

import (
	"errors"
	"strconv"

	"github.com/spf13/pflag"
)

// wantedBy says what a flag of a type takes.
var wantedBy = map[string]string{
	"int": "a whole number", "uint64": "a whole number from 0 up", "float64": "a number", "bool": "true or false",
	"intSlice": "whole numbers, with commas between", "duration": "a time, such as 30s",
}

// flagError is the error of a command line that cannot be read: of a value, what
// to give instead, rather than how it was parsed.
func flagError(err error) error {
	var invalid *pflag.InvalidValueError
	if !errors.As(err, &invalid) {
		return usageError{err}
	}
	flag, value, cause := invalid.GetFlag(), invalid.GetValue(), invalid.Unwrap()
	var number *strconv.NumError
	if want := wantedBy[flag.Value.Type()]; want != "" && (errors.As(cause, &number) || flag.Value.Type() == "duration") {
		return usagef("--%s %s: give %s", flag.Name, value, want)
	}
	return usagef("--%s %s: %w", flag.Name, value, cause)
}
