package learn

import (
	"encoding/binary"
	"slices"
	"testing"
)

func TestOccurrences(t *testing.T) {
	for _, c := range []struct {
		name     string
		ids      []int32
		round    int
		wantIDs  []int32
		weight   []float32
		position []int32
	}{
		{"none", nil, 1, []int32{0}, []float32{0}, nil},
		{"none, rounded", nil, 3, []int32{0, 0, 0}, []float32{0, 0, 0}, nil},
		{"padding alone", []int32{-1, -1}, 2, []int32{0, 0}, []float32{0, 0}, []int32{0, 0}},
		{"one", []int32{4}, 1, []int32{4}, []float32{1}, []int32{0}},
		{"repeated", []int32{4, 2, 4, 4}, 1, []int32{2, 4}, []float32{1, 3}, []int32{1, 0, 1, 1}},
		{"padding between", []int32{4, -1, 2, -1}, 1, []int32{2, 4}, []float32{1, 1}, []int32{1, 0, 0, 0}},
		{"rounded up", []int32{4, 2, 0}, 2, []int32{0, 2, 4, 0}, []float32{1, 1, 1, 0}, []int32{2, 1, 0}},
		{"round already", []int32{4, 2}, 2, []int32{2, 4}, []float32{1, 1}, []int32{1, 0}},
		{"no rounding", []int32{4, 2, 0}, 0, []int32{0, 2, 4}, []float32{1, 1, 1}, []int32{2, 1, 0}},
		{"the last", []int32{9, 0}, 1, []int32{0, 9}, []float32{1, 1}, []int32{1, 0}},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := Occurrences{IDs: []int32{7, 7}, Weight: []float32{7}, Position: []int32{7}} // of an earlier batch
			if err := o.Find(c.ids, 10, c.round); err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(o.IDs, c.wantIDs) || !slices.Equal(o.Weight, c.weight) || !slices.Equal(o.Position, c.position) {
				t.Errorf("%v, %v, %v, not %v, %v, %v", o.IDs, o.Weight, o.Position, c.wantIDs, c.weight, c.position)
			}
		})
	}
}

func TestOccurrencesOutOfRange(t *testing.T) {
	for _, c := range []struct {
		ids  []int32
		want string
	}{
		{[]int32{3, 10}, "learn: id 10 at place 1: there are 10 symbols"},
		{[]int32{-2}, "learn: id -2 at place 0: there are 10 symbols"},
		{[]int32{-1, 0, -2147483648}, "learn: id -2147483648 at place 2: there are 10 symbols"},
	} {
		var o Occurrences
		if err := o.Find(c.ids, 10, 1); err == nil || err.Error() != c.want {
			t.Errorf("%v: %v, not %q", c.ids, err, c.want)
		}
	}
}

// FuzzOccurrences checks that the symbols found are those given.
func FuzzOccurrences(f *testing.F) {
	f.Add([]byte{1, 0, 255, 255, 1, 0, 9, 0}, uint8(4))
	f.Add([]byte{}, uint8(0))
	f.Fuzz(func(t *testing.T, data []byte, round uint8) {
		const n = 300
		var ids []int32
		good := true
		for ; len(data) >= 2; data = data[2:] {
			id := int32(int16(binary.LittleEndian.Uint16(data)))
			ids = append(ids, id)
			good = good && id >= Padding && id < n
		}
		var o Occurrences
		if err := o.Find(ids, n, int(round)); (err == nil) != good {
			t.Fatalf("%v: %v", ids, err)
		}
		if !good {
			return
		}
		if len(o.IDs) == 0 || len(o.IDs) != len(o.Weight) || round > 0 && len(o.IDs)%int(round) != 0 || len(o.Position) != len(ids) {
			t.Fatalf("%d ids, %d weights, %d positions of %d, rounded to %d", len(o.IDs), len(o.Weight), len(o.Position), len(ids), round)
		}
		count := make([]float32, len(o.IDs))
		for i, id := range ids {
			if id == Padding {
				continue
			}
			if o.IDs[o.Position[i]] != id {
				t.Fatalf("place %d has %d, not %d", i, o.IDs[o.Position[i]], id)
			}
			count[o.Position[i]]++
		}
		if !slices.Equal(count, o.Weight) {
			t.Fatalf("weights %v, not %v", o.Weight, count)
		}
		for i, id := range o.IDs {
			switch {
			case o.Weight[i] == 0 && id != 0:
				t.Fatalf("padding is symbol %d", id)
			case i > 0 && o.Weight[i] != 0 && id <= o.IDs[i-1]:
				t.Fatalf("%v: not in increasing order", o.IDs)
			}
		}
	})
}
