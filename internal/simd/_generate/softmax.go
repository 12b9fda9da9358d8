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
	var dst Register
	if stores {
		dst = Load(Param("dst"), GP64())
	}
	vectors := isa.lanes / 8
	used := 5 * vectors
	shift, acc := isa.regs[used], vec(isa.regs[used+1:][:vectors])
	address, _ := Param("shift").Resolve()
	VBROADCASTSS(address.Addr, shift)
	each(VXORPS, acc, acc, acc)
	c := newConstants(isa, used+1+vectors)
	lowest, one := c.register(expLowest), c.operand(1)
	e := newExponential(c)
	exp := func(v []vec) {
		x, p, n, shifted, r := v[0], v[1], v[2], v[3], v[4]
		each(VSUBPS, shift, x, x)
		each(VMAXPS, x, lowest, x)
		e.split(x, p, n, shifted, r)
		each(VADDPS, one, p, p)
		e.scale(p, n, shifted)
	}
	steps := []step{{x, 4}}
	if stores {
		steps = append(steps, step{dst, 4})
	}
	isa.stripsTogether("", n, steps, vectors, func(vectors int) {
		v := isa.variables(vectors, 5)
		for i, r := range v[0] {
			VMOVUPS(Mem{Base: x, Disp: i * isa.bytes()}, r)
		}
		exp(v)
		for i, p := range v[1] {
			if stores {
				VMOVUPS(p, Mem{Base: dst, Disp: i * isa.bytes()})
			}
			VADDPS(p, acc[i], acc[i])
		}
	}, func(mask Op) {
		v := isa.variables(1, 5)
		p := v[1][0]
		isa.loadTail(Mem{Base: x}, v[0][0], mask)
		exp(v)
		if stores {
			isa.storeTail(p, Mem{Base: dst}, mask)
		}
		if isa.lanes == 16 {
			VADDPS(p, acc[0], mask, acc[0])
		} else {
			VANDPS(mask, p, p)
			VADDPS(p, acc[0], acc[0])
		}
	})
	for i, a := range acc {
		VMOVAPS(a, isa.regs[i])
	}
	isa.fold(isa.regs[:vectors], addLanes)
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
	vectors := isa.lanes / 8
	used := 5 * vectors
	s := isa.regs[used]
	address, _ := Param("s").Resolve()
	VBROADCASTSS(address.Addr, s)
	exp := expMap(newConstants(isa, used+1))
	isa.stripsTogether("", n, []step{{dst, 4}, {y, 4}, {dy, 4}}, vectors, func(vectors int) {
		v := isa.variables(vectors, 5)
		for i, r := range v[0] {
			VMOVUPS(Mem{Base: y, Disp: i * isa.bytes()}, r)
		}
		exp(v)
		for i, r := range v[0] {
			VFNMADD213PS(Mem{Base: dy, Disp: i * isa.bytes()}, s, r)
			VMOVUPS(r, Mem{Base: dst, Disp: i * isa.bytes()})
		}
	}, func(mask Op) {
		v := isa.variables(1, 5)
		r, t := v[0][0], v[1][0]
		isa.loadTail(Mem{Base: y}, r, mask)
		exp(v)
		isa.loadTail(Mem{Base: dy}, t, mask)
		VFNMADD213PS(t, s, r)
		isa.storeTail(r, Mem{Base: dst}, mask)
	})
	VZEROUPPER()
	RET()
}
