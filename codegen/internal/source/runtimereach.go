package source

import (
	"bytes"
	"go/ast"
	"go/token"
	"slices"
	"strings"
)

// reach finds the declarations of the runtime that a package needs: those that its own files name,
// and all that these need in turn. A method is needed if its type is and some code selects its
// name. The API of a package keeps the methods that a file of the runtime adds to one of its types,
// once the package needs anything else of the file.
type reach struct {
	api      []string
	kept     map[*runtimeDecl]bool
	files    map[*runtimeFile]bool // files with a declaration that is kept and is no method
	names    map[string]bool       // names in use
	selected map[string]bool       // names that follow a dot, or that an interface declares
}

// newReach begins with the names that a package uses, and with its own files.
func newReach(api, names []string, own []File) *reach {
	w := &reach{api, map[*runtimeDecl]bool{}, map[*runtimeFile]bool{}, map[string]bool{}, map[string]bool{}}
	for _, name := range names {
		w.names[name] = true
	}
	for _, name := range strings.Fields("Error String Unwrap") { // the standard library calls these
		w.selected[name] = true
	}
	for _, f := range own {
		w.scan(f.Data)
	}
	return w
}

// scan records the identifiers that follow a dot in a text.
func (w *reach) scan(text []byte) {
	for at := bytes.IndexByte(text, '.'); at >= 0; at = bytes.IndexByte(text, '.') {
		text = text[at+1:]
		end := bytes.IndexFunc(text, func(r rune) bool { return !token.IsIdentifier("x" + string(r)) })
		if end > 0 {
			w.selected[string(text[:end])] = true
		}
	}
}

// run keeps declarations until none is needed that is not kept.
func (w *reach) run(r *runtimeFiles) {
	for changed := true; changed; {
		changed = false
		for _, f := range r.files {
			for _, d := range f.decls {
				if !w.kept[d] && w.needs(d) {
					w.keep(d)
					changed = true
				}
			}
		}
	}
}

// needs reports whether a declaration is needed by those that are kept.
func (w *reach) needs(d *runtimeDecl) bool {
	if fn, ok := d.Decl.(*ast.FuncDecl); ok && fn.Recv != nil {
		of, name := receiver(fn), fn.Name.Name
		return w.names[of] && (w.selected[name] || fn.Name.IsExported() && w.files[d.file] && slices.Contains(w.api, of))
	}
	return slices.ContainsFunc(declared(d.Decl), func(id *ast.Ident) bool { return w.names[id.Name] })
}

// receiver returns the name of the type that has a method.
func receiver(fn *ast.FuncDecl) (name string) {
	ast.Inspect(fn.Recv.List[0].Type, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && name == "" {
			name = id.Name
		}
		return true
	})
	return name
}

// keep keeps a declaration, and records the names that it uses. No local variable of the runtime
// has the name of a declaration, which would be kept for it.
func (w *reach) keep(d *runtimeDecl) {
	w.kept[d] = true
	if fn, ok := d.Decl.(*ast.FuncDecl); !ok || fn.Recv == nil {
		w.files[d.file] = true
	}
	if d.bodiless() {
		for _, name := range d.file.bodiless { // they share a file of assembly
			w.names[name] = true
		}
	}
	var visit func(ast.Node) bool
	visit = func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			w.selected[n.Sel.Name] = true
			if x, ok := n.X.(*ast.Ident); ok && x.Name == qualifier {
				w.names[n.Sel.Name] = true
			}
			ast.Inspect(n.X, visit)
			return false
		case *ast.InterfaceType:
			for _, method := range n.Methods.List {
				for _, id := range method.Names {
					w.selected[id.Name] = true
				}
			}
		case *ast.Ident:
			if !d.file.members[d.file.offset(n.Pos())] {
				w.names[n.Name] = true
			}
		}
		return true
	}
	ast.Inspect(d.Decl, visit)
}
