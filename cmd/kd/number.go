package main

import "math"

// isFinite reports whether a number is one, and not infinite: JSON, in which
// settings are kept, has no others.
func isFinite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }

// positive reports whether a number is finite and above 0.
func positive(x float64) bool { return isFinite(x) && x > 0 }

// fromZero reports whether a number is finite and not below 0.
func fromZero(x float64) bool { return isFinite(x) && x >= 0 }
