package vectors

// Skip counts what was passed over in reading.
type Skip struct {
	Count int
	First string // where the first was, such as "glove.txt:17"
}

func (s *Skip) add(n int, place func() string) {
	if s.Count == 0 {
		s.First = place()
	}
	s.Count += n
}

// Skipped is what a Reader passed over so far.
type Skipped struct {
	Duplicates Skip // rows whose symbol an earlier row had
	Blanks     Skip // blank lines between rows
}
