package api

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/pgmc-go/pgmc/codegen/internal/names"
	"github.com/pgmc-go/pgmc/codegen/internal/source"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/ir/price"
)

// Identifiers holds the Go names of a model.
type Identifiers struct {
	vars  []*Variable // by model.VarID; nil for latent variables
	Enums []*Enum     // in file order
	Scope *scopes
}

// BatchSuffix ends the names of methods that answer many rows.
const BatchSuffix = "Batch"

// Variable holds the names of a variable: id is its method and its field in structs, json its key
// in JSON, and param its name as a parameter.
type Variable struct {
	Var   *model.Var
	ID    string
	JSON  string
	Param string
	Port  Port
	Enum  *Enum // nil if the variable is not discrete
	Index int   // among the variables that are not latent

	Measured bool // it is real, and the program takes measurements of it
}

// Enum holds the names of the type of states of one or more variables.
type Enum struct {
	index  int
	ID     string
	what   string   // a description for messages
	texts  []string // the texts of its states, all different, none empty
	consts []string // the constants of its states
	vars   []*Variable
}

// card returns the number of states.
func (e *Enum) card() int { return len(e.texts) }

// Const returns the constant of a state.
func (e *Enum) Const(state int) string { return e.consts[state] }

// Unset returns the constant that means not observed.
func (e *Enum) Unset() string { return e.ID + "Unset" }

// dist returns the type of a distribution over the states.
func (e *Enum) dist() string { return e.ID + "Dist" }

// bits returns the size of the type in bits, which holds all states and unset.
func (e *Enum) bits() int {
	if e.card() > 255 {
		return 16
	}
	return 8
}

// full reports whether every value of the type is unset or a state, so that no range must be
// checked.
func (e *Enum) full() bool { return e.card() == 1<<e.bits()-1 }

// OutOfRange returns a condition that x, a value of the type, is neither unset nor a state. It is
// empty if there is no such value.
func (e *Enum) OutOfRange(x string) string {
	if e.full() {
		return ""
	}
	return x + " > " + strconv.Itoa(e.card())
}

// MaskWords returns the number of 64-bit words that a set of states takes. At least one bit belongs
// to no state: it marks a set that was made with a value out of range.
func (e *Enum) MaskWords() int { return e.card()/64 + 1 }

// MaskBits returns the size in bits of a set of states that is an integer.
func (e *Enum) MaskBits() int {
	bits := 8
	for bits <= e.card() {
		bits *= 2
	}
	return bits
}

// Mask returns the type of a set of states.
func (e *Enum) Mask() string { return e.ID + "Mask" }

// SetOf returns the function that makes a set of states.
func (e *Enum) SetOf() string { return e.ID + "Set" }

// enumSuffixes holds the suffixes of the names derived from a type.
var enumSuffixes = []string{"Unset", "Dist", "Values", "Mask", "Set", "Of"}

// columnsSuffix ends the name of the method for the posterior of a variable given columns.
const columnsSuffix = "Columns"

// Everywhere holds the exported names that every package declares for itself, and the methods of
// Evidence.
var Everywhere = []string{
	"All", "Assignment", "Engine", "Evidence", "New", "Pool", "Set", "Soft", "Variable", "Variables",
}

// Vetted holds the methods with types that go vet checks in any type. A query for the posterior of
// a variable is a method of another type.
var Vetted = []string{
	"GobDecode", "GobEncode", "MarshalJSON", "MarshalXML", "ReadByte", "ReadRune", "UnmarshalJSON", "UnmarshalXML", "UnreadByte",
	"UnreadRune", "WriteByte",
}

// scopes holds the identifiers that are taken: decls the declarations of the package, members the
// methods and fields.
type scopes struct{ Decls, Members *names.Scope }

// namer assigns identifiers to the parts of one model.
type namer struct {
	scopes
	m      *model.Model
	names  map[string]string // the identifiers that the user chose
	used   map[string]bool   // keys of names that named something
	shared bool
	enums  map[string]*Enum // by their states if types are shared, by their variable otherwise
}

