//go:build linux

package addressspace

import (
	"fmt"
	"os"
	"os/exec"
	"testing"
)

// TestLimits runs this test's binary under limits of the address space, in KiB.
func TestLimits(t *testing.T) {
	const under = "ADDRESSSPACE_UNDER_LIMIT"
	if os.Getenv(under) != "" {
		return
	}
	for _, limit := range []int64{1_000_000, 1_500_000, 2_162_687} {
		c := exec.Command("sh", "-c", fmt.Sprintf(`ulimit -v %d; exec "$0" -test.run=TestLimits`, limit), os.Args[0])
		c.Env = append(os.Environ(), under+"=1")
		out, err := c.CombinedOutput()
		want := fmt.Sprintf("pgmc: the system limits the address space of the process to %d MiB; want %d MiB or more (ulimit -v), and --max-mem to bound the memory\n", limit>>10, (Reserved+Least)>>20)
		if string(out) != want || c.ProcessState.ExitCode() != 1 {
			t.Errorf("ulimit -v %d: %v\n%s\nwant exit code 1 and\n%s", limit, err, out, want)
		}
	}
}
