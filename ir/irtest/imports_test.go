package irtest_test

import (
	"go/parser"
	"go/token"
	"path"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"

	"github.com/pgmc-go/pgmc/ir/irtest"
)

const module = "github.com/pgmc-go/pgmc"

// rule lists our own packages and the third parties that a package may import; the standard library
// is free, and so is runtime. A pattern is a package ("ir"), a package and all below it ("ir/..."),
// or all packages directly below one ("learn/*"). A leading minus removes packages.
type rule struct {
	packages string // patterns separated by blanks, as in the next two fields
	ours     string
	third    string
}

const (
	anything = "..."
	waists   = "ir ir/model ir/circuit ir/diag ir/group"
	parts    = "compiler/order compiler/cluster compiler/internal/pass compiler/kernel compiler/method"
	rooms    = "codegen/internal/backend codegen/internal/names codegen/internal/source codegen/internal/store codegen/internal/choose codegen/internal/api codegen/internal/query"
	answers  = rooms + " codegen/internal/answer codegen/internal/asm codegen/internal/batch codegen/internal/vector"
	gonum    = "gonum.org/v1/gonum"
	jennifer = "github.com/dave/jennifer"
	xtools   = "golang.org/x/tools"
	avo      = "github.com/mmcloughlin/avo"
	parquet  = "github.com/parquet-go/parquet-go github.com/klauspost/compress github.com/andybalholm/brotli github.com/pierrec/lz4"
)

// rules is the import table. The first rule that matches a package holds. The Go compiler refuses
// import cycles.
var rules = []rule{
	{"runtime runtime/handler runtime/internal/kernels", "", ""},
	{"ir/diag ir/group ir/options ir/folder ir/price", "", ""},
	{"ir/circuit ir/sqltext", "ir/diag", ""},
	{"ir/model", "ir/diag ir/circuit", ""},
	{"ir/model/edit", "ir/model", ""},
	{"ir", "ir/diag ir/circuit ir/model", ""},
	{"ir/assemble", waists + " ir/price", ""},
	{"ir/eval", waists + " ir/assemble", ""},
	{"ir/symbolic", waists, ""},
	{"ir/vector", waists + " ir/symbolic", ""},
	{"ir/lanes", waists + " ir/assemble ir/price ir/symbolic", ""},
	{"ir/brute", "ir/...", ""},
	{"ir/irtest", "ir/...", xtools + "/txtar"},
	{"ir/irtest/internal/plain", waists, ""},

	{"compiler/internal/format/formattest compiler/method/methodtest compiler/compilertest codegen/backendtest learn/learnertest", anything, anything},

	{"compiler/format", "ir/model ir/diag ir/folder", ""},
	{"compiler/internal/format/...", "ir/model ir/circuit ir/diag ir/folder compiler/format compiler/internal/format/internal/...", ""},
	{"compiler/internal/heap compiler/internal/trial", "", ""},
	{"compiler/internal/wcsp", "compiler/internal/heap ir/model", ""},
	{"compiler/internal/bound", waists + " compiler/order compiler/internal/heap compiler/internal/wcsp", gonum},
	{"compiler/kernel", waists, gonum},
	{parts, waists + " ir/options ir/vector", gonum},
	{"compiler/method/internal/*", waists + " ir/options " + parts + " compiler/method/internal/...", gonum},
	{"compiler/method/minibucket", waists + " ir/options compiler/internal/bound compiler/method compiler/method/internal/loop", ""},
	{"compiler/method/*", waists + " ir/options " + parts + " compiler/method/internal/...", gonum},
	{"compiler", "-compiler/infer -compiler/verify compiler/... ir/...", gonum},
	{"compiler/verify", "compiler compiler/infer compiler/method compiler/method/circuit compiler/order ir/...", gonum},
	{"compiler/decide", "ir/model ir/diag compiler/internal/heap", ""},
	{"compiler/infer/internal/interval compiler/infer/internal/temporal", waists, ""},
	{"compiler/infer/internal/scoring", waists + " ir/assemble ir/lanes", ""},
	{"compiler/infer", "compiler compiler/infer compiler/infer/internal/... compiler/internal/bound compiler/method/... compiler/format ir/...", gonum},

	{"codegen/internal/asm", "-ir/eval ir/... codegen/...", jennifer + " " + xtools + " " + avo},
	{rooms, "-ir/eval ir/... " + rooms, jennifer + " " + xtools},
	{"codegen/internal/answer", "-ir/eval ir/... " + rooms, jennifer},
	{"codegen/internal/batch", "-ir/eval ir/... codegen/internal/asm " + rooms, jennifer},
	{"codegen/internal/engine codegen/internal/stream", "-ir/eval ir/... " + answers, jennifer},
	{"codegen/sql", waists + " ir/symbolic ir/sqltext", ""},
	{"codegen codegen/...", "-ir/eval ir/... codegen/...", jennifer + " " + xtools},

	{"learn/data/times", "", ""},
	{"learn/data", "ir/...", gonum},
	{"learn/data/rowfile learn/data/rowfile/internal/*", "ir/... learn/data learn/data/times learn/data/rowfile/internal/...", ""},
	{"learn/data/timeline", "ir/... learn/data learn/data/rowfile learn/data/times", ""},
	{"learn/data/parquet", "ir/... learn/data learn/data/rowfile", parquet},
	{"learn/score", "ir/... learn/data", gonum},
	{"learn/rate", "ir/... learn/data learn/data/rowfile learn/score learn/internal/graph learn/internal/independence compiler/infer", gonum},
	{"learn learn/learner", "-learn/data/parquet learn/... ir/...", ""},
	{"learn/counts learn/mle", "-learn -learn/data/parquet learn/... ir/... compiler", gonum},
	{"learn/* learn/internal/*", "-learn -learn/data/parquet -learn/data/rowfile learn/... ir/... compiler compiler/order", gonum},

	{"cmd/pgmc/internal/cbench", waists + " ir/symbolic cmd/pgmc/internal/process", ""},
	{"cmd/pgmc/internal/draw cmd/pgmc/internal/process", "", ""},
	{"cmd/pgmc/internal/...", anything, anything},
	{"cmd/pgmc", anything, anything},
	{"generated/...", "", ""},
}

