package hugepages

import (
	"bytes"
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"
	"unsafe"
)

func TestAdvise(t *testing.T) {
	Advise[float32](nil)
	Advise(make([]byte, 100))
	odd := make([]byte, smallest+12345)[7:]
	Advise(odd)
	for i := range odd {
		odd[i] = byte(i)
	}
	for i := range odd {
		if odd[i] != byte(i) {
			t.Fatalf("byte %d is %d", i, odd[i])
		}
	}
}

// TestAdvised looks up what the system has noted of the memory.
func TestAdvised(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("large pages are asked for on Linux alone")
	}
	memory := make([]float32, 16<<20)
	Advise(memory)
	smaps, err := os.ReadFile("/proc/self/smaps")
	if err != nil {
		t.Skip(err)
	}
	middle := uintptr(unsafe.Pointer(&memory[len(memory)/2]))
	in := false
	for line := range bytes.Lines(smaps) {
		var from, to uintptr
		if n, _ := fmt.Sscanf(string(line), "%x-%x ", &from, &to); n == 2 {
			in = from <= middle && middle < to
		}
		if flags, ok := strings.CutPrefix(string(line), "VmFlags:"); ok && in {
			if !strings.Contains(flags, " hg") {
				t.Skipf("the system has not noted it: %s", flags)
			}
			return
		}
	}
	t.Skip("the system does not say")
}
