package compiler

import (
	"fmt"
	"strings"

	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/compiler/format/bif"
	"github.com/pgmc-go/pgmc/compiler/format/ergo"
	"github.com/pgmc-go/pgmc/compiler/format/fg"
	"github.com/pgmc-go/pgmc/compiler/format/json"
	"github.com/pgmc-go/pgmc/compiler/format/juice"
	"github.com/pgmc-go/pgmc/compiler/format/libra"
	"github.com/pgmc-go/pgmc/compiler/format/net"
	"github.com/pgmc-go/pgmc/compiler/format/psdd"
	"github.com/pgmc-go/pgmc/compiler/format/uai"
	"github.com/pgmc-go/pgmc/compiler/format/xdsl"
	"github.com/pgmc-go/pgmc/compiler/format/xmlbif"
	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/compiler/method/circuit"
	"github.com/pgmc-go/pgmc/compiler/method/jointree"
)

// Methods are the inference methods; the first is the default.
var Methods = []method.Method{
	jointree.Method,
	circuit.Method,
}

// Formats are the model formats.
var Formats = []format.Format{
	bif.Format,
	uai.Format,
	uai.LG,
	ergo.Format,
	fg.Format,
	json.Format,
	libra.MN,
	libra.BN,
	libra.DN,
	libra.XMOD,
	libra.AC,
	libra.SPN,
	juice.JPC,
	juice.SPN, // behind that of Libra, which an .spn is where nothing tells
	net.Format,
	psdd.Format,
	xmlbif.Format,
	xdsl.Format,
}

// FindMethod finds a method by name; the empty name is the default.
func FindMethod(name string) (method.Method, error) {
	var known []string
	for _, m := range Methods {
		if m.Name == name || name == "" {
			return m, nil
		}
		known = append(known, m.Name)
	}
	return method.Method{}, fmt.Errorf("unknown method %q; want %s", name, strings.Join(known, ", "))
}
