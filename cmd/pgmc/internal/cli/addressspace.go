package cli

import (
	"fmt"

	"github.com/pgmc-go/pgmc/compiler"
)

// reservedSpace is the address space that Go's runtime and the threads of the C library take beside
// the memory in use, with room for stacks. Of 12 queries each of the network barley, 3 crashed with
// a limit of 1.7 and of 1.8 million KiB, and none with 2 million.
const reservedSpace = 2 << 30

// CheckAddressSpace returns an error if the system limits the address space of the process, as
// ulimit -v does, to less than pgmc can work with: Go's runtime would end the process without a
// message of ours, as it does before main under some limits, where nothing can be done. If the
// limit leaves less than --max-mem, it lowers the default of that.
func (a *App) CheckAddressSpace() error { return a.checkAddressSpace(addressSpace()) }

// checkAddressSpace is CheckAddressSpace for a limit in bytes; 0 is none.
func (a *App) checkAddressSpace(limit int64) error {
	switch left := limit - reservedSpace; {
	case limit == 0 || left >= int64(a.MaxMem):
		return nil
	case left < leastMemory:
		return fmt.Errorf("the system limits the address space of the process to %s; want %s or more (ulimit -v), and --max-mem to bound the memory",
			compiler.Bytes(float64(limit)), compiler.Bytes(float64(reservedSpace+leastMemory)))
	default:
		a.MaxMem = ByteSize(left)
		return nil
	}
}
