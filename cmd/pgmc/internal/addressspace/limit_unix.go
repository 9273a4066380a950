//go:build linux || darwin

package addressspace

import "syscall"

// Limit returns the limit of the process's address space in bytes, or 0 if there is none.
func Limit() int64 {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_AS, &limit); err != nil || limit.Cur > 1<<63-1 {
		return 0
	}
	return int64(limit.Cur)
}

// leave writes message to standard error and ends the process with exit code 1.
func leave(message string) {
	syscall.Write(2, []byte(message))
	syscall.Exit(1)
}
