package timing

import (
	"syscall"
	"time"
	"unsafe"
)

// Clock names the quantity that the clocks below measure.
const Clock = "CPU time"

// The ids of the clocks, from Linux's header time.h.
const (
	clockProcess = 2
	clockThread  = 3
)

// threadTime returns the CPU time of the calling thread. The goroutine must be locked to the
// thread.
func threadTime() time.Duration { return read(clockThread) }

// processTime returns the CPU time of all threads of the process together.
func processTime() time.Duration { return read(clockProcess) }

// read returns the time of a clock. It returns 0 if the clock cannot be read; a sample is then 0,
// and [Series.Add] drops it.
func read(clock uintptr) time.Duration {
	var t syscall.Timespec
	if _, _, errno := syscall.RawSyscall(syscall.SYS_CLOCK_GETTIME, clock, uintptr(unsafe.Pointer(&t)), 0); errno != 0 {
		return 0
	}
	return time.Duration(t.Nano())
}
