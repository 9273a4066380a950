package compiler

import (
	"fmt"
	"strings"

	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/options"
)

// OptionError reports an option that the chosen method does not have.
type OptionError struct {
	Option string // the option's name
	Method string // the name of the chosen method
}

// Error says which methods have the option, and which options the chosen method has.
func (e *OptionError) Error() string { return e.message().Error() }

// With returns the text with options as name writes them.
func (e *OptionError) With(name func(diag.Option) string) string { return e.message().With(name) }

func (e *OptionError) message() *diag.Message {
	has := diag.Errorf("no options")
	if x, err := FindMethod(e.Method); err == nil {
		var own []*diag.Message
		for _, name := range options.Names(x.New()) {
			own = append(own, diag.Errorf("%v", diag.Option{Name: name}))
		}
		if own != nil {
			has = diag.Join(own, ", ")
		}
	}
	of := "no option of any method"
	switch owners := withOption(e.Option); len(owners) {
	case 0:
	case 1:
		of = "an option of method " + owners[0]
	default:
		last := len(owners) - 1
		of = fmt.Sprintf("an option of methods %s and %s", strings.Join(owners[:last], ", "), owners[last])
	}
	return diag.Errorf("%v is %s; method %s has %v", diag.Option{Name: e.Option}, of, e.Method, has)
}

// withOption returns the names of the methods that have an option of that name.
func withOption(name string) (methods []string) {
	for _, x := range Methods {
		if options.Flags(x.New()).Lookup(name) != nil {
			methods = append(methods, x.Name)
		}
	}
	return methods
}

// setByName sets options of instance, which x made; each of settings is name=value.
func setByName(x *method.Method, instance method.Instance, settings []string) error {
	switch err := options.Set(instance, settings...).(type) {
	case nil:
		return nil
	case *options.UnknownError:
		return &OptionError{Option: err.Name, Method: x.Name}
	default:
		return fmt.Errorf("method %s: %w", x.Name, err)
	}
}
