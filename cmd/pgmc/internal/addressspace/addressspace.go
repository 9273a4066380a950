// Package addressspace ends the process with a message if the system limits its address space, as
// ulimit -v does, to less than pgmc can work with. Go's runtime would end it with a stack, in the
// middle of a query or before main begins.
//
// The check is made while the program's packages are initialised. This one imports only package
// syscall, so that it is among the first. Below some 760 MiB, and between 1,170 and 1,270 MiB,
// where another reservation of the runtime fits and nothing after it, the runtime ends before it
// initialises any package. So does a program that prints one word, below 700 MiB and between 1,110
// and 1,190 MiB. Up to 1 GiB the threads of the C library, if the program is linked with it, may
// find no room for their stacks first. A constructor in C would be earlier still, but the linking
// that it needs adds 14 MB to the memory of every command.
package addressspace

// Reserved is the address space that Go's runtime and the threads of the C library take beside
// the memory in use, with room for stacks. Of 12 queries each of the network barley, 3 crashed with
// a limit of 1.7 and of 1.8 million KiB, and none with 2 million.
const Reserved = 2 << 30

// Least is the memory that a command needs for itself.
const Least = 64 << 20

func init() {
	if limit := Limit(); limit > 0 && limit < Reserved+Least {
		leave("pgmc: the system limits the address space of the process to " + mebibytes(limit) +
			"; want " + mebibytes(Reserved+Least) + " or more (ulimit -v), and --max-mem to bound the memory\n")
	}
}

// mebibytes returns a size as text. It does without package fmt, which is initialised later.
func mebibytes(size int64) string {
	var digits [20]byte
	at := len(digits)
	for n := size >> 20; n > 0 || at == len(digits); n /= 10 {
		at--
		digits[at] = byte('0' + n%10)
	}
	return string(digits[at:]) + " MiB"
}
