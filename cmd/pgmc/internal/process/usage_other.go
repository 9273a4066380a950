//go:build !unix

package process

import "os"

// PeakMemory is the most memory that a process that has ended had at a time, in bytes; 0 where that
// is not known.
func PeakMemory(*os.ProcessState) int64 { return 0 }
