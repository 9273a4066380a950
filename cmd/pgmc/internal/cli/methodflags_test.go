package cli

import (
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// A command parses a flag before it knows the method, so that all methods must agree on the type of
// the options of one name.
func TestMethodFlagTypes(t *testing.T) {
	var f MethodFlags
	f.AddTo(&cobra.Command{}, &ModelFlags{}, nil)
	for _, x := range f.flags {
		for _, o := range x.options {
			if got := pflag.PFlagFromGoFlag(o).Value.Type(); got != x.Type() {
				t.Errorf("option %s is a %s and a %s", x.name, x.Type(), got)
			}
		}
	}
}
