package codegen

import (
	"fmt"
	"go/token"

	"github.com/pgmc-go/pgmc/codegen/internal/api"
	"github.com/pgmc-go/pgmc/codegen/internal/batch"
	"github.com/pgmc-go/pgmc/codegen/internal/choose"
)

// Assembly is the value of Options.Backend by which batches are written in assembly, and single
// queries as by "auto".
const Assembly = choose.Assembly

// Options configures Emit.
type Options struct {
	Package string            // the name of the package
	Source  string            // the file that the model came from; the header shows its base name
	Backend string            // "auto" or empty: chosen for each block; otherwise Assembly or the name of a back-end
	Runtime string            // RuntimeCopy (the default) or RuntimeImport
	Types   string            // TypesAuto (the default), TypesOwn or TypesShared
	Names   map[string]string // identifiers that the user chose, by "variable" or "variable.state"
	Flags   []string          // flags of pgmc compile that reproduce the package; its main file shows them
	Claim   string            // lines on how good the answers are; empty if they are exact
	Arrays  bool              // posteriors are arrays in JSON, not objects with the names of states
	HTTP    bool              // the package has a handler of HTTP requests

	tables  bool       // evidence is entered by tables, as for large models; for tests
	batches batch.Rule // for tests
}

// The values of Options.Runtime. The generated package either contains the parts of the runtime
// that it needs, or imports the runtime.
const (
	RuntimeCopy   = "copy"
	RuntimeImport = "import"
)

// The values of Options.Types: one type for each variable, or one for each list of states.
// TypesAuto is TypesOwn for models of at most [price.ManyVars] variables and TypesShared for larger
// ones.
const (
	TypesAuto   = api.TypesAuto
	TypesOwn    = api.TypesOwn
	TypesShared = api.TypesShared
)

// complete fills in the defaults and refuses unknown values.
func (o *Options) complete() error {
	if o.Runtime == "" {
		o.Runtime = RuntimeCopy
	}
	if o.Types == "" {
		o.Types = TypesAuto
	}
	if o.Runtime != RuntimeCopy && o.Runtime != RuntimeImport {
		return fmt.Errorf("unknown runtime mode %q; want %s or %s", o.Runtime, RuntimeCopy, RuntimeImport)
	}
	if o.Types != TypesAuto && o.Types != TypesOwn && o.Types != TypesShared {
		return fmt.Errorf("unknown types mode %q; want %s, %s or %s", o.Types, TypesAuto, TypesOwn, TypesShared)
	}
	for _, r := range o.Package {
		if r >= 0x80 {
			return fmt.Errorf("package name %q is not ASCII", o.Package)
		}
	}
	if !token.IsIdentifier(o.Package) || o.Package == "main" || o.Package == "_" {
		return fmt.Errorf("%q can't be the name of a package", o.Package)
	}
	return nil
}
