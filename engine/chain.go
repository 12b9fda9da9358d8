package engine

import "github.com/kdcode/kdcode/internal/simd"

// link is an operation of a chain: on the value so far and y.
type link struct {
	op   simd.ZipOp
	swap bool // the value is the right operand
	y    ref
}

// join makes chains of operations on floats: one that reads the result of the
// instruction before it, which nobody else reads, continues that. A value then
// stays in a register of the processor. A pass over the block for each
// operation would leave the memory idle after the first.
func (w *lowering) join() {
	readers := make([]int, w.loop.registers)
	for k := range w.loop.code {
		for _, r := range w.loop.code[k].reads() {
			if r.register {
				readers[r.index]++
			}
		}
	}
	code := w.loop.code[:0]
	for _, i := range w.loop.code {
		if n := len(code); n > 0 && i.continues(&code[n-1]) && readers[code[n-1].dst.index] == 1 {
			code[n-1] = w.joined(code[n-1], i)
			continue
		}
		code = append(code, i)
	}
	w.loop.code = code
}

// continues reports whether an instruction may be a further link of the one
// before it, should nobody else read that one's result.
func (i *instruction) continues(before *instruction) bool {
	return i.isZip && (before.isZip || before.code == chain) && len(before.links) < simd.MaxLinks &&
		before.dst.register && before.dst.column == i.dst.column && (i.in[0] == before.dst || i.in[1] == before.dst)
}

// joined returns the two instructions as one.
func (w *lowering) joined(before, i instruction) instruction {
	value := before.dst
	if before.isZip {
		x := before.in[0]
		if w.single(x, before.dst.column) {
			x = before.in[1]
		}
		before = instruction{code: chain, in: [3]ref{x, {none: true}, {none: true}}, links: []link{before.linkOn(x)}}
	}
	before.dst, before.links = i.dst, append(before.links, i.linkOn(value))
	return before
}

// linkOn returns an operation as a link on one of its operands.
func (i *instruction) linkOn(value ref) link {
	if i.in[0] == value {
		return link{zips[i.op], false, i.in[1]}
	}
	return link{zips[i.op], true, i.in[0]}
}

// reads returns what an instruction reads.
func (i *instruction) reads() []*ref {
	var list []*ref
	for j := range i.in {
		if !i.in[j].none {
			list = append(list, &i.in[j])
		}
	}
	for j := range i.links {
		list = append(list, &i.links[j].y)
	}
	return list
}

// chain runs a chain on a block.
func (l *loop) chain(x *execution, f *frame, c *instruction, at position) {
	f.links = f.links[:0]
	for i := range c.links {
		k := &c.links[i]
		f.links = append(f.links, simd.Link{Op: k.op, Swap: k.swap, Y: as[float32](l.at(x, f, k.y, at))})
	}
	simd.Chain(as[float32](l.at(x, f, c.dst, at)), as[float32](l.at(x, f, c.in[0], at)), f.links)
}
