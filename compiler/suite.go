package compiler

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/compiler/internal/format/bif"
	"github.com/pgmc-go/pgmc/compiler/internal/format/bnlearn"
	"github.com/pgmc-go/pgmc/compiler/internal/format/cnf"
	"github.com/pgmc-go/pgmc/compiler/internal/format/dne"
	"github.com/pgmc-go/pgmc/compiler/internal/format/dsc"
	"github.com/pgmc-go/pgmc/compiler/internal/format/ergo"
	"github.com/pgmc-go/pgmc/compiler/internal/format/fg"
	"github.com/pgmc-go/pgmc/compiler/internal/format/json"
	"github.com/pgmc-go/pgmc/compiler/internal/format/juice"
	"github.com/pgmc-go/pgmc/compiler/internal/format/libra"
	"github.com/pgmc-go/pgmc/compiler/internal/format/net"
	"github.com/pgmc-go/pgmc/compiler/internal/format/probmodelxml"
	"github.com/pgmc-go/pgmc/compiler/internal/format/psdd"
	"github.com/pgmc-go/pgmc/compiler/internal/format/stochhmm"
	"github.com/pgmc-go/pgmc/compiler/internal/format/uai"
	"github.com/pgmc-go/pgmc/compiler/internal/format/xdsl"
	"github.com/pgmc-go/pgmc/compiler/internal/format/xmlbif"
	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/compiler/method/circuit"
	"github.com/pgmc-go/pgmc/compiler/method/clg"
	"github.com/pgmc-go/pgmc/compiler/method/filter"
	"github.com/pgmc-go/pgmc/compiler/method/jointree"
	"github.com/pgmc-go/pgmc/ir/diag"
)

// Methods lists the inference methods. The first is exact and answers every query. The compiler
// uses it unless options, queries or the model call for another one. The build tag minimal leaves
// out those that answer exactly no kind of model by default, which makes programs a fifth smaller.
var Methods = slices.Concat(
	[]method.Method{jointree.Method, circuit.Method},
	furtherExact,
	[]method.Method{filter.Method},
	approximateInTime,
	[]method.Method{clg.Method},
	approximate,
)

// Formats lists the model formats.
var Formats = []format.Format{
	bif.Format,
	uai.Format,
	uai.LG,
	ergo.Format,
	fg.Format,
	cnf.Format,
	json.Format,
	bnlearn.Format,
	libra.MN,
	libra.BN,
	libra.DN,
	libra.XMOD,
	libra.AC,
	libra.SPN,
	juice.JPC,
	juice.SPN, // after that of Libra, which reads an .spn if its content fits both
	net.Format,
	psdd.Format,
	xmlbif.Format,
	xdsl.Format,
	xdsl.DSL,
	dsc.Format,
	dne.Format,
	stochhmm.Format,
	probmodelxml.Format,
}

// FindMethod returns the method with the given name. The error lists the names.
func FindMethod(name string) (method.Method, error) {
	var known []string
	for _, m := range Methods {
		if m.Name == name {
			return m, nil
		}
		known = append(known, m.Name)
	}
	return method.Method{}, fmt.Errorf("unknown method %q; want %s", name, strings.Join(known, ", "))
}

// By returns the option that selects the method with a role. Builds without that method name it all
// the same.
func By(r method.Role) diag.Option {
	if m := withRole(r); m != nil {
		return method.By(m.Name)
	}
	return method.By(absent[r])
}

// withRole returns the method with a role; nil if this build has none.
func withRole(r method.Role) *method.Method {
	i := slices.IndexFunc(Methods, func(m method.Method) bool { return m.Role == r })
	if i < 0 {
		return nil
	}
	return &Methods[i]
}
