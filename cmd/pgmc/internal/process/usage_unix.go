//go:build unix

package process

import (
	"os"
	"runtime"
	"syscall"
)

// PeakMemory returns the peak memory of an ended process, in bytes, or 0 if it is not known.
// Processes that it waited for count too; the result is that of the largest.
func PeakMemory(p *os.ProcessState) int64 {
	usage, ok := p.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	if runtime.GOOS == "darwin" || runtime.GOOS == "ios" {
		return int64(usage.Maxrss) // in bytes on these two, in KiB elsewhere
	}
	return int64(usage.Maxrss) << 10
}