// nameModel assigns identifiers to the variables, types and states of m. Names that the user chose
// come first, then variables, types and states in file order. No identifier is a reserved one.
func nameModel(m *model.Model, types string, chosen map[string]string, reserved ...string) (*Identifiers, error) {
	n := &namer{
		scopes: scopes{names.NewScope(reserved...), names.NewScope(reserved...)},
		m:      m, names: chosen, used: map[string]bool{}, shared: sharesTypes(m, types), enums: map[string]*Enum{},
	}
	ids := &Identifiers{vars: make([]*Variable, len(m.Vars)), Scope: &n.scopes}
	n.group(ids)
	if err := n.chosen(ids); err != nil {
		return nil, err
	}
	n.variables(ids)
	if n.shared {
		for _, e := range ids.Enums {
			e.ID = n.Decls.Claim(sharedName(e.texts), enumSuffixes...)
			e.what = e.ID
		}
	}
	for _, e := range ids.Enums {
		n.states(e)
	}
	n.jsonKeys(ids)
	n.params(ids)
	return ids, nil
}

// The values of a package's types: one type for each variable, or one for each list of states.
// TypesAuto is TypesOwn for models of at most [price.ManyVars] variables and TypesShared for larger
// ones.
const (
	TypesAuto   = "auto"
	TypesOwn    = "own"
	TypesShared = "shared"
)

// sharesTypes reports whether variables of m with the same states have the same type.
func sharesTypes(m *model.Model, types string) bool {
	if types != TypesAuto && types != "" {
		return types == TypesShared
	}
	return len(m.Vars) > price.ManyVars
}

// group makes a Variable with its port for each variable that is not latent, and collects the
// types.
func (n *namer) group(ids *Identifiers) {
	index := 0
	for _, v := range n.m.Vars {
		if v.Latent {
			continue
		}
		x := &Variable{Var: v, Index: index}
		x.Port = domainOf(v).port(n, ids, x)
		ids.vars[v.ID] = x
		index++
	}
}

// stateTexts returns the text forms of states: their names, with two exceptions. A state without a
// name becomes Empty, since the empty text means not observed. Bytes that are not UTF-8 are
// replaced as encoding/json does, so that texts survive a round trip through JSON.
func stateTexts(states []string) []string {
	texts := slices.Clone(states)
	for i, s := range states {
		base := string([]rune(s))
		if base == "" {
			base = "Empty"
		}
		if base != s {
			names.Claim(base, func(s string) bool { return !slices.Contains(texts, s) }, func(s string) { texts[i] = s })
		}
	}
	return texts
}

// NameError reports that a variable or state cannot have the identifier that the user chose for it.
type NameError struct {
	Key    string // "variable" or "variable.state", as in Options.Names
	reason string
}

// Error returns the quoted key and the reason.
func (e *NameError) Error() string { return source.Quote(e.Key) + " " + e.reason }

func nameErrorf(key, format string, args ...any) error {
	return &NameError{key, fmt.Sprintf(format, args...)}
}

// chosen assigns the identifiers that the user chose.
func (n *namer) chosen(ids *Identifiers) error {
	for _, x := range ids.vars {
		if x == nil {
			continue
		}
		if id, ok := n.choice(x.Var.Name); ok {
			if err := n.chooseVar(x, id); err != nil {
				return err
			}
		}
	}
	for _, x := range ids.vars {
		if x == nil {
			continue
		}
		for i, s := range n.m.States(x.Var.ID) {
			key := x.Var.Name + "." + s
			if id, ok := n.choice(key); ok && !n.isVar(key) {
				if err := n.chooseState(x, i, key, id); err != nil {
					return err
				}
			}
		}
	}
	for _, key := range slices.Sorted(maps.Keys(n.names)) {
		if !n.used[key] {
			return nameErrorf(key, "is neither a variable nor a state of one")
		}
	}
	return nil
}

// choice returns the identifier that the user chose for a key, and marks the key as used.
func (n *namer) choice(key string) (id string, ok bool) {
	id, ok = n.names[key]
	if ok {
		n.used[key] = true
	}
	return id, ok
}

func (n *namer) isVar(name string) bool {
	_, ok := n.m.VarByName(name)
	return ok
}

// chooseVar gives x the identifier that the user chose.
func (n *namer) chooseVar(x *Variable, id string) error {
	if !names.IsExported(id) {
		return nameErrorf(x.Var.Name, "can't be called %s: want an exported identifier in ASCII", source.Quote(id))
	}
	if !n.varFree(id) {
		return nameErrorf(x.Var.Name, "can't be called %s: the name is taken", id)
	}
	n.takeVar(x, id)
	return nil
}

