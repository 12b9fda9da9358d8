package additive

// String returns the name of the effort.
func (e Effort) String() string {
	if e < Fast || e > Best {
		return "no effort"
	}
	return [...]string{"fast", "normal", "best"}[e]
}
