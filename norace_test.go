//go:build !race

package kdcode_test

const raceEnabled = false