// chooseState gives a state of x the identifier that the user chose for its constant.
func (n *namer) chooseState(x *Variable, state int, key, id string) error {
	if !names.IsExported(id) {
		return nameErrorf(key, "can't be called %s: want an exported identifier in ASCII", source.Quote(id))
	}
	if old := x.Enum.consts[state]; old != "" && old != id {
		return nameErrorf(key, "can't be called %s: it shares its type with a variable whose state is called %s", id, old)
	}
	if x.Enum.consts[state] == "" && !n.Decls.Free(id) {
		return nameErrorf(key, "can't be called %s: the name is taken", id)
	}
	n.Decls.Take(id)
	x.Enum.consts[state] = id
	return nil
}

// variables names the variables for which the user chose no name.
func (n *namer) variables(ids *Identifiers) {
	for _, x := range ids.vars {
		if x != nil && x.ID == "" {
			names.Claim(names.Exported(x.Var.Name, "V", "Unnamed"), n.varFree, func(id string) { n.takeVar(x, id) })
		}
	}
}

// varFree reports whether a variable can have the identifier id.
func (n *namer) varFree(id string) bool {
	return n.Members.Free(id, columnsSuffix) && (n.shared || n.Decls.Free(id, enumSuffixes...))
}

func (n *namer) takeVar(x *Variable, id string) {
	x.ID = id
	n.Members.Take(id, columnsSuffix)
	x.Port.named(n, id)
}

// sharedName returns the name of the type that variables with these states share. It is made of the
// states, or of the first and the last if that would be too long.
func sharedName(texts []string) string {
	const most = 24
	id, n := "", 0
	for _, s := range texts {
		id += names.Exported(s, "S", "Unnamed")
		if n++; len(id) > most {
			break
		}
	}
	if n == len(texts) && len(id) <= most {
		return id
	}
	return names.Exported(texts[0], "S", "Unnamed") + "To" + names.Exported(texts[len(texts)-1], "S", "Unnamed")
}

// states names the constants of a type.
func (n *namer) states(e *Enum) {
	words := intervalWords(e.texts)
	for i, s := range e.texts {
		word := names.Exported(s, "S", "Unnamed")
		if words != nil {
			word = words[i]
		}
		if e.consts[i] == "" {
			e.consts[i] = n.Decls.Claim(e.ID + word)
		}
	}
}

// jsonKeys gives each variable its own name as JSON key, or its identifier if a struct tag cannot
// hold the name.
func (n *namer) jsonKeys(ids *Identifiers) {
	taken := names.NewScope()
	for _, x := range ids.vars {
		if x != nil && tagSafe(x.Var.Name) {
			x.JSON = x.Var.Name
			taken.Take(x.JSON)
		}
	}
	for _, x := range ids.vars {
		if x != nil && x.JSON == "" {
			x.JSON = taken.Claim(x.ID)
		}
	}
}

// tagSafe reports whether encoding/json accepts name as a key in a struct tag.
func tagSafe(name string) bool {
	if name == "" || name == "-" || !utf8.ValidString(name) {
		return false
	}
	for _, r := range name {
		if !strings.ContainsRune("!#$%&()*+-./:;<=>?@[]^_{|}~ ", r) && !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			return false
		}
	}
	return true
}

// notParams holds the names that a parameter must not hide: keywords, predeclared names, imports,
// and names that bodies use.
var notParams = strings.Fields(`break case chan const continue default defer else fallthrough for func go goto if import interface
	map package range return select struct switch type var any append bool byte cap clear close comparable complex complex128
	complex64 copy delete error false float32 float64 imag int int16 int32 int64 int8 iota len make max min new nil panic print
	println real recover rune string true uint uint16 uint32 uint64 uint8 uintptr binary embed errors iter math pgmrt strconv
	strings sync context e s t p at root out err constants program variables names contents numbers`)

// params names each variable as a parameter.
func (n *namer) params(ids *Identifiers) {
	taken := names.NewScope(notParams...)
	for _, x := range ids.vars {
		if x == nil {
			continue
		}
		base := strings.ToLower(x.ID)
		if !taken.Free(base) {
			base += "Is"
		}
		x.Param = taken.Claim(base)
	}
}
