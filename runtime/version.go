package pgmrt

// The handshake between generated code and this package, after protobuf-go's
// runtime/protoimpl/version.go. Generated code of version n holds
//
//	const (
//		_ = pgmrt.EnforceVersion(n - pgmrt.MinVersion) // the code is new enough for the runtime
//		_ = pgmrt.EnforceVersion(pgmrt.MaxVersion - n) // the runtime is new enough for the code
//	)
//
// and a constant that fails does not compile, since an unsigned type holds no negative constant. If
// it is the first, generate again with a newer compiler (go generate ./... after go get -tool
// github.com/pgmc-go/pgmc/cmd/pgmc@latest); if it is the second, go get
// github.com/pgmc-go/pgmc@latest.
const (
	// MinVersion is the oldest supported version of generated code.
	MinVersion = 1
	// MaxVersion is the newest version, which the compiler of this module generates.
	MaxVersion = 4
)

// EnforceVersion is a type that a negative constant does not fit.
type EnforceVersion uint
