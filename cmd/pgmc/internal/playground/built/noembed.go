//go:build !playground

package built

import "embed"

// embedded is empty: the program is no release.
var embedded embed.FS