// allows reports whether a list of patterns takes pkg; the first that fits decides.
func allows(patterns, pkg string) bool {
	for _, p := range strings.Fields(patterns) {
		p, minus := strings.CutPrefix(p, "-")
		if matches(p, pkg) {
			return !minus
		}
	}
	return false
}

func matches(pattern, pkg string) bool {
	if root, ok := strings.CutSuffix(pattern, "..."); ok {
		root = strings.TrimSuffix(root, "/")
		return root == "" || pkg == root || strings.HasPrefix(pkg, root+"/")
	}
	if ok, _ := path.Match(pattern, pkg); ok {
		return true
	}
	return false
}

func TestPatterns(t *testing.T) {
	for _, c := range []struct {
		patterns, pkg string
		want          bool
	}{
		{"ir", "ir", true},
		{"ir", "ir/model", false},
		{"ir/...", "ir", true},
		{"ir/...", "ir/model", true},
		{"ir/...", "irx", false},
		{"learn/*", "learn/em", true},
		{"learn/*", "learn", false},
		{"learn/*", "learn/em/x", false},
		{"-ir/eval ir/...", "ir/eval", false},
		{"-ir/eval ir/...", "ir/model", true},
		{"...", "ir", true},
		{"", "ir", false},
	} {
		if got := allows(c.patterns, c.pkg); got != c.want {
			t.Errorf("%q takes %q: %v; want %v", c.patterns, c.pkg, got, c.want)
		}
	}
}

// load lists the packages of the module that have files other than tests.
func load(t *testing.T) []*packages.Package {
	t.Helper()
	config := &packages.Config{Mode: packages.NeedName | packages.NeedFiles | packages.NeedImports, Dir: irtest.ModuleRoot(t)}
	all, err := packages.Load(config, "./...")
	if err != nil {
		t.Fatal(err)
	}
	all = slices.DeleteFunc(all, func(p *packages.Package) bool { return len(p.GoFiles) == 0 })
	if len(all) == 0 {
		t.Fatal("no packages in the module")
	}
	return all
}

func TestImports(t *testing.T) {
	for _, p := range load(t) {
		name := strings.TrimPrefix(p.PkgPath, module+"/")
		i := slices.IndexFunc(rules, func(r rule) bool { return allows(r.packages, name) })
		if i < 0 {
			t.Errorf("package %s matches no rule", name)
			continue
		}
		for imported := range p.Imports {
			ours, isOurs := strings.CutPrefix(imported, module+"/")
			first, _, _ := strings.Cut(imported, "/")
			switch {
			case isOurs && ours != "runtime" && !allows(rules[i].ours, ours):
				t.Errorf("%s imports %s; it may import: %s", name, ours, rules[i].ours)
			case !isOurs && strings.Contains(first, ".") && !mayUse(rules[i], imported):
				t.Errorf("%s imports %s; it may import of others: %s", name, imported, rules[i].third)
			}
		}
	}
}

// TestParquet checks that what runs in a browser or next to generated code reads no Parquet files,
// not even by another package.
func TestParquet(t *testing.T) {
	config := &packages.Config{Mode: packages.NeedName | packages.NeedImports | packages.NeedDeps, Dir: irtest.ModuleRoot(t)}
	roots, err := packages.Load(config, "./compiler/...", "./codegen/...", "./ir/...", "./runtime/...", "./learn", "./cmd/pgmc/internal/playground/engine")
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	packages.Visit(roots, func(p *packages.Package) bool {
		seen++
		if p.PkgPath == module+"/learn/data/parquet" {
			t.Errorf("a package that must not imports %s", p.PkgPath)
		}
		return true
	}, nil)
	if seen < len(roots) || len(roots) < 50 {
		t.Errorf("saw %d packages and %d roots", seen, len(roots))
	}
}

// mayUse reports whether r allows a package of a third party: the listed ones and all below them.
func mayUse(r rule, pkg string) bool {
	return slices.ContainsFunc(strings.Fields(r.third), func(p string) bool { return p == anything || matches(p+"/...", pkg) })
}

func TestPackageComments(t *testing.T) {
	for _, p := range load(t) {
		documented := false
		for _, file := range p.GoFiles {
			f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.PackageClauseOnly|parser.ParseComments)
			if err != nil {
				t.Error(err)
				continue
			}
			documented = documented || f.Doc.Text() != ""
		}
		if !documented {
			t.Errorf("package %s has no package comment", strings.TrimPrefix(p.PkgPath, module+"/"))
		}
	}
}
