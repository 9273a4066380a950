package cli

import (
	"bufio"
	"os"
	"runtime"
	"strconv"
	"strings"
)

// MachineMemory returns the bytes of memory of the machine; 0 if they are not known, as on systems
// other than Linux.
func MachineMemory() int64 {
	f, err := os.Open("/proc/meminfo")
	if err != nil {
		return 0
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if words := strings.Fields(lines.Text()); len(words) == 3 && words[0] == "MemTotal:" && words[2] == "kB" {
			n, err := strconv.ParseInt(words[1], 10, 64)
			if err != nil {
				return 0
			}
			return n << 10
		}
	}
	return 0
}

// Cores returns the number of goroutines that may compute at the same time.
func (a *App) Cores() int {
	if a.CPU > 0 {
		return a.CPU
	}
	return runtime.GOMAXPROCS(0)
}
