//go:build !linux && !darwin

package cli

// addressSpace returns 0: other systems have no such limit, or it is not known.
func addressSpace() int64 { return 0 }
