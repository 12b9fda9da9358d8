package kernel

// A level is an instruction set that kernels are written for. A higher one
// includes the lower ones.
type level uint8

const (
	portable level = iota
	avx2
	avx512 // as package simd has it
	vbmi   // with byte permutations
)

var levelNames = [...]string{portable: "portable", avx2: "avx2", avx512: "avx512", vbmi: "vbmi"}

func (l level) String() string { return levelNames[l] }

// active is the level in use. Only tests change it.
var active = supported()
