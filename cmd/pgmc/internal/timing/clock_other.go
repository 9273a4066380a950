//go:build !linux

package timing

import "time"

// Clock names the quantity that the clocks below measure.
const Clock = "wall-clock time"

var start = time.Now()

func threadTime() time.Duration { return time.Since(start) }

func processTime() time.Duration { return time.Since(start) }
