package main

import (
	"fmt"
	"math/rand/v2"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
)

// An operation is a graph to measure.
type operation struct {
	name  string
	shape string
	unit  string  // GFLOP/s or GB/s; none is no rate
	work  float64 // in a run: operations on floats, or bytes
	build func(inputs []*Node) *Node
	feeds func(r *rand.Rand) []*tensors.Tensor
}

const (
	gigaflops = "GFLOP/s"
	gigabytes = "GB/s"
)

// operations are those of the table, for so many elements.
func operations(elements int) []operation {
	var list []operation
	for _, shape := range [][3]int{{1024, 1024, 1024}, {2048, 2048, 2048}, {20, 200, 800}, {20, 650, 2600}, {400, 200, 10000}} {
		list = append(list, product(shape[0], shape[1], shape[2]))
	}
	list = append(list, transposedProduct(400, 10000, 200), batchedProduct(32, 128, 64, 128))
	list = append(list,
		ofFloats("exp", elements, 1, func(x []*Node) *Node { return Exp(x[0]) }),
		ofFloats("log", elements, 1, func(x []*Node) *Node { return Log(x[0]) }),
		ofFloats("tanh", elements, 1, func(x []*Node) *Node { return Tanh(x[0]) }),
		ofFloats("sigmoid", elements, 1, func(x []*Node) *Node { return Sigmoid(x[0]) }),
		ofFloats("chain of 1", elements, 2, func(x []*Node) *Node { return Add(x[0], x[1]) }),
		ofFloats("chain of 4", elements, 2, func(x []*Node) *Node {
			return Mul(MaxScalar(AddScalar(Sub(x[0], x[1]), 0.25), 0), x[0])
		}),
	)
	list = append(list, softmaxes(400, 10000)...)
	columns := min(2500, elements)
	list = append(list, reductions(elements/columns, columns)...)
	list = append(list, rowOperations(10000, 200, 8192)...)
	return append(list, transposed(elements/columns, columns), oneHotProduct(10000, 200, 400), randomNumbers(elements))
}

func product(m, k, n int) operation {
	return operation{
		"product", fmt.Sprintf("%d×%d×%d", m, k, n), gigaflops, 2 * float64(m) * float64(k) * float64(n),
		func(x []*Node) *Node { return MatMul(x[0], x[1]) },
		func(r *rand.Rand) []*tensors.Tensor { return []*tensors.Tensor{floatsOf(r, m, k), floatsOf(r, k, n)} },
	}
}

// transposedProduct is that of a gradient: the right matrix is [n, k].
func transposedProduct(m, k, n int) operation {
	o := product(m, k, n)
	o.name = "product, right transposed"
	o.build = func(x []*Node) *Node { return MatMul(x[0], Transpose(x[1], 0, 1)) }
	o.feeds = func(r *rand.Rand) []*tensors.Tensor {
		return []*tensors.Tensor{floatsOf(r, m, k), floatsOf(r, n, k)}
	}
	return o
}

func batchedProduct(b, m, k, n int) operation {
	o := product(m, k, n)
	o.name, o.shape, o.work = "product, batched", fmt.Sprintf("%d of %s", b, o.shape), float64(b)*o.work
	o.feeds = func(r *rand.Rand) []*tensors.Tensor {
		return []*tensors.Tensor{floatsOf(r, b, m, k), floatsOf(r, b, k, n)}
	}
	return o
}

// ofFloats reads so many inputs of n floats, and writes one.
func ofFloats(name string, n, inputs int, build func(x []*Node) *Node) operation {
	return operation{name, grouped(int64(n)), gigabytes, float64(4 * (inputs + 1) * n), build, func(r *rand.Rand) []*tensors.Tensor {
		var list []*tensors.Tensor
		for range inputs {
			list = append(list, floatsOf(r, n))
		}
		return list
	}}
}

func softmaxes(rows, columns int) []operation {
	logits := func(r *rand.Rand) []*tensors.Tensor { return []*tensors.Tensor{floatsOf(r, rows, columns)} }
	weighted := func(r *rand.Rand) []*tensors.Tensor {
		return []*tensors.Tensor{floatsOf(r, rows, columns), floatsOf(r, rows, columns)}
	}
	shape, array := fmt.Sprintf("%d×%d", rows, columns), float64(4*rows*columns)
	gradient := func(f func(x *Node, axes ...int) *Node) func(x []*Node) *Node {
		return func(x []*Node) *Node { return Gradient(ReduceAllSum(Mul(f(x[0], -1), x[1])), x[0])[0] }
	}
	return []operation{
		{"softmax", shape, gigabytes, 2 * array, func(x []*Node) *Node { return Softmax(x[0], -1) }, logits},
		{"softmax, gradient", shape, gigabytes, 3 * array, gradient(Softmax), weighted},
		{"log-softmax", shape, gigabytes, 2 * array, func(x []*Node) *Node { return LogSoftmax(x[0], -1) }, logits},
		{"log-softmax, gradient", shape, gigabytes, 3 * array, gradient(LogSoftmax), weighted},
	}
}

