package codegen_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/pgmc-go/pgmc/codegen"
	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/ir/model"
)

// rain returns a network of two variables.
func rain() *model.Model {
	m := &model.Model{Name: "rain", Kind: model.Bayes}
	rain, wet := m.NewVar("rain", "no", "yes"), m.NewVar("wet", "no", "yes")
	m.Factors = []*model.Factor{
		{Scope: []model.VarID{rain.ID}, Child: 0, Dist: &model.Table{Values: []float64{.8, .2}}},
		{Scope: []model.VarID{rain.ID, wet.ID}, Child: 1, Dist: &model.Table{Values: []float64{.9, .1, .05, .95}}},
	}
	return m
}

// emitted returns the package of the network under the given name.
func emitted(name string) *codegen.Package {
	r, err := compiler.Compile(context.Background(), rain(), compiler.Options{})
	if err != nil {
		log.Fatal(err)
	}
	pkg, err := codegen.Emit(r.Model, r.Program, codegen.Options{Package: name, Source: "rain.go"})
	if err != nil {
		log.Fatal(err)
	}
	return pkg
}

func ExampleEmit() {
	r, err := compiler.Compile(context.Background(), rain(), compiler.Options{Queries: []string{"logprob"}})
	if err != nil {
		log.Fatal(err)
	}
	pkg, err := codegen.Emit(r.Model, r.Program, codegen.Options{Package: "rain", Source: "rain.go"})
	if err != nil {
		log.Fatal(err)
	}
	for _, f := range pkg.Files {
		fmt.Println(f.Name)
	}
	// Output:
	// rain.go
	// rain_blocks.go
	// pgmrt.go
}

func ExamplePackage_WriteDir() {
	parent, err := os.MkdirTemp("", "")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(parent)
	dir := filepath.Join(parent, "rain")
	if err := emitted("rain").WriteDir(dir); err != nil {
		log.Fatal(err)
	}
	stamp, err := codegen.ReadStamp(dir)
	fmt.Println(stamp.Package, err)
	// Output:
	// rain <nil>
}

func ExamplePackage_Compare() {
	parent, err := os.MkdirTemp("", "")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(parent)
	dir := filepath.Join(parent, "rain")
	pkg := emitted("rain")
	if err := pkg.WriteDir(dir); err != nil {
		log.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "rain.go"), []byte("package rain\n"), 0o644); err != nil {
		log.Fatal(err)
	}
	d, err := pkg.Compare(dir)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(d.Fresh(), d.Stale)
	// Output:
	// false [rain.go]
}

func ExampleReadStamp() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	r, err := compiler.Compile(context.Background(), rain(), compiler.Options{})
	if err != nil {
		log.Fatal(err)
	}
	opt := codegen.Options{Package: "rain", Flags: []string{"compile", "rain.bif", "--queries", "log prob"}}
	pkg, err := codegen.Emit(r.Model, r.Program, opt)
	if err != nil {
		log.Fatal(err)
	}
	if err := pkg.WriteDir(filepath.Join(dir, "rain")); err != nil {
		log.Fatal(err)
	}
	stamp, err := codegen.ReadStamp(filepath.Join(dir, "rain"))
	fmt.Printf("%s %q %v\n", stamp.Package, stamp.Flags, err)
	// Output:
	// rain ["compile" "rain.bif" "--queries" "log prob"] <nil>
}

func ExampleReadNames() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "names")
	lines := "rain = Rainfall # the variable\nrain.yes = Raining\n"
	if err := os.WriteFile(path, []byte(lines), 0o644); err != nil {
		log.Fatal(err)
	}
	file, err := codegen.ReadNames(path, rain())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(file.Names)
	// Output:
	// map[rain:Rainfall rain.yes:Raining]
}

func ExamplePackageName() {
	fmt.Println(codegen.PackageName("Water Network"), codegen.PackageName("3 nodes"), codegen.PackageName("main"))
	// Output:
	// waternetwork model3nodes modelmain
}
