package codegen

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strconv"

	"github.com/pgmc-go/pgmc/codegen/internal/source"
)

// Renaming is a variable or a state that has another identifier in a new package than in the old
// one, on which callers depend.
type Renaming struct {
	What     string // describes it for messages
	Old, New string // the identifiers
}

// Renamed returns what has another identifier in the main file of p than in the file of that name
// in dir. It returns nothing if dir has no such file that pgmc made, or one that this version
// cannot read. A variable has another identifier if a new query declares a name that the variable
// had.
func (p *Package) Renamed(dir string) (list []Renaming) {
	path := filepath.Join(dir, p.Files[0].Name)
	if !hasMark(path) {
		return nil
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil // WriteDir reports it
	}
	old := map[string]string{}
	for _, x := range givenNames(text) {
		old[x.What] = x.New
	}
	for _, x := range givenNames(p.Files[0].Data) {
		if x.Old = old[x.What]; x.Old != "" && x.Old != x.New {
			list = append(list, x)
		}
	}
	return list
}

// givenNames returns the identifiers, as New, that the main file of a package gives to variables
// and states. A state is described by its type, so that none is listed besides a variable that
// gives its type another name.
func givenNames(text []byte) (list []Renaming) {
	f, err := parser.ParseFile(token.NewFileSet(), "", text, parser.SkipObjectResolution)
	if err != nil {
		return nil
	}
	tables := map[string][][]string{} // by variable: the texts of each row
	consts := map[string][]string{}   // by type: the states
	var fields []string
	for _, d := range f.Decls {
		decl, ok := d.(*ast.GenDecl)
		if !ok {
			continue
		}
		typ := ""
		for _, s := range decl.Specs {
			switch s := s.(type) {
			case *ast.TypeSpec:
				if of, ok := s.Type.(*ast.StructType); ok && s.Name.Name == "Evidence" {
					for _, x := range of.Fields.List {
						fields = append(fields, x.Names[0].Name)
					}
				}
			case *ast.ValueSpec:
				switch name := s.Names[0].Name; {
				case decl.Tok == token.VAR && (name == "variables" || name == "enums"):
					tables[name] = rowTexts(s.Values[0])
				case s.Type != nil:
					if id, ok := s.Type.(*ast.Ident); ok {
						typ = id.Name
					}
				case s.Values == nil:
					consts[typ] = append(consts[typ], name)
				}
			}
		}
	}
	if len(fields) != len(tables["variables"]) {
		return nil
	}
	for i, row := range tables["variables"] {
		list = append(list, Renaming{What: "the variable " + source.Quote(row[0]), New: fields[i]})
	}
	for _, row := range tables["enums"] {
		id, states := row[0], row[2:]
		for i, c := range consts[id] {
			if i < len(states) {
				list = append(list, Renaming{What: "the state " + source.Quote(states[i]) + " of " + id, New: c})
			}
		}
	}
	return list
}

// rowTexts returns the strings of each row of a table.
func rowTexts(table ast.Expr) (rows [][]string) {
	literal, ok := table.(*ast.CompositeLit)
	if !ok {
		return nil
	}
	for _, row := range literal.Elts {
		var texts []string
		ast.Inspect(row, func(n ast.Node) bool {
			if x, ok := n.(*ast.BasicLit); ok && x.Kind == token.STRING {
				if text, err := strconv.Unquote(x.Value); err == nil {
					texts = append(texts, text)
				}
			}
			return true
		})
		rows = append(rows, texts)
	}
	return rows
}
