// Package engine is a backend of GoMLX for CPUs, named "simd".
package engine
