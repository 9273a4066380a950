package timing

import (
	"syscall"
	"time"
	"unsafe"
)

// Clock names what the clocks below measure.
const Clock = "CPU time"

// The clocks of Linux, from its header time.h.
const (
	clockProcess = 2
	clockThread  = 3
)

// threadTime is the time that the calling thread has run; the goroutine must be locked to it.
func threadTime() time.Duration { return read(clockThread) }

// processTime is the time that all threads of the process have run together.
func processTime() time.Duration { return read(clockProcess) }

// read gives what a clock shows, and 0, which no sample survives, where it fails.
func read(clock uintptr) time.Duration {
	var t syscall.Timespec
	if _, _, errno := syscall.RawSyscall(syscall.SYS_CLOCK_GETTIME, clock, uintptr(unsafe.Pointer(&t)), 0); errno != 0 {
		return 0
	}
	return time.Duration(t.Nano())
}
