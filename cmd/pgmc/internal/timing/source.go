package timing

import "embed"

// Source holds the files of the clock and the sampler. They form a package that imports only the
// standard library.
//
//go:embed clock_linux.go clock_other.go sampler.go
var Source embed.FS
