//go:build !cgo || !(linux || darwin)

package addressspace

// early reports that the check is made before Go's runtime begins.
const early = false
