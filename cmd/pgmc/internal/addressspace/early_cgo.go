//go:build cgo && (linux || darwin)

package addressspace

/*
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

// The loader calls check before Go's runtime begins. wanted is in MiB, as the constants of Go.
__attribute__((constructor)) static void check(void) {
	const unsigned long long wanted = 2112;
	struct rlimit limit;
	if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur >= wanted << 20)
		return;
	dprintf(2, "pgmc: the system limits the address space of the process to %llu MiB; want %llu MiB or more (ulimit -v), and --max-mem to bound the memory\n",
		(unsigned long long)limit.rlim_cur >> 20, wanted);
	_exit(1);
}
*/
import "C"

// early reports that the check is made before Go's runtime begins.
const early = true
