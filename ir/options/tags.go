package options

import (
	"flag"
	"fmt"
	"reflect"
	"strings"
)

// option is a field that a tag declares as an option.
type option struct {
	name  string
	field reflect.StructField
	value reflect.Value
}

// list returns the options of o, a pointer to a struct, in the order of its fields.
func list(o any) []option {
	v := reflect.ValueOf(o)
	if v.Kind() != reflect.Pointer || v.Elem().Kind() != reflect.Struct {
		return nil
	}
	return fields(nil, v.Elem())
}

// fields appends the options of a struct to list.
func fields(list []option, v reflect.Value) []option {
	for i := range v.NumField() {
		f := v.Type().Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("opt"), ",")
		switch {
		case name != "":
			list = append(list, option{name, f, v.Field(i)})
		case f.Anonymous && f.Type.Kind() == reflect.Struct:
			list = fields(list, v.Field(i))
		}
	}
	return list
}

// usage returns the help of a flag, in which the name of the value is quoted as package flag wants
// it.
func (x *option) usage() string {
	help, value := x.field.Tag.Get("help"), x.field.Tag.Get("value")
	if value == "" {
		return help
	}
	return strings.Replace(help, value, "`"+value+"`", 1)
}

// bind declares the flag of x.
func (x *option) bind(fs *flag.FlagSet) {
	switch p := x.value.Addr().Interface().(type) {
	case *bool:
		fs.BoolVar(p, x.name, *p, x.usage())
	case *int:
		fs.IntVar(p, x.name, *p, x.usage())
	case *uint64:
		fs.Uint64Var(p, x.name, *p, x.usage())
	case *float64:
		fs.Float64Var(p, x.name, *p, x.usage())
	case *string:
		if strings.HasSuffix(x.field.Tag.Get("opt"), ",numbered") {
			fs.Var((*numbered)(p), x.name, x.usage())
		} else {
			fs.StringVar(p, x.name, *p, x.usage())
		}
	default:
		panic(fmt.Sprintf("options: field %s has type %v; want bool, int, uint64, float64 or string", x.field.Name, x.field.Type))
	}
}
