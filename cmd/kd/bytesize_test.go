package main

import "testing"

func TestByteSize(t *testing.T) {
	for _, test := range []struct {
		text string
		want int64
	}{
		{"1", 1}, {"80000", 80000}, {"500k", 500_000}, {"500 kB", 500_000}, {"2MB", 2_000_000}, {"1.5m", 1_500_000},
		{"3MiB", 3 << 20}, {"2GB", 2_000_000_000}, {"0.5gib", 1 << 29}, {"1T", 1e12}, {"7b", 7}, {"1e6", 1_000_000},
	} {
		var b byteSize
		if err := b.Set(test.text); err != nil || int64(b) != test.want {
			t.Errorf("%s: %d, %v instead of %d", test.text, b, err, test.want)
		}
	}
	for _, text := range []string{"", "MB", "2XB", "-3k", "0", "0.1", "nan", "inf", "1e99", "2 M B", "two", "2iB"} {
		var b byteSize
		if err := b.Set(text); err == nil {
			t.Errorf("%q was taken for %d bytes", text, b)
		}
	}
	for bytes, want := range map[byteSize]string{0: "", 1: "1", 2_000_000: "2MB", 8 << 20: "8MiB", 1536: "1536", 1500: "1500", 80_000: "80kB"} {
		got := bytes.String()
		var again byteSize
		if got != want || bytes > 0 && (again.Set(got) != nil || again != bytes) {
			t.Errorf("%d: %q, read as %d", int64(bytes), got, again)
		}
	}
}
