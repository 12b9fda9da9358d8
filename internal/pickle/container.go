package pickle

import "slices"

func (m *machine) tupleOf(n int) error {
	if len(m.stack)-m.floor() < n {
		return m.failf("a value is missing: the file is damaged; download it again")
	}
	at := len(m.stack) - n
	t := tuple(slices.Clone(m.stack[at:]))
	m.stack = m.stack[:at]
	return m.push(t)
}

func (m *machine) tupleToMark() error {
	values, err := m.popMark()
	if err != nil {
		return err
	}
	return m.push(tuple(slices.Clone(values)))
}

func (m *machine) listToMark() error {
	values, err := m.popMark()
	if err != nil {
		return err
	}
	return m.push(&list{slices.Clone(values)})
}

func (m *machine) appendOne() error {
	v, err := m.pop()
	if err != nil {
		return err
	}
	return m.appendTo(v)
}

func (m *machine) appendToMark() error {
	values, err := m.popMark()
	if err != nil {
		return err
	}
	return m.appendTo(values...)
}

// appendTo appends to the list on top of the stack, which stays there.
func (m *machine) appendTo(values ...any) error {
	top, err := m.pop()
	if err != nil {
		return err
	}
	l, ok := top.(*list)
	if !ok {
		return m.failf("appends to %s, not to a list", describe(top))
	}
	l.items = append(l.items, values...)
	return m.push(l)
}

func (m *machine) dictToMark() error {
	values, err := m.popMark()
	if err != nil {
		return err
	}
	d := &dict{}
	if err := m.setItems(d, values); err != nil {
		return err
	}
	return m.push(d)
}

func (m *machine) setOne() error {
	if err := m.tupleOf(2); err != nil {
		return err
	}
	pair, err := m.pop()
	if err != nil {
		return err
	}
	return m.setIn(pair.(tuple))
}

func (m *machine) setToMark() error {
	values, err := m.popMark()
	if err != nil {
		return err
	}
	return m.setIn(values)
}

// setIn sets items of the dictionary on top of the stack, which stays there.
func (m *machine) setIn(values []any) error {
	top, err := m.pop()
	if err != nil {
		return err
	}
	d, ok := top.(*dict)
	if !ok {
		return m.failf("sets an item of %s, not of a dictionary", describe(top))
	}
	if err := m.setItems(d, values); err != nil {
		return err
	}
	return m.push(d)
}

// setItems sets pairs of a key and a value. Of equal keys the last one counts,
// for those who read the dictionary.
func (m *machine) setItems(d *dict, values []any) error {
	if len(values)%2 != 0 {
		return m.failf("a key without a value: the file is damaged; download it again")
	}
	for i := 0; i < len(values); i += 2 {
		d.keys = append(d.keys, values[i])
		d.values = append(d.values, values[i+1])
	}
	return nil
}
