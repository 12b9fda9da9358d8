package gemm

// Mul computes dst = a·b, or dst += a·b with add. The columns of dst are
// contiguous; dst shares no memory with a or b.
func Mul(dst, a, b Matrix, add bool) {
	b.check("b")
	mul(dst, a, operand{Matrix: b}, add)
}

// MulPacked is Mul with a right-hand matrix that was packed before.
func MulPacked(dst, a Matrix, b Packed, add bool) {
	mul(dst, a, operand{Matrix: Matrix{Rows: b.rows, Cols: b.cols}, packed: b.data}, add)
}

func mul(dst, a Matrix, b operand, add bool) {
	dst.check("dst")
	a.check("a")
	checkShapes(dst, a, b.Rows, b.Cols)
	if dst.empty() {
		return
	}
	if a.Cols == 0 {
		if !add {
			clearRows(dst)
		}
		return
	}
	p := products.get()
	p.dst, p.a, p.b, p.add = dst, a, b, add
	p.mul()
	p.forget()
	products.put(p)
}
