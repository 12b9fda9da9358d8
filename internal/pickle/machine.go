package pickle

// maxDepth is how many containers may be open at a time. Planetoid's files open
// three.
const maxDepth = 64

// machine is Python's: a stack of values, marks in it, and a memo of values to
// be mentioned again.
type machine struct {
	data  []byte
	pos   int  // of the next byte
	at    int  // of the opcode under way
	op    byte // the opcode under way
	stack []any
	marks []int // heights of the stack
	memo  map[int]any
}

// The values on the stack, besides nil, bool, int64 and string: a string is
// bytes, as in Python 2.
type (
	tuple []any
	list  struct{ items []any }
	dict  struct{ keys, values []any }
)

// run returns the value that the pickle makes.
func (m *machine) run() (any, error) {
	for {
		m.at = m.pos
		if m.pos == len(m.data) {
			return nil, stated(m.ended())
		}
		m.op = m.data[m.pos]
		m.pos++
		if m.op == '.' {
			return m.stop()
		}
		do, ok := actions[m.op]
		switch {
		case !ok && m.at == 0:
			return nil, m.failf("the file does not begin like a pickle; check that it is one of Planetoid's")
		case !ok:
			return nil, m.failf("Planetoid's files do without it; write the file with pickle.dump(…, protocol=2)")
		}
		if err := do(m); err != nil {
			return nil, err
		}
	}
}

func (m *machine) stop() (any, error) {
	v, err := m.pop()
	switch {
	case err != nil:
		return nil, err
	case len(m.stack) > 0 || len(m.marks) > 0:
		return nil, m.failf("values are left over: the file is damaged; download it again")
	case m.pos < len(m.data):
		return nil, m.failf("%d more bytes follow the end: the file is damaged, or several in one; download it again", len(m.data)-m.pos)
	}
	return v, nil
}

func (m *machine) protocol() error {
	version, err := m.number(1)
	if err == nil && version > 2 {
		return m.failf("protocol %d: 0 to 2 can be read; write the file with pickle.dump(…, protocol=2)", version)
	}
	return err
}

func (m *machine) push(v any) error {
	m.stack = append(m.stack, v)
	return nil
}

// floor is the height of the stack that pop may not go below.
func (m *machine) floor() int {
	if len(m.marks) == 0 {
		return 0
	}
	return m.marks[len(m.marks)-1]
}

func (m *machine) pop() (any, error) {
	n := len(m.stack) - 1
	if n < m.floor() {
		return nil, m.failf("a value is missing: the file is damaged; download it again")
	}
	v := m.stack[n]
	m.stack = m.stack[:n]
	return v, nil
}

func (m *machine) mark() error {
	if len(m.marks) == maxDepth {
		return m.failf("more than %d values within one another: the file is not one of Planetoid's", maxDepth)
	}
	m.marks = append(m.marks, len(m.stack))
	return nil
}

// popMark removes the values above the last mark, and the mark. They are valid
// until the next push.
func (m *machine) popMark() ([]any, error) {
	if len(m.marks) == 0 {
		return nil, m.failf("no MARK before it: the file is damaged; download it again")
	}
	floor := m.floor()
	values := m.stack[floor:]
	m.stack, m.marks = m.stack[:floor], m.marks[:len(m.marks)-1]
	return values, nil
}

// remember keeps the last value under a number; the value stays on the stack.
func (m *machine) remember(n int, err error) error {
	if err != nil {
		return err
	}
	if len(m.stack) <= m.floor() {
		return m.failf("no value to remember: the file is damaged; download it again")
	}
	m.memo[n] = m.stack[len(m.stack)-1]
	return nil
}

func (m *machine) recall(n int, err error) error {
	if err != nil {
		return err
	}
	v, ok := m.memo[n]
	if !ok {
		return m.failf("nothing was remembered under %d: the file is damaged; download it again", n)
	}
	return m.push(v)
}
