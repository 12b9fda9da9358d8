package main

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// byteSize is a flag that takes a number of bytes: 2MB, 3MiB, 500k, 80000.
type byteSize int64

// byteUnits are the units that a byteSize is written in, in lower case.
var byteUnits = map[string]float64{
	"": 1, "b": 1,
	"k": 1e3, "kb": 1e3, "kib": 1 << 10,
	"m": 1e6, "mb": 1e6, "mib": 1 << 20,
	"g": 1e9, "gb": 1e9, "gib": 1 << 30,
	"t": 1e12, "tb": 1e12, "tib": 1 << 40,
}

// Set reads a number and its unit.
func (b *byteSize) Set(text string) error {
	number := strings.TrimRight(text, "bBkKmMgGtTiI ")
	unit, known := byteUnits[strings.ToLower(strings.TrimSpace(text[len(number):]))]
	x, err := strconv.ParseFloat(number, 64)
	bytes := math.Floor(x * unit)
	if err != nil || !known || !(bytes >= 1) || bytes > 1<<60 {
		return fmt.Errorf("give a number of bytes, such as 2MB, 3MiB or 500k")
	}
	*b = byteSize(bytes)
	return nil
}

// String is what Set reads, in the largest unit of which it is a whole number;
// none where the flag was not given.
func (b *byteSize) String() string {
	if *b == 0 {
		return ""
	}
	for _, unit := range []string{"TiB", "TB", "GiB", "GB", "MiB", "MB", "KiB", "kB"} {
		if size := byteSize(byteUnits[strings.ToLower(unit)]); *b%size == 0 {
			return strconv.FormatInt(int64(*b/size), 10) + unit
		}
	}
	return strconv.FormatInt(int64(*b), 10)
}

// Type is the flag's type in messages.
func (b *byteSize) Type() string { return "size" }
