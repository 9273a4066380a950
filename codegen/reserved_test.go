package codegen_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/codegen"
	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/method/particle"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// kinds holds models with queries of all kinds that packages answer, each of a package of its own.
func kinds() []kindOfPackage {
	static := "marginals;posteriors;logprob;mpe;sample;batch;sets;jeffrey;joint(%[1]q, %[2]q);map(%[1]q);kmpe=2;maxmarginals;session;%[1]q | %[2]q;" +
		"bp;meanfield;edgedel;gibbs;maxprod;trws;mplp;bound;search;lw;ais;icm;tabu;anneal;cut;trws,maxmarginals;bp,meanfield,cut,maxprod"
	sequence := "filter;smooth;viterbi"
	particles := compiler.Options{Method: particle.NewOptions()}
	hybrid := "marginals;posteriors;logprob;mpe;sample;session;joint(%[1]q);ep;gibbs"
	return []kindOfPackage{
		{m: small(), queries: static},
		{m: small(), queries: "marginals", emit: codegen.Options{HTTP: true, Types: codegen.TypesShared}},
		{m: small(), queries: "marginals;gradient;sensitivity", opt: compiler.Options{Params: ir.Var}},
		{m: markov(), queries: "logprob;bp;edgedel"},
		{m: picnic(), queries: "policy;best;best(%[1]q);information;follow"},
		{m: irtest.RandomHybrid(3, irtest.HybridOptions{}), queries: hybrid, emit: codegen.Options{Types: codegen.TypesShared}},
		{m: line("x", "y"), queries: hybrid + ";mixture(%[1]q)"},
		{m: grid(3), queries: "map(%[1]q, %[2]q)"},
		{m: umbrella(), queries: sequence},
		{m: nile(), queries: sequence + ";innovation"},
		{m: jumping(), queries: sequence},
		{m: regimes(), queries: sequence},
		{m: regimes(), queries: "filter;smooth", opt: particles},
	}
}

// kindOfPackage is a model, queries separated by semicolons, and options. In a query %[1]q and
// %[2]q are the last two variables.
type kindOfPackage struct {
	m       *model.Model
	queries string
	opt     compiler.Options
	emit    codegen.Options
}

// each compiles the model with names for its variables and their states, for each query by itself.
func (k *kindOfPackage) each(t *testing.T, variables, states []string, f func(query string, r *compiler.Result)) {
	t.Helper()
	m := renamed(k.m, variables, states)
	last := len(m.Vars) - 1
	for _, q := range strings.Split(k.queries, ";") {
		if strings.Contains(q, "%") {
			q = fmt.Sprintf(q+"%.0[1]s%.0[2]s", m.Vars[last].Name, m.Vars[last-1].Name)
		}
		opt := k.opt
		opt.Queries = []string{q}
		r, err := compiler.Compile(t.Context(), m, opt)
		if err != nil {
			t.Fatalf("%s: %s: %v", m.Name, q, err)
		}
		f(q, r)
	}
}

// renamed returns m with other names for its variables, and for their states.
func renamed(m *model.Model, variables, states []string) *model.Model {
	out := *m
	out.Vars = slices.Clone(m.Vars)
	for i, v := range m.Vars {
		c := *v
		c.Name = variables[i]
		if d, ok := v.Domain.(model.Discrete); ok {
			c.Domain = model.Discrete{States: states[:len(d.States)]}
		}
		out.Vars[i] = &c
	}
	return &out
}

// plainNames returns names that no other name of a package contains.
func plainNames(what string) (list []string) {
	for i := range 20 {
		list = append(list, fmt.Sprintf("%s%d", what, i))
	}
	return list
}

// named finds identifiers made of plainNames.
var named = regexp.MustCompile(`Z[qs]\d`)

// declared returns the exported names that a package with plain names declares for itself: by type,
// those of its methods and fields, with the fields of types that embed it, and those of
// declarations at the empty type.
func declared(t *testing.T, pkg *codegen.Package) map[string][]string {
	t.Helper()
	of := map[string][]string{}
	add := func(typ string, ids ...*ast.Ident) {
		for _, id := range ids {
			if id.IsExported() {
				of[typ] = append(of[typ], id.Name)
			}
		}
	}
	for _, f := range pkg.Files {
		if !strings.HasSuffix(f.Name, ".go") || strings.HasSuffix(f.Name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), f.Name, f.Data, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				add(receiver(d), d.Name)
			case *ast.GenDecl:
				for _, s := range d.Specs {
					switch s := s.(type) {
					case *ast.TypeSpec:
						add("", s.Name)
						if fields, ok := s.Type.(*ast.StructType); ok {
							typ := s.Name.Name
							for _, f := range fields.Fields.List {
								if id, ok := f.Type.(*ast.Ident); ok && f.Names == nil {
									typ = id.Name // an embedded type, which comes first
								}
								add(typ, f.Names...)
							}
						}
					case *ast.ValueSpec:
						add("", s.Names...)
					}
				}
			}
		}
	}
	return of
}

