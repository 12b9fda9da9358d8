package serve

import (
	"context"
	"encoding/json"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/kdcode/kdcode"
)

// TestProject compares with the principal components that gonum finds by a
// singular value decomposition.
func TestProject(t *testing.T) {
	const n, d = 400, 30
	random := rand.New(rand.NewPCG(1, 2))
	rows := make([]float32, n*d)
	for i := range n {
		for j := range d {
			rows[i*d+j] = float32(random.NormFloat64() * (1 + 3*math.Exp(-float64(j))))
		}
	}
	unit := mat.NewDense(n, d, nil)
	for i := range n {
		length := 0.0
		for _, x := range rows[i*d:][:d] {
			length += float64(x) * float64(x)
		}
		for j, x := range rows[i*d:][:d] {
			unit.Set(i, j, float64(x)/math.Sqrt(length))
		}
	}
	var pc stat.PC
	if !pc.PrincipalComponents(unit, nil) {
		t.Fatal("no principal components")
	}
	variances := pc.VarsTo(nil)
	total := 0.0
	for _, v := range variances {
		total += v
	}
	var axes mat.Dense
	pc.VectorsTo(&axes)
	var want mat.Dense
	want.Mul(unit, axes.Slice(0, d, 0, 2))

	x, y, explained, err := project(t.Context(), rows, d)
	if err != nil {
		t.Fatal(err)
	}
	for a, got := range [][]float64{x, y} {
		if math.Abs(explained[a]-variances[a]/total) > 1e-4 {
			t.Errorf("axis %d explains %g instead of %g", a, explained[a], variances[a]/total)
		}
		column := mat.Col(nil, a, &want)
		if r := math.Abs(stat.Correlation(got, column, nil)); r < 0.9999 {
			t.Errorf("axis %d: correlation %g", a, r)
		}
		if least, most := slices.Min(got), slices.Max(got); least < -1 || most > 1 {
			t.Errorf("axis %d: from %g to %g", a, least, most)
		}
	}
}

// TestProjectOdd: tables that have no two directions still have a map.
func TestProjectOdd(t *testing.T) {
	nan := float32(math.NaN())
	for name, test := range map[string]struct {
		rows []float32
		d    int
	}{
		"one row": {[]float32{1, 2, 3}, 3}, "equal rows": {[]float32{1, 2, 1, 2, 1, 2}, 2}, "width 1": {[]float32{1, -2, 3}, 1},
		"zeros": {make([]float32, 12), 3}, "not finite": {[]float32{nan, 1, 2, 3, 4, 5}, 2}, "no rows": {nil, 5},
	} {
		x, y, explained, err := project(t.Context(), slices.Clone(test.rows), test.d)
		if err != nil || len(x) != len(test.rows)/test.d || len(y) != len(x) {
			t.Errorf("%s: %v %v %v", name, x, y, err)
		}
		for _, v := range slices.Concat(x, y, explained[:]) {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				t.Errorf("%s: %v %v %v", name, x, y, explained)
			}
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, _, err := project(ctx, make([]float32, 10), 5); err == nil {
		t.Error("goes on after its context has ended")
	}
}

func TestMap(t *testing.T) {
	all := sources(t)
	table, err := kdcode.Open(all[0].Path)
	if err != nil {
		t.Fatal(err)
	}
	defer table.Close()
	m, err := NewMap(t.Context(), table, 5)
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	all[0].Map, err = ReadMap(strings.NewReader(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	s := newServer(t, all, Options{MapSize: 3})
	var given, computed mapAnswer
	if err := json.Unmarshal(get(t, s, "/v1/tables/t/map?digits=2,0").body, &given); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(get(t, s, "/v1/tables/ids/map").body, &computed); err != nil {
		t.Fatal(err)
	}
	if len(given.IDs) != 5 || !slices.Equal(given.X, m.X) || !slices.Equal(given.Symbols, m.Symbols) || len(computed.IDs) != 3 || len(computed.Symbols) != 0 {
		t.Errorf("%+v, %+v", given.Map, computed.Map)
	}
	if len(given.Digits) != 2 || given.Digits[0].Digit != 2 || !slices.Equal(given.Digits[0].Values, []uint16{0, 1, 2, 0, 1}) || !slices.Equal(given.Digits[1].Values, []uint16{3, 3, 3, 3, 3}) {
		t.Errorf("%+v", given.Digits)
	}
	for _, bad := range []string{"", "{}", "nonsense", `{"ids":[1,2],"x":[1],"y":[1]}`} {
		if _, err := ReadMap(strings.NewReader(bad)); err == nil || !strings.Contains(err.Error(), "kd map") {
			t.Errorf("%q: %v", bad, err)
		}
	}
}
