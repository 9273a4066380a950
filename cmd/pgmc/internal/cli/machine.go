package cli

import "runtime"

// Cores returns the number of goroutines that may compute at the same time.
func (a *App) Cores() int {
	if a.CPU > 0 {
		return a.CPU
	}
	return runtime.GOMAXPROCS(0)
}
