package bench

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"strings"

	"github.com/pgmc-go/pgmc/codegen"
	"github.com/pgmc-go/pgmc/ir/model"
)

// Signature describes the method of a declared signature: its name, and the types and numbers of
// states of its two arguments, or the number of its real arguments.
type Signature struct {
	Method string
	Types  []string
	States []int
	Reals  []int // their places
}

// realGiven is the number of given variables of the signature of a linear Gaussian network.
const realGiven = 5

// realSignature returns a signature of a linear Gaussian network: of the first variable with most
// parents, up to five, given five of them. Other variables, in the order of the model, stand for
// parents that it lacks. given is nil if there are too few variables.
func realSignature(m *model.Model) (target model.VarID, given []model.VarID) {
	target = -1
	most := -1
	for _, v := range observable(m) {
		if f := m.CPD(v); f != nil && min(len(f.Scope)-1, realGiven) > most {
			target, most = v, min(len(f.Scope)-1, realGiven)
		}
	}
	if target < 0 {
		return target, nil
	}
	for _, v := range append(m.CPD(target).Parents(), observable(m)...) {
		if v != target && !slices.Contains(given, v) && !m.Vars[v].Latent && len(given) < realGiven {
			given = append(given, v)
		}
	}
	if len(given) < realGiven {
		return target, nil
	}
	return target, given
}

// signatureSpec declares a signature that is small enough for a lookup table: of the three
// variables with the fewest states, at least two each and at most 16, the first given the others.
// spec is empty if the model has no three such variables. That of a linear Gaussian network is
// realSignature's.
func signatureSpec(m *model.Model) (spec string, given []model.VarID) {
	if len(m.Vars) > 0 && len(m.Reals()) == len(m.Vars) {
		target, given := realSignature(m)
		if given == nil {
			return "", nil
		}
		names := make([]string, len(given))
		for i, v := range given {
			names[i] = strconv.Quote(m.Vars[v].Name)
		}
		return strconv.Quote(m.Vars[target].Name) + " | " + strings.Join(names, ", "), given
	}
	var chosen []model.VarID
	for states := 2; states <= 16 && len(chosen) < 3; states++ {
		for _, v := range observable(m) {
			if m.Card(v) == states && len(chosen) < 3 {
				chosen = append(chosen, v)
			}
		}
	}
	if len(chosen) < 3 {
		return "", nil
	}
	name := func(v model.VarID) string { return strconv.Quote(m.Vars[v].Name) }
	return name(chosen[0]) + " | " + name(chosen[1]) + ", " + name(chosen[2]), chosen[1:]
}

// findSignature finds the method of the declared signature in a package: an exported method with
// Given in its name and as many arguments as variables in given.
func findSignature(pkg *codegen.Package, m *model.Model, given []model.VarID) (*Signature, error) {
	for _, f := range pkg.Files {
		if !strings.HasSuffix(f.Name, ".go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), f.Name, f.Data, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		for _, d := range file.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Recv == nil || !fn.Name.IsExported() || !strings.Contains(fn.Name.Name, "Given") {
				continue
			}
			s := &Signature{Method: fn.Name.Name}
			if m.IsReal(given[0]) && fn.Type.Params.NumFields() == len(given) {
				for i := range given {
					s.Reals = append(s.Reals, i)
				}
				return s, nil
			}
			for _, field := range fn.Type.Params.List {
				if id, ok := field.Type.(*ast.Ident); ok {
					s.Types = append(s.Types, id.Name)
				}
			}
			if len(s.Types) != len(given) || fn.Type.Params.NumFields() != len(given) {
				continue
			}
			for _, v := range given {
				s.States = append(s.States, m.Card(v))
			}
			return s, nil
		}
	}
	return nil, errors.New("the package has no method for the signature")
}
