//go:build linux || darwin

package cli

import (
	"math"
	"syscall"
)

// addressSpace returns the limit of the process's address space in bytes, or 0 if there is none.
func addressSpace() int64 {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_AS, &limit); err != nil || limit.Cur > math.MaxInt64 {
		return 0
	}
	return int64(limit.Cur)
}
