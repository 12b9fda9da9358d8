package kernel

// Panel is the number of columns of a panel.
const Panel = 32

// Panels returns how many panels n columns take.
func Panels(n int) int { return (n + Panel - 1) / Panel }

// Pack lays the n rows of W out as panels for MatMul: column c of panel p is
// row 32p+c of W, or zeros past the last.
//
//	dst: [Panels(n), depth, 32], W: [n, stride]
func Pack(dst, W []float32, n, depth, stride int) {
	for p := range Panels(n) {
		panel := dst[p*depth*Panel:][:depth*Panel]
		for c := range Panel {
			if p*Panel+c >= n {
				for t := range depth {
					panel[t*Panel+c] = 0
				}
				continue
			}
			for t, x := range W[(p*Panel+c)*stride:][:depth] {
				panel[t*Panel+c] = x
			}
		}
	}
}

// MatMul multiplies rows of A with panels of columns:
//
//	c[i, n] = alpha · Σ_t a[i, t] · panels[n/32, t, n%32]
//
// for i < rows and all columns n of the panels; with add, it adds that to c.
// Rows of a begin lda floats apart, those of c ldc. It panics where a slice is
// too short.
func MatMul(c []float32, ldc int, a []float32, lda, rows int, panels []float32, depth int, alpha float32, add bool) {
	if rows == 0 || len(panels) == 0 {
		return
	}
	count := len(panels) / (depth * Panel)
	_ = c[(rows-1)*ldc+count*Panel-1]
	_ = a[(rows-1)*lda+depth-1]
	for p := range count {
		matMul(c[p*Panel:], ldc, a, lda, rows, panels[p*depth*Panel:][:depth*Panel], depth, alpha, add)
	}
}

// matMulPortable specifies MatMul for one panel.
func matMulPortable(c []float32, ldc int, a []float32, lda, rows int, panel []float32, depth int, alpha float32, add bool) {
	for i := range rows {
		var sum [Panel]float32
		for t, x := range a[i*lda:][:depth] {
			b := (*[Panel]float32)(panel[t*Panel:])
			for n := range sum {
				sum[n] += x * b[n]
			}
		}
		dst := (*[Panel]float32)(c[i*ldc:])
		for n := range sum {
			if add {
				dst[n] += alpha * sum[n]
			} else {
				dst[n] = alpha * sum[n]
			}
		}
	}
}
