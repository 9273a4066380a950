// Package options holds what the options of methods and learners have in common: a struct of
// exported fields that Go programs fill in and that declares itself as flags.
//
// A plug-in exports a struct Options whose pointer implements [Options], and a function NewOptions
// that returns a pointer to its defaults. Each option is declared once: a field with its meaning, a
// default in NewOptions, and a flag in Bind.
//
//	type Options struct {
//		Damping  float64 // the share of the old message in a new one, at least 0 and below 1
//		Schedule string  // the order of messages: sequential or flooding
//	}
//
//	func NewOptions() *Options { return &Options{Schedule: "sequential"} }
//
//	func (o *Options) Bind(fs *flag.FlagSet) {
//		fs.Float64Var(&o.Damping, "damping", o.Damping, "the share of the old message in a new one")
//		fs.StringVar(&o.Schedule, "schedule", o.Schedule, "the `order` of messages: sequential or flooding")
//	}
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

// Options are the options of a plug-in. A pointer to a struct implements it.
type Options interface {
	// Bind declares a flag for each option in fs. The default of a flag is the option's value at
	// that time, and parsing fs sets the options.
	Bind(fs *flag.FlagSet)
}

// Of returns the options that given means: given itself if it is a pointer of the type of
// defaults, and otherwise a copy of the struct given in which every zero field has the value of
// defaults. A nil given means defaults. Of reports options of any other type as an error.
func Of[O Options](given any, defaults O) (O, error) {
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

// Fill sets every exported field of to that is zero to that of from. The fields of an embedded
// struct count one by one.
func Fill[T any](to, from *T) { fill(reflect.ValueOf(to).Elem(), reflect.ValueOf(from).Elem()) }

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

// Flags returns a set of the flags of o. Parsing or setting a flag sets the option; nothing is ever
// printed.
func Flags(o Options) *flag.FlagSet {
	fs := flag.NewFlagSet("", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	o.Bind(fs)
	return fs
}

// Numbered returns the value of a flag that names variables, factors or states by their numbers in
// a model. Programs set such an option; a command has no flag for it, since its users know names.
func Numbered(s *string) flag.Value { return (*numbered)(s) }

// IsNumbered reports whether the value of f was made by [Numbered].
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
func Set(o Options, settings ...string) error {
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
func Names(o Options) []string { return names(Flags(o)) }

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
