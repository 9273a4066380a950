package irtest

import (
	"flag"
	"math"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/ir/options"
)

// optionTags matches tags with the keys of package options.
var optionTags = regexp.MustCompile(`^opt:"[a-z0-9-]+(,numbered)?"( (default|range|wrong|value|help|run):"[^"]*")+$`)

// CheckOptions checks the options o of a plug-in, a pointer to its defaults: each exported field
// declares an option with a name of its own and a help text, each default is in its range, and each
// range refuses some value with a complete error.
func CheckOptions(t *testing.T, o any) {
	if wrong := options.Wrong(o); wrong != nil {
		t.Errorf("%T has a default out of range: %v", o, wrong[0])
	}
	v := reflect.ValueOf(o).Elem()
	names := map[string]bool{}
	for _, f := range reflect.VisibleFields(v.Type()) {
		if f.Anonymous {
			continue
		}
		tag := string(f.Tag)
		name, _, _ := strings.Cut(f.Tag.Get("opt"), ",")
		switch {
		case !f.IsExported() || !optionTags.MatchString(tag) || f.Tag.Get("help") == "":
			t.Errorf("%T.%s has the tag %s; want an exported field and the keys of package options, opt first", o, f.Name, tag)
		case names[name]:
			t.Errorf("%T has two options %s", o, name)
		case !strings.Contains(f.Tag.Get("help"), f.Tag.Get("value")):
			t.Errorf("%T.%s: the help lacks the value %s", o, f.Name, f.Tag.Get("value"))
		case f.Tag.Get("range") == "" && f.Tag.Get("wrong") != "":
			t.Errorf("%T.%s has an error and no range", o, f.Name)
		case f.Tag.Get("range") != "":
			outOfRange(t, o, name, v.FieldByIndex(f.Index))
		}
		names[name] = true
	}
	options.Flags(o).VisitAll(func(f *flag.Flag) { delete(names, f.Name) })
	if len(names) > 0 {
		t.Errorf("%T has no flags for %v", o, names)
	}
}

// outOfRange sets an option to a value that no range holds.
func outOfRange(t *testing.T, o any, name string, v reflect.Value) {
	before := reflect.ValueOf(v.Interface())
	switch v.Kind() {
	case reflect.String:
		v.SetString("\x00")
	case reflect.Float64:
		v.SetFloat(math.NaN())
	default:
		v.SetInt(math.MinInt64)
	}
	switch wrong := options.Wrong(o); {
	case len(wrong) != 1 || wrong[0].Name != name:
		t.Errorf("%T: %s is %v: got errors %v", o, name, v, wrong)
	case strings.ContainsAny(wrong[0].Error(), "{}=") || !strings.Contains(wrong[0].Error(), "; want "):
		t.Errorf("%T: %s is %v: got error %v", o, name, v, wrong[0])
	}
	v.Set(before)
}
