package simd

import (
	"fmt"
	"math"
	"testing"
)

// exactSoftmax returns softmax and its logarithm in float64, but for the
// differences to the largest float, which every level rounds.
func exactSoftmax(x []float32) (y, logY []float64) {
	most := maxPortable(x)
	var total float64
	for _, v := range x {
		total += math.Exp(float64(v - most))
	}
	for _, v := range x {
		logY = append(logY, float64(v-most)-math.Log(total))
		y = append(y, math.Exp(float64(v-most))/total)
	}
	return y, logY
}

// near fails unless got is want to about the rounding of sums of as many terms.
func near(tb testing.TB, what string, got []float32, want []float64, scale float64) {
	tb.Helper()
	for i := range got {
		tolerance := 0x1p-23 * (8 + math.Sqrt(float64(len(got)))) * (math.Abs(want[i]) + scale)
		if d := math.Abs(float64(got[i]) - want[i]); !(d <= tolerance) {
			tb.Fatalf("%s, n=%d: [%d] = %v, want %v", what, len(got), i, got[i], want[i])
		}
	}
}

func TestSoftmax(t *testing.T) {
	atLevels(t, func(t *testing.T) {
		r := random(16)
		for _, n := range lengths() {
			x := misaligned(r, n, n%16)
			for i := range x {
				x[i] *= 20
			}
			if n > 3 {
				x[2], x[3] = float32(math.Inf(-1)), -200
			}
			dy := misaligned(r, n, (n+3)%16)
			wantY, wantLogY := exactSoftmax(x)

			y, checkY := guarded(t, n, n%16)
			Softmax(y, x)
			checkY()
			near(t, "Softmax", y, wantY, 0x1p-126)
			if n > 3 && y[2] != 0 {
				t.Fatalf("softmax of -Inf is %v", y[2])
			}
			logY, checkLogY := guarded(t, n, (n+1)%16)
			LogSoftmax(logY, x)
			checkLogY()
			if n > 3 {
				if !math.IsInf(float64(logY[2]), -1) {
					t.Fatalf("log-softmax of -Inf is %v", logY[2])
				}
				logY[2], wantLogY[2] = -500, -500 // for near, and the gradient
			}
			near(t, "LogSoftmax", logY, wantLogY, 20)

			var inner, total, scale float64
			for i := range dy {
				inner += float64(y[i]) * float64(dy[i])
				total += float64(dy[i])
				scale += math.Abs(float64(dy[i]))
			}
			grad, logGrad := make([]float64, n), make([]float64, n)
			for i := range dy {
				grad[i] = float64(y[i]) * (float64(dy[i]) - inner)
				logGrad[i] = float64(dy[i]) - math.Exp(float64(logY[i]))*total
			}
			dx, checkDx := guarded(t, n, (n+2)%16)
			SoftmaxGrad(dx, y, dy)
			checkDx()
			near(t, "SoftmaxGrad", dx, grad, 1)
			LogSoftmaxGrad(dx, logY, dy)
			checkDx()
			near(t, "LogSoftmaxGrad", dx, logGrad, 1+scale)

			Softmax(x, x)
			near(t, "Softmax in place", x, wantY, 0x1p-126)
		}
	})
}

func TestLogSumExp(t *testing.T) {
	inf := float32(math.Inf(1))
	for _, c := range []struct {
		x    []float32
		want float32
	}{
		{nil, -inf}, {[]float32{-inf, -inf}, -inf}, {[]float32{3}, 3}, {[]float32{1000, 1000}, 1000 + math.Ln2},
	} {
		if got := LogSumExp(c.x); got != c.want {
			t.Errorf("LogSumExp(%v) = %v, want %v", c.x, got, c.want)
		}
	}
}

func BenchmarkSoftmax(b *testing.B) {
	for _, n := range []int{32, 200, 2048, 10_000} {
		x, dy := misaligned(random(1), n, 0), misaligned(random(2), n, 0)
		dst := make([]float32, n)
		for _, k := range []struct {
			name string
			run  func()
		}{
			{"Softmax", func() { Softmax(dst, x) }},
			{"LogSoftmax", func() { LogSoftmax(dst, x) }},
			{"SoftmaxGrad", func() { SoftmaxGrad(dst, x, dy) }},
			{"LogSoftmaxGrad", func() { LogSoftmaxGrad(dst, x, dy) }},
		} {
			for _, l := range levels() {
				b.Run(fmt.Sprintf("%s/n=%d/%v", k.name, n, l), func(b *testing.B) {
					setLevel(b, l)
					b.SetBytes(int64(8 * n))
					for b.Loop() {
						k.run()
					}
				})
			}
		}
	}
}
