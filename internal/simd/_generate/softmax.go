package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// softmax writes the passes over a row that softmax, its logarithm and their
// gradients are made of.
func softmax() {
	for _, isa := range []isa{isa512, isa2} {
		expSumKernel(isa, true)
		expSumKernel(isa, false)
		softmaxGradKernel(isa)
		logSoftmaxGradKernel(isa)
	}
}

// expSumKernel adds up e^(x-shift), and stores it where it is told to.
func expSumKernel(isa isa, stores bool) {
	name, signature, doc := "sumExp", "func(x *float32, shift float32, n int) float32", []string{"\t\ts += exp(x[i] - shift)"}
	if stores {
		name, signature = "expSum", "func(dst, x *float32, shift float32, n int) float32"
		doc = []string{"\t\tdst[i] = exp(x[i] - shift)", "\t\ts += dst[i]"}
	}
	TEXT(name+isa.name, NOSPLIT, signature)
	Pragma("noescape")
	Doc(append(append([]string{name + isa.name + " is, for x[i] up to shift, and in another order,", "", "\tfor i := range n {"}, doc...), "\t}", "\treturn s")...)
	x := Load(Param("x"), GP64())
	n := Load(Param("n"), GP64())
	pointers := []Register{x}
	var dst Register
	if stores {
		dst = Load(Param("dst"), GP64())
		pointers = append(pointers, dst)
	}
	shift, acc := isa.regs[8], isa.regs[7]
	address, _ := Param("shift").Resolve()
	VBROADCASTSS(address.Addr, shift)
	isa.zero(acc)
	c := newConstants(isa)
	lowest, one := c.register(expLowest), c.operand(1)
	e := newExponential(c)
	r, p := isa.regs[0], isa.regs[1]
	exp := func() {
		n, shifted, scratch := isa.regs[2], isa.regs[3], isa.regs[4]
		VSUBPS(shift, r, r)
		VMAXPS(r, lowest, r)
		e.split(r, p, n, shifted, scratch)
		VADDPS(one, p, p)
		e.scale(p, n, shifted)
	}
	isa.strips("", n, pointers, 1, func(_, at int) {
		VMOVUPS(Mem{Base: x, Disp: at}, r)
		exp()
		if stores {
			VMOVUPS(p, Mem{Base: dst, Disp: at})
		}
		VADDPS(p, acc, acc)
	}, func(mask Op) {
		isa.loadTail(Mem{Base: x}, r, mask)
		exp()
		if stores {
			isa.storeTail(p, Mem{Base: dst}, mask)
		}
		if isa.lanes == 16 {
			VADDPS(p, acc, mask, acc)
		} else {
			VANDPS(mask, p, p)
			VADDPS(p, acc, acc)
		}
	})
	VMOVAPS(acc, isa.regs[0])
	isa.fold(isa.regs[:1], addLanes)
	storeFloat(X0)
	VZEROUPPER()
	RET()
}

func softmaxGradKernel(isa isa) {
	TEXT("softmaxGrad"+isa.name, NOSPLIT, "func(dst, y, dy *float32, s float32, n int)")
	Pragma("noescape")
	Doc("softmaxGrad"+isa.name+" is", "", "\tfor i := range n {", "\t\tdst[i] = y[i] * (dy[i] - s)", "\t}")
	dst := Load(Param("dst"), GP64())
	y := Load(Param("y"), GP64())
	dy := Load(Param("dy"), GP64())
	n := Load(Param("n"), GP64())
	s := isa.regs[8]
	address, _ := Param("s").Resolve()
	VBROADCASTSS(address.Addr, s)
	isa.strips("", n, []Register{dst, y, dy}, 4, func(v, at int) {
		r := isa.regs[v]
		VMOVUPS(Mem{Base: dy, Disp: at}, r)
		VSUBPS(s, r, r)
		VMULPS(Mem{Base: y, Disp: at}, r, r)
		VMOVUPS(r, Mem{Base: dst, Disp: at})
	}, func(mask Op) {
		r, t := isa.regs[0], isa.regs[1]
		isa.loadTail(Mem{Base: dy}, r, mask)
		isa.loadTail(Mem{Base: y}, t, mask)
		VSUBPS(s, r, r)
		VMULPS(t, r, r)
		isa.storeTail(r, Mem{Base: dst}, mask)
	})
	VZEROUPPER()
	RET()
}

func logSoftmaxGradKernel(isa isa) {
	TEXT("logSoftmaxGrad"+isa.name, NOSPLIT, "func(dst, y, dy *float32, s float32, n int)")
	Pragma("noescape")
	Doc("logSoftmaxGrad"+isa.name+" is", "", "\tfor i := range n {", "\t\tdst[i] = dy[i] - exp(y[i]) * s", "\t}")
	dst := Load(Param("dst"), GP64())
	y := Load(Param("y"), GP64())
	dy := Load(Param("dy"), GP64())
	n := Load(Param("n"), GP64())
	s := isa.regs[8]
	address, _ := Param("s").Resolve()
	VBROADCASTSS(address.Addr, s)
	exp := expMap(newConstants(isa))
	r, t := isa.regs[0], isa.regs[6]
	isa.strips("", n, []Register{dst, y, dy}, 1, func(_, at int) {
		VMOVUPS(Mem{Base: y, Disp: at}, r)
		exp(r)
		VFNMADD213PS(Mem{Base: dy, Disp: at}, s, r)
		VMOVUPS(r, Mem{Base: dst, Disp: at})
	}, func(mask Op) {
		isa.loadTail(Mem{Base: y}, r, mask)
		exp(r)
		isa.loadTail(Mem{Base: dy}, t, mask)
		VFNMADD213PS(t, s, r)
		isa.storeTail(r, Mem{Base: dst}, mask)
	})
	VZEROUPPER()
	RET()
}
