//go:build playground

package built

import "embed"

// embedded has the engines of a release. Command release puts the folder engines here by an
// overlay, so that no source tree holds it.
//
//go:embed engines
var embedded embed.FS
