//go:build amd64 && !purego

package pgmrt

import (
	"testing"
	"unsafe"
)

// vectorKernels lists the kernels that this processor can run.
func vectorKernels() map[string][2]func([]int32, []float64) {
	kernels := map[string][2]func([]int32, []float64){"Go": {laneSumsPlain, laneMaximaPlain}}
	if laneWidth >= 4 {
		kernels["AVX"] = [2]func([]int32, []float64){laneSums4, laneMaxima4}
	}
	if laneWidth == Lanes {
		kernels["AVX-512"] = [2]func([]int32, []float64){laneSums8, laneMaxima8}
	}
	return kernels
}

// kernelsOfTables lists the kernels of tables that this processor can run.
func kernelsOfTables() map[string]tableKernels {
	kernels := map[string]tableKernels{"Go": {laneProductsPlain, laneMatrixPlain, laneTopPlain, laneTimesPlain}}
	if laneWidth >= 4 {
		kernels["AVX"] = tableKernels{laneProducts4, laneMatrix4, laneTop4, laneTimes4}
	}
	if laneWidth == Lanes {
		kernels["AVX-512"] = tableKernels{laneProducts8, laneMatrix8, laneTop8, laneTimes8}
	}
	return kernels
}

// TestLaneWidth checks the width that follows from the answers of processors and operating systems,
// as their manuals define them.
func TestLaneWidth(t *testing.T) {
	for _, c := range []struct {
		name                  string
		leaf1, leaf7, control uint32
		want                  int
	}{
		{"nothing", 0, 0, 0, 1},
		{"AVX, not kept by the system", 0x18000000, 0, 1, 1},
		{"AVX without XGETBV", 0x10000000, 0, 7, 1},
		{"AVX", 0x18000000, 0, 7, 4},
		{"AVX-512, of which the system keeps half the registers", 0x18000000, 1 << 16, 7, 4},
		{"AVX-512", 0x18000000, 1 << 16, 0xe7, 8},
	} {
		if got := laneWidthOf(c.leaf1, c.leaf7, c.control); got != c.want {
			t.Errorf("%s: %d; want %d", c.name, got, c.want)
		}
	}
}

// TestNewLanesAligned checks that memory begins at an address aligned for vector loads.
func TestNewLanesAligned(t *testing.T) {
	for slots := 1; slots < 100; slots++ {
		l := NewLanes(slots)
		if at := uintptr(unsafe.Pointer(unsafe.SliceData(l))); at%64 != 0 || len(l) != Lanes*slots {
			t.Errorf("%d numbers at %#x; want %d at a multiple of 64", len(l), at, Lanes*slots)
		}
	}
}
