//go:build !linux

package timing

import "time"

// Clock names what the clocks below measure.
const Clock = "time on the wall"

var start = time.Now()

func threadTime() time.Duration { return time.Since(start) }

func processTime() time.Duration { return time.Since(start) }
