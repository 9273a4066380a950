package cli

import "github.com/pgmc-go/pgmc/cmd/pgmc/internal/addressspace"

// fitAddressSpace lowers --max-mem to the bytes that a limit of the process's address space leaves;
// 0 is no limit. Package addressspace has refused limits that leave less than leastMemory.
func (a *App) fitAddressSpace(limit int64) {
	if left := limit - addressspace.Reserved; limit > 0 && left < int64(a.MaxMem) {
		a.MaxMem = ByteSize(max(left, leastMemory))
	}
}