// receiver returns the name of the type of a method, and the empty name for a function.
func receiver(d *ast.FuncDecl) (name string) {
	if d.Recv == nil {
		return ""
	}
	ast.Inspect(d.Recv.List[0].Type, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && name == "" {
			name = id.Name
		}
		return true
	})
	return name
}

// TestReserved checks, for each kind of query, that the names that a package withholds from
// variables and states are those that it declares: names of declarations, and of methods and fields
// beside which variables give names to others.
func TestReserved(t *testing.T) {
	t.Parallel()
	covered := map[ir.QueryKind]bool{}
	for _, k := range kinds() {
		k.each(t, plainNames("zq"), plainNames("zs"), func(query string, r *compiler.Result) {
			want := map[string]bool{}
			opt := k.emit
			for _, opt.Runtime = range []string{codegen.RuntimeCopy, codegen.RuntimeImport} {
				opt.Package = "p"
				pkg, err := codegen.Emit(r.Model, r.Program, opt)
				if err != nil {
					t.Fatalf("%s: %s: %v", k.m.Name, query, err)
				}
				for typ, list := range declared(t, pkg) {
					if typ == "" || typ == "Engine" || slices.ContainsFunc(list, named.MatchString) {
						for _, name := range list {
							want[name] = true
						}
					}
				}
			}
			maps.DeleteFunc(want, func(name string, _ bool) bool { return named.MatchString(name) })
			for _, e := range r.Program.Entries {
				covered[e.Query.Kind] = true
				if e.Query.Kind == ir.Posterior {
					for _, name := range codegen.Vetted {
						want[name] = true
					}
				}
			}
			got, err := codegen.Reserved(r.Model, r.Program, opt)
			if err != nil {
				t.Fatal(err)
			}
			slices.Sort(got)
			if got, want := slices.Compact(got), slices.Sorted(maps.Keys(want)); !slices.Equal(got, want) {
				t.Errorf("%s: %s reserves\n%v; want\n%v", k.m.Name, query, got, want)
			}
		})
	}
	for k := range ir.Kinds {
		if k := ir.QueryKind(k); codegen.Answers(k) && !covered[k] {
			t.Errorf("no package has a query of kind %s", k)
		}
	}
}

// TestNamesOfThePackage checks, for each kind of query, that packages compile if variables and
// states have the names that the package or the runtime declares, and pass vet. Emit checks the
// types of each package; vet sees one in fifteen.
func TestNamesOfThePackage(t *testing.T) {
	t.Parallel()
	const every, written = 30, 15 // of the cases, and of those cases
	mod := newModule(t, "")
	n := 0
	for _, k := range kinds() {
		var own [][]string
		k.each(t, plainNames("zq"), plainNames("zs"), func(query string, r *compiler.Result) {
			opt := k.emit
			opt.Package = "p"
			pkg, err := codegen.Emit(r.Model, r.Program, opt)
			if err != nil {
				t.Fatalf("%s: %s: %v", k.m.Name, query, err)
			}
			var list []string
			for _, names := range declared(t, pkg) {
				list = append(list, names...)
			}
			list = append(slices.DeleteFunc(list, named.MatchString), codegen.Vetted...)
			slices.Sort(list)
			own = append(own, slices.Compact(list))
		})
		for i, q := range strings.Split(k.queries, ";") {
			one := k
			one.queries = q
			names := slices.Concat(own[i], plainNames("zq"))
			for at := 0; at < len(own[i]); at += len(k.m.Vars) {
				n++
				long := irtest.LongCase(t, n)
				if !long && n%every != 0 {
					continue
				}
				states := slices.Concat(names[at:], names[:at])
				one.each(t, names[at:], states, func(query string, r *compiler.Result) {
					opt := k.emit
					opt.Package = fmt.Sprint("p", n)
					pkg, err := codegen.Emit(r.Model, r.Program, opt)
					if err != nil {
						t.Fatalf("%s: %s: %v", k.m.Name, query, err)
					}
					if n%(written*every) == 0 || long && n%written == 0 {
						for _, f := range pkg.Files {
							mod.write(opt.Package+"/"+f.Name, string(f.Data))
						}
					}
				})
			}
		}
	}
	mod.test()
}
