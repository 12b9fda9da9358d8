package additive

import (
	"bufio"
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"
)

// matrix is a Source in memory.
type matrix struct {
	data []float32
	d    int
}

func (m matrix) Len() int { return len(m.data) / m.d }
func (m matrix) Dim() int { return m.d }
func (m matrix) Rows(dst []float32, first, n int) error {
	copy(dst, m.data[first*m.d:(first+n)*m.d])
	return nil
}

// tableOf reads a table for measuring: that named by KDCODE_TABLE, GloVe text
// or .npy of float32, or else the sample of GloVe in the shared folder.
func tableOf(tb testing.TB) matrix {
	path := os.Getenv("KDCODE_TABLE")
	if path == "" {
		path = "../../../../shared/data/glove/glove.10k.100d.txt"
	}
	file, err := os.Open(path)
	if err != nil {
		tb.Skipf("no table to measure with: %v", err)
	}
	defer file.Close()
	if strings.HasSuffix(path, ".npy") {
		return readNpy(tb, path)
	}
	var m matrix
	for s := bufio.NewScanner(file); s.Scan(); {
		fields := strings.Fields(s.Text())[1:]
		m.d = len(fields)
		for _, f := range fields {
			x, err := strconv.ParseFloat(f, 32)
			if err != nil {
				tb.Fatal(err)
			}
			m.data = append(m.data, float32(x))
		}
	}
	return m
}

func readNpy(tb testing.TB, path string) matrix {
	raw, err := os.ReadFile(path)
	if err != nil {
		tb.Fatal(err)
	}
	end := 10 + int(binary.LittleEndian.Uint16(raw[8:]))
	_, shape, _ := strings.Cut(string(raw[10:end]), "'shape': (")
	_, width, _ := strings.Cut(shape, ", ")
	width, _, _ = strings.Cut(width, ")")
	d, err := strconv.Atoi(width)
	if err != nil {
		tb.Fatal(err)
	}
	m := matrix{make([]float32, (len(raw)-end)/4), d}
	for i := range m.data {
		m.data[i] = math.Float32frombits(binary.LittleEndian.Uint32(raw[end+4*i:]))
	}
	return m
}

// BenchmarkLearn is the bars of issue 3:
//
//	go test -run '^$' -bench Learn/fast -benchtime 1x ./quantize/internal/additive
func BenchmarkLearn(b *testing.B) {
	table := tableOf(b)
	for e, name := range []string{"fast", "normal", "best"} {
		b.Run(name, func(b *testing.B) {
			var result *Result
			for b.Loop() {
				var err error
				result, err = Learn(context.Background(), table, Params{K: 32, D: 32, Effort: Effort(e), Seed: 1, Progress: trace()})
				if err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(result.Error, "error")
		})
	}
}

// trace prints progress where KDCODE_TRACE is set.
func trace() func(Progress) {
	if os.Getenv("KDCODE_TRACE") == "" {
		return nil
	}
	begin := time.Now()
	return func(p Progress) {
		fmt.Fprintf(os.Stderr, "%6.2fs %s %d/%d %.5f\n", time.Since(begin).Seconds(), p.Phase, p.Round, p.Rounds, p.Error)
	}
}
