package main

// isFinite reports whether a number is one, and not infinite: JSON, in which
// settings are kept, has no others.
func isFinite[T float32 | float64](x T) bool { return x-x == 0 }

// positive reports whether a number is finite and above 0.
func positive(x float64) bool { return isFinite(x) && x > 0 }

// fromZero reports whether a number is finite and not below 0.
func fromZero(x float64) bool { return isFinite(x) && x >= 0 }
