package options

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// RangeError reports a value out of the range of its option.
type RangeError struct {
	Name string // of the option
	text string
}

// Error returns the text of the tag wrong.
func (e *RangeError) Error() string { return e.text }

// Check returns the first error of [Wrong], or nil.
func Check(o any) error {
	if wrong := Wrong(o); wrong != nil {
		return wrong[0]
	}
	return nil
}

// mostCount is the largest value of an int with no upper end in its range. No run counts so far,
// and the product of two such numbers does not overflow.
const mostCount = 1_000_000_000

// Wrong returns an error for each option of o, a pointer to a struct, that is out of its range, or
// an int above mostCount with no upper end in its range. It returns errors with the same text once.
func Wrong(o any) (wrong []*RangeError) {
	all := list(o)
	var values []string // {name} and the value, of each option
	texts := map[string]string{}
	for _, x := range all {
		values = append(values, "{"+x.name+"}", x.written())
		texts["="+x.name] = x.field.Tag.Get("wrong")
	}
	for _, x := range all {
		allowed, text := x.field.Tag.Get("range"), x.field.Tag.Get("wrong")
		many := (allowed == "" || strings.HasSuffix(allowed, ",inf)")) && x.value.Kind() == reflect.Int && x.value.Int() > mostCount
		switch {
		case many:
			text = fmt.Sprintf("found %s %s; want at most %d", x.name, x.written(), mostCount)
		case allowed == "" || slices.ContainsFunc(strings.Split(allowed, "|"), x.in):
			continue
		}
		if shared, ok := texts[text]; ok {
			text = shared
		}
		e := &RangeError{Name: x.name, text: strings.NewReplacer(values...).Replace(text)}
		if text == "" {
			e.text = fmt.Sprintf("found %s %s; want %s", x.name, x.written(), x.wanted(allowed))
		}
		if !slices.ContainsFunc(wrong, func(w *RangeError) bool { return w.text == e.text }) {
			wrong = append(wrong, e)
		}
	}
	return wrong
}

// in reports whether the value of x is in a part of its range.
func (x *option) in(part string) bool {
	var v float64
	switch x.value.Kind() {
	case reflect.Int:
		v = float64(x.value.Int())
	case reflect.Uint64:
		v = float64(x.value.Uint())
	case reflect.Float64:
		v = x.value.Float()
	default:
		return fmt.Sprint(x.value) == part
	}
	low, high, interval := strings.Cut(strings.Trim(part, "[]()"), ",")
	if !interval {
		return v == x.number(part)
	}
	a, b := x.number(low), x.number(high)
	return (v > a || v == a && part[0] == '[') && (v < b || v == b && strings.HasSuffix(part, "]"))
}

// number parses a number of the range of x.
func (x *option) number(s string) float64 {
	v, err := strconv.ParseFloat(s, 64)
	if err != nil {
		panic(fmt.Sprintf("options: range %q of field %s: %v", x.field.Tag.Get("range"), x.field.Name, err))
	}
	return v
}

// written returns the value of x as errors show it.
func (x *option) written() string {
	if x.value.Kind() == reflect.String {
		return strconv.Quote(x.value.String())
	}
	return fmt.Sprint(x.value)
}

// wanted describes the range of x.
func (x *option) wanted(allowed string) string {
	if low, ok := strings.CutSuffix(allowed, ",inf)"); ok && low[0] == '[' {
		return "at least " + low[1:]
	}
	parts := strings.Split(allowed, "|")
	last := len(parts) - 1
	if last == 0 {
		return allowed
	}
	return strings.Join(parts[:last], ", ") + " or " + parts[last]
}
