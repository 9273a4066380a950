package pgmrt

import (
	"errors"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"
)

// light is a table with a variable of three states and a real one.
var light = Names{
	Package: "light",
	Enums:   []Enum{{Name: "Light", What: `variable "light"`, States: []string{"red", "green", `a "b"`}}},
	Vars:    []NamedVar{{Name: "light", Enum: 0}, {Name: "speed", Enum: -1}},
}

// text returns the text of an error, and an empty one for nil.
func text(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func TestStateNames(t *testing.T) {
	for _, c := range []struct {
		state              uint
		name, str, failure string
	}{
		{0, "", "unset", ""},
		{1, "red", "red", ""},
		{3, `a "b"`, `a "b"`, ""},
		{4, "Light(4)", "Light(4)", `light: variable "light" has no state 4`},
	} {
		if got := light.StateName(0, c.state); got != c.name {
			t.Errorf("StateName(%d) = %q; want %q", c.state, got, c.name)
		}
		if got := light.StateString(0, c.state); got != c.str {
			t.Errorf("StateString(%d) = %q; want %q", c.state, got, c.str)
		}
		got, err := light.StateText(0, c.state)
		if text(err) != c.failure || err == nil && (got == nil || string(got) != c.name) {
			t.Errorf("StateText(%d) = %q, %v; want %q, %q", c.state, got, err, c.name, c.failure)
		}
		if err == nil {
			if back, err := light.ParseState(0, string(got)); err != nil || back != c.state {
				t.Errorf("ParseState(%q) = %d, %v; want %d", got, back, err, c.state)
			}
		}
	}
}

func TestNamesErrors(t *testing.T) {
	_, unknown := light.Index(strings.Repeat("x", 61))
	_, noState := light.ParseState(0, "blue")
	for _, c := range []struct {
		err, cause error
		want       string
	}{
		{light.Fail("text", nil), nil, "light: text"},
		{light.Wrap(ErrImpossible), ErrImpossible, "light: the evidence is impossible"},
		{unknown, ErrState, `light: unknown variable "` + strings.Repeat("x", 60) + `..."`},
		{noState, ErrState, `light: variable "light" has no state "blue" (states: [red green a "b"])`},
		{light.BadState(0, 9), ErrState, `light: variable "light" has no state 9 (states: [red green a "b"])`},
		{light.BadSet(0), ErrState, `light: variable "light": a set has a bit beyond the states (states: [red green a "b"])`},
		{light.NotGiven(1), ErrState, `light: variable "speed" is given and not observed; want a value`},
		{light.BadLikelihood(0), ErrLikelihood, `light: variable "light": likelihood holds a number that is negative, infinite or NaN`},
	} {
		if text(c.err) != c.want || c.cause != nil && !errors.Is(c.err, c.cause) {
			t.Errorf("found %q, which wraps %v; want %q, which wraps %v", c.err, errors.Unwrap(c.err), c.want, c.cause)
		}
	}
	if i, err := light.Index("speed"); i != 1 || err != nil {
		t.Errorf("Index(speed) = %d, %v", i, err)
	}
	if light.States(1) != nil || len(light.States(0)) != 3 {
		t.Errorf("states: %q and %q", light.States(0), light.States(1))
	}
}

func TestNamesAll(t *testing.T) {
	values := []string{"", "1.5"}
	got := maps.Collect(light.All(func(i int) string { return values[i] }))
	if len(got) != 1 || got["speed"] != "1.5" {
		t.Errorf("found %q", got)
	}
	values[0] = "red"
	for name := range light.All(func(i int) string { return values[i] }) {
		if name != "light" {
			t.Errorf("%q comes first", name)
		}
		break
	}
}

func TestStatesOfType(t *testing.T) {
	type state uint8
	if got := ValuesOf[state](3); !slices.Equal(got, []state{1, 2, 3}) {
		t.Errorf("values %v", got)
	}
	sum := 0.0
	for s, p := range AllOf[state]([]float64{0.5, 0.25, 0.125}) {
		if s == 3 {
			break
		}
		sum += float64(s) * p
	}
	if sum != 1 {
		t.Errorf("the weighted sum of the first two states is %v; want 1", sum)
	}
	if at, top := Largest([]float64{0, 2, 2}); at != 2 || top != 2 {
		t.Errorf("Largest = %d, %v", at, top)
	}
	if at, top := Largest([]float64{0, 0}); at != 0 || top != 0 {
		t.Errorf("Largest of zeros = %d, %v", at, top)
	}
}

func TestNumbersInJSON(t *testing.T) {
	got, err := NamedNumbers(&light, 0, []float64{0.25, 1e-7, 0})
	const want = `{"red":0.25,"green":1e-07,"a \"b\"":0}`
	if err != nil || string(got) != want {
		t.Errorf("NamedNumbers = %s, %v; want %s", got, err, want)
	}
	const what = `light: variable "light": `
	for _, c := range []struct{ data, failure string }{
		{"null", ""},
		{want, ""},
		{" [0.25, 1e-7,0 ] ", ""},
		{"[0,0,0]", what + "want a likelihood that is not 0 for every state"},
		{"[1,2]", what + "want a likelihood of 3 numbers"},
		{"1", what + "want a likelihood of 3 numbers"},
		{"[1,-2,0]", what + `want a likelihood of finite numbers of at least 0; got "-2"`},
		{`{"red":1,"green":"x","a \"b\"":0}`, what + `want a likelihood of finite numbers of at least 0; got "\"x\""`},
		{`{"red":1,"green":1}`, what + `want a likelihood of exactly the states [red green a "b"]; got {"red":1,"green":1}`},
		{`{"red":1,"red":1}`, what + `the likelihood: the member "red" occurs twice`},
		{`{"red":`, what + "the likelihood: unexpected end of JSON input"},
	} {
		out := []float64{0.25, 1e-7, 0}
		err := ParseNumbers(&light, 0, []byte(c.data), out)
		if text(err) != c.failure || err != nil && !errors.Is(err, ErrLikelihood) {
			t.Errorf("%s: %v; want %q", c.data, err, c.failure)
		}
		if err == nil && !slices.Equal(out, []float64{0.25, 1e-7, 0}) {
			t.Errorf("%s: read %v", c.data, out)
		}
	}
	if _, err := JSONMembers([]byte("[1]")); text(err) != "want a JSON object; got [1]" {
		t.Errorf("an array: %v", err)
	}
}

// band is a type of states.
type band uint8

func TestSetState(t *testing.T) {
	of := func(x float64) band { return band(IntervalOf(x, 1, 2)) }
	for _, c := range []struct {
		text    string
		of      func(float64) band
		want    band
		failure string
	}{
		{"green", nil, 2, ""},
		{"", nil, 0, ""},
		{"1.5", of, 2, ""},
		{"red", of, 1, ""},
		{"1.5", nil, 9, `light: variable "light" has no state "1.5" (states: [red green a "b"])`},
		{"NaN", of, 9, `light: variable "light" has no state "NaN" (states: [red green a "b"])`},
		{"blue", of, 9, `light: variable "light" has no state "blue" (states: [red green a "b"])`},
	} {
		got := band(9)
		if err := SetState(&light, 0, &got, []byte(c.text), c.of); got != c.want || text(err) != c.failure {
			t.Errorf("%q sets %d, %v; want %d, %s", c.text, got, err, c.want, c.failure)
		}
	}
}

func TestIntervalOf(t *testing.T) {
	for x, want := range map[float64]int{math.Inf(-1): 1, -1: 1, -0.5: 2, 3: 2, 3.5: 3, math.Inf(1): 3} {
		if got := IntervalOf(x, -1, 3); got != want {
			t.Errorf("%v is in %d; want %d", x, got, want)
		}
	}
	if got := IntervalOf(math.NaN(), -1, 3); got != 0 {
		t.Errorf("NaN is in %d", got)
	}
}

func TestUnmarshalTextOrNumber(t *testing.T) {
	for data, want := range map[string]string{"null": "none", "1.5": "1.5", `"a\u0062"`: "ab", "": "", "{}": "{}"} {
		got := "none"
		err := UnmarshalTextOrNumber([]byte(data), func(text []byte) error {
			got = string(text)
			return nil
		})
		if err != nil || got != want {
			t.Errorf("%s is %q, %v; want %q", data, got, err, want)
		}
	}
	if UnmarshalTextOrNumber([]byte(`"a`), nil) == nil {
		t.Error("half a string is accepted")
	}
}

func TestEachVar(t *testing.T) {
	list := EachVar(&light, func(name string, states []string) string { return name + strings.Join(states, "|") })
	if want := []string{`lightred|green|a "b"`, "speed"}; !slices.Equal(list, want) {
		t.Errorf("%q; want %q", list, want)
	}
	copied := EachVar(&light, func(_ string, states []string) []string { return states })
	if copied[0][0] = "x"; light.Enums[0].States[0] != "red" || copied[1] != nil {
		t.Error("states are shared, or a real variable has some")
	}
}
