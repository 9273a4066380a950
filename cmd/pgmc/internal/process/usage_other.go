//go:build !unix

package process

import "os"

// PeakMemory returns 0: the peak memory of an ended process is not known on this system.
func PeakMemory(*os.ProcessState) int64 { return 0 }
