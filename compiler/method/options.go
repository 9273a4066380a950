package method

import (
	"reflect"
	"strings"

	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/options"
)

// CheckOptions returns an error for each option of x that is out of its range.
func CheckOptions(x Instance, p *ir.Problem) (list diag.List) {
	for _, wrong := range options.Wrong(x) {
		list.Errorf(diag.Pos{File: p.Model.File}, "%v", wrong)
	}
	return list
}

// RunOptions returns the options of T that each run of a program may change: its fields with a tag
// run. The tag is the name in generated packages. A phrase for the comment may follow, after a
// colon, and a note on the default, after a semicolon. Without a phrase it is the help up to a
// semicolon.
func RunOptions[T any]() (list []ir.RunOption) {
	for _, f := range reflect.VisibleFields(reflect.TypeFor[T]()) {
		run, ok := f.Tag.Lookup("run")
		if !ok {
			continue
		}
		run, note, _ := strings.Cut(run, "; ")
		name, doc, ok := strings.Cut(run, ": ")
		if !ok {
			doc, _, _ = strings.Cut(f.Tag.Get("help"), ";")
		}
		list = append(list, ir.RunOption{Name: name, Type: f.Type.String(), Field: f.Name, Doc: doc, Note: note})
	}
	return list
}
