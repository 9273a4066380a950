//go:build unix

package process

import (
	"os"
	"runtime"
	"syscall"
)

// PeakMemory is the most memory that a process that has ended, or one of those it waited for, had
// at a time, in bytes; 0 where that is not known.
func PeakMemory(p *os.ProcessState) int64 {
	usage, ok := p.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	if runtime.GOOS == "darwin" || runtime.GOOS == "ios" {
		return int64(usage.Maxrss) // there in bytes, elsewhere in KiB
	}
	return int64(usage.Maxrss) << 10
}
