package gemm

import "fmt"

// Matrix is a view: element (i, j) lies at Data[i*RowStride+j*ColStride].
type Matrix struct {
	Data                 []float32
	Rows, Cols           int
	RowStride, ColStride int
}

// part returns the part in these rows and columns, none of them empty.
func (m Matrix) part(rows, cols span) Matrix {
	m.Data = m.Data[rows.from*m.RowStride+cols.from*m.ColStride:]
	m.Rows, m.Cols = rows.len(), cols.len()
	return m
}

func (m Matrix) cols(cols span) Matrix { return m.part(span{0, m.Rows}, cols) }

func (m Matrix) empty() bool { return m.Rows == 0 || m.Cols == 0 }

// check panics where the matrix has elements outside its data.
func (m Matrix) check(name string) {
	if m.Rows < 0 || m.Cols < 0 || m.RowStride < 0 || m.ColStride < 0 {
		panic(fmt.Sprintf("gemm: %s is %d×%d with strides %d, %d: none may be negative", name, m.Rows, m.Cols, m.RowStride, m.ColStride))
	}
	if m.empty() {
		return
	}
	if last := (m.Rows-1)*m.RowStride + (m.Cols-1)*m.ColStride; last >= len(m.Data) {
		panic(fmt.Sprintf("gemm: %s is %d×%d with strides %d, %d, its data only %d floats", name, m.Rows, m.Cols, m.RowStride, m.ColStride, len(m.Data)))
	}
}

// checkShapes panics unless dst = a·b is a product of matrices.
func checkShapes(dst, a Matrix, rows, cols int) {
	if a.Cols != rows || dst.Rows != a.Rows || dst.Cols != cols {
		panic(fmt.Sprintf("gemm: a product of %d×%d and %d×%d is not %d×%d", a.Rows, a.Cols, rows, cols, dst.Rows, dst.Cols))
	}
	if dst.ColStride != 1 && dst.Cols > 1 {
		panic("gemm: the columns of dst are not contiguous")
	}
	if dst.RowStride < dst.Cols && dst.Rows > 1 {
		panic("gemm: the rows of dst overlap")
	}
}

// clearRows zeroes dst, which a product of depth 0 does.
func clearRows(dst Matrix) {
	for i := range dst.Rows {
		clear(dst.Data[i*dst.RowStride:][:dst.Cols])
	}
}