func reductions(rows, columns int) []operation {
	feeds := func(r *rand.Rand) []*tensors.Tensor { return []*tensors.Tensor{floatsOf(r, rows, columns)} }
	shape, array := fmt.Sprintf("%d×%d", rows, columns), float64(4*rows*columns)
	return []operation{
		{"sum, first axis", shape, gigabytes, array, func(x []*Node) *Node { return ReduceSum(x[0], 0) }, feeds},
		{"sum, last axis", shape, gigabytes, array, func(x []*Node) *Node { return ReduceSum(x[0], 1) }, feeds},
		{"max, last axis", shape, gigabytes, array, func(x []*Node) *Node { return ReduceMax(x[0], 1) }, feeds},
		{"argmax, last axis", shape, gigabytes, array, func(x []*Node) *Node { return ArgMax(x[0], 1) }, feeds},
	}
}

// rowOperations gather and add count rows of a table of n rows of d floats.
func rowOperations(n, d, count int) []operation {
	shape, moved := fmt.Sprintf("%d of %d×%d", count, n, d), float64(4*count*d)
	return []operation{
		{"gather", shape, gigabytes, 2 * moved, func(x []*Node) *Node { return Gather(x[0], x[1]) }, func(r *rand.Rand) []*tensors.Tensor {
			return []*tensors.Tensor{floatsOf(r, n, d), idsOf(r, n, count, 1)}
		}},
		{"scatter-add", shape, gigabytes, float64(8*n*d) + 3*moved,
			func(x []*Node) *Node { return ScatterSum(x[0], x[1], x[2], false, false) },
			func(r *rand.Rand) []*tensors.Tensor {
				return []*tensors.Tensor{floatsOf(r, n, d), idsOf(r, n, count, 1), floatsOf(r, count, d)}
			}},
	}
}

func transposed(rows, columns int) operation {
	return operation{
		"transpose", fmt.Sprintf("%d×%d", rows, columns), gigabytes, float64(8 * rows * columns),
		func(x []*Node) *Node { return Transpose(x[0], 0, 1) },
		func(r *rand.Rand) []*tensors.Tensor { return []*tensors.Tensor{floatsOf(r, rows, columns)} },
	}
}

// oneHotProduct is a lookup of count rows, written as a product.
func oneHotProduct(n, d, count int) operation {
	return operation{
		"one-hot product", fmt.Sprintf("%d of %d×%d", count, n, d), gigabytes, float64(8 * count * d),
		func(x []*Node) *Node { return MatMul(OneHot(x[1], n, dtypes.Float32), x[0]) },
		func(r *rand.Rand) []*tensors.Tensor {
			return []*tensors.Tensor{floatsOf(r, n, d), idsOf(r, n, count)}
		},
	}
}

func randomNumbers(n int) operation {
	return operation{
		"random numbers", grouped(int64(n)), gigabytes, float64(4 * n),
		func(x []*Node) *Node {
			_, values := RandomUniform(x[0], shapes.Make(dtypes.Float32, n))
			return values
		},
		func(*rand.Rand) []*tensors.Tensor { return []*tensors.Tensor{tensors.FromValue([]uint64{1, 2, 3})} },
	}
}

// floatsOf returns random floats above 0 and below 1.
func floatsOf(r *rand.Rand, dimensions ...int) *tensors.Tensor {
	n := 1
	for _, d := range dimensions {
		n *= d
	}
	flat := make([]float32, n)
	for i := range flat {
		flat[i] = (float32(r.Uint32()>>8) + 0.5) * 0x1p-24
	}
	return tensors.FromFlatDataAndDimensions(flat, dimensions...)
}

// idsOf returns random ids below n.
func idsOf(r *rand.Rand, n int, dimensions ...int) *tensors.Tensor {
	ids := make([]int32, dimensions[0])
	for i := range ids {
		ids[i] = int32(r.IntN(n))
	}
	return tensors.FromFlatDataAndDimensions(ids, dimensions...)
}
