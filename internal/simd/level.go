package simd

// A level is an instruction set that kernels are written for. A higher one
// includes the lower ones.
type level uint8

const (
	portable level = iota
	avx2
	avx512
)

var levelNames = [...]string{portable: "portable", avx2: "avx2", avx512: "avx512"}

func (l level) String() string { return levelNames[l] }

// Level returns the name of the instruction set in use: "avx512", "avx2" or
// "portable".
func Level() string { return current().String() }
