// Package options holds what the options of methods and learners have in common: a struct of
// exported fields that Go programs fill in, and that declares flags, defaults and ranges in the
// tags of its fields.
//
//	type Options struct {
//		Damping  float64 `opt:"damping" help:"weight of the old message in a new one" range:"[0,1)"`
//		Schedule string  `opt:"schedule" default:"tree" help:"order of messages" range:"tree|flooding"`
//	}
//
//	func NewOptions() *Options { return options.New[Options]() }
//
// A field with the tag opt is an option: a bool, int, uint64, float64 or string. The tags are:
//
//	opt      the name; "name,numbered" is an option of Go programs alone, see [IsNumbered]
//	default  the value that New sets; the zero value without it
//	help     the meaning
//	value    the word of help that names the value, if it has one
//	range    the values that Wrong accepts, separated by |: words, numbers or intervals such as
//	         [1,64], (0,1] and [0,inf); all values without it
//	wrong    the error of a value out of range, in which {name} is the value of an option; =name is
//	         the error of that option, and without wrong Wrong writes one
//	run      what each run of a compiled program may change; see method.RunOptions
//
// The options of an embedded struct are options of the struct itself.
//
// Options are given as a value or as a pointer, and [Of] reads both. In a value, as in
// Options{Damping: .2}, a zero field means its default. A pointer, as NewOptions returns it, is
// taken exactly as it is, so that a zero means zero.
//
// The package depends on no plug-in, and on the command line only through package flag.
package options

import (
	"flag"
	"fmt"
	"io"
	"reflect"
	"strings"
)

// New returns options with their defaults.
func New[T any]() *T {
	o := new(T)
	fs := Flags(o)
	for _, x := range list(o) {
		if text, ok := x.field.Tag.Lookup("default"); ok {
			if err := fs.Set(x.name, text); err != nil {
				panic(fmt.Sprintf("options: default %q of %T.%s: %v", text, o, x.field.Name, err))
			}
		}
	}
	return o
}

// Of returns the options that given means: given itself if it is a pointer of the type of
// defaults, and otherwise a copy of the struct given in which every zero field has the value of
// defaults. A nil given means defaults. Of reports options of any other type as an error.
func Of[O any](given any, defaults O) (O, error) {
	if given == nil {
		return defaults, nil
	}
	if o, ok := given.(O); ok && reflect.TypeOf(given) == reflect.TypeOf(defaults) {
		return o, nil
	}
	from := reflect.ValueOf(defaults).Elem()
	if reflect.TypeOf(given) != from.Type() {
		var none O
		return none, fmt.Errorf("options of type %T; want %v", given, from.Type())
	}
	to := reflect.New(from.Type())
	to.Elem().Set(reflect.ValueOf(given))
	fill(to.Elem(), from)
	return to.Interface().(O), nil
}

// fill sets every exported field of to that is zero to that of from. The fields of an embedded
// struct count one by one.
func fill(to, from reflect.Value) {
	for i := range to.NumField() {
		switch f := to.Type().Field(i); {
		case f.Anonymous && f.Type.Kind() == reflect.Struct:
			fill(to.Field(i), from.Field(i))
		case f.IsExported() && to.Field(i).IsZero():
			to.Field(i).Set(from.Field(i))
		}
	}
}

// Copy sets each field of to, a pointer to a struct, to the field of the same name in from, if
// from, a pointer to another struct, has one.
func Copy(to, from any) {
	target, source := reflect.ValueOf(to).Elem(), reflect.ValueOf(from).Elem()
	for _, f := range reflect.VisibleFields(target.Type()) {
		if x := source.FieldByName(f.Name); x.IsValid() && !f.Anonymous {
			target.FieldByIndex(f.Index).Set(x)
		}
	}
}

// Part returns the fields of T, a struct, that from, a pointer to a struct, has too.
func Part[T any](from any) (to T) {
	Copy(&to, from)
	return to
}

// Flags returns a set with a flag for each option of o, a pointer to a struct. The default of a
// flag is the option's value. Parsing or setting a flag sets the option; nothing is ever printed.
func Flags(o any) *flag.FlagSet {
	fs := flag.NewFlagSet("", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	for _, x := range list(o) {
		x.bind(fs)
	}
	return fs
}

// IsNumbered reports whether f is an option that names variables, factors or states by their
// numbers in a model. Programs set it; a command has no flag for it, since its users know names.
func IsNumbered(f *flag.Flag) bool {
	_, ok := f.Value.(*numbered)
	return ok
}

type numbered string

// String returns the text.
func (n *numbered) String() string { return string(*n) }

// Set sets the text.
func (n *numbered) Set(s string) error {
	*n = numbered(s)
	return nil
}

// Set sets options by the names of their flags; each element of settings is name=value. An unknown
// name is an [UnknownError], and a value that its flag refuses is a [ValueError].
func Set(o any, settings ...string) error {
	fs := Flags(o)
	for _, s := range settings {
		name, value, _ := strings.Cut(s, "=")
		if fs.Lookup(name) == nil {
			return &UnknownError{Name: name, Known: names(fs)}
		}
		if err := fs.Set(name, value); err != nil {
			return &ValueError{Name: name, Value: value, Err: err}
		}
	}
	return nil
}

// Names lists the flags of o in alphabetical order.
func Names(o any) []string { return names(Flags(o)) }

func names(fs *flag.FlagSet) (list []string) {
	fs.VisitAll(func(f *flag.Flag) { list = append(list, f.Name) })
	return list
}

// UnknownError reports the name of an option that does not exist.
type UnknownError struct {
	Name  string
	Known []string // the existing options, in alphabetical order
}

// Error names the unknown option and lists the known ones.
func (e *UnknownError) Error() string {
	if len(e.Known) == 0 {
		return fmt.Sprintf("there is no option %q, nor any other", e.Name)
	}
	return fmt.Sprintf("there is no option %q; want one of %s", e.Name, strings.Join(e.Known, ", "))
}

// ValueError reports a value that an option cannot have.
type ValueError struct {
	Name, Value string
	Err         error // from the flag
}

// Error names the option, the value, and the mistake.
func (e *ValueError) Error() string {
	return fmt.Sprintf("option %s is %q: %v", e.Name, e.Value, e.Err)
}

// Unwrap returns the flag's error.
func (e *ValueError) Unwrap() error { return e.Err }
