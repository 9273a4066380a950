package codegen

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/pgmc-go/pgmc/codegen/internal/names"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/ir/price"
)

// identifiers holds the Go names of a model.
type identifiers struct {
	vars  []*varID  // by model.VarID; nil for latent variables
	enums []*enumID // in file order
	scope *scopes
}

// varID holds the names of a variable: id is its method and its field in structs, json its key in
// JSON, and param its name as a parameter.
type varID struct {
	v     *model.Var
	id    string
	json  string
	param string
	port  port
	enum  *enumID // nil if the variable is not discrete
	index int     // among the variables that are not latent

	measured bool // it is real, and the program takes measurements of it
}

// enumID holds the names of the type of states of one or more variables.
type enumID struct {
	index  int
	id     string
	what   string   // a description for messages
	texts  []string // the texts of its states, all different, none empty
	consts []string // the constants of its states
	vars   []*varID
}

// card returns the number of states.
func (e *enumID) card() int { return len(e.texts) }

// unset returns the constant that means not observed.
func (e *enumID) unset() string { return e.id + "Unset" }

// dist returns the type of a distribution over the states.
func (e *enumID) dist() string { return e.id + "Dist" }

// bits returns the size of the type in bits, which holds all states and unset.
func (e *enumID) bits() int {
	if e.card() > 255 {
		return 16
	}
	return 8
}

// full reports whether every value of the type is unset or a state, so that no range must be
// checked.
func (e *enumID) full() bool { return e.card() == 1<<e.bits()-1 }

// outOfRange returns a condition that x, a value of the type, is neither unset nor a state. It is
// empty if there is no such value.
func (e *enumID) outOfRange(x string) string {
	if e.full() {
		return ""
	}
	return x + " > " + strconv.Itoa(e.card())
}

// enumSuffixes holds the suffixes of the names derived from a type.
var enumSuffixes = []string{"Unset", "Dist", "Values", "Mask", "Set", "Of"}

// everywhere holds the exported names that every package declares for itself, and the methods of
// Evidence.
var everywhere = []string{
	"All", "Assignment", "Engine", "Evidence", "New", "Pool", "Set", "Soft", "Variable", "Variables",
}

// vetted holds the methods with types that go vet checks in any type. A query for the posterior of
// a variable is a method of another type.
var vetted = []string{
	"GobDecode", "GobEncode", "MarshalJSON", "MarshalXML", "ReadByte", "ReadRune", "UnmarshalJSON", "UnmarshalXML", "UnreadByte",
	"UnreadRune", "WriteByte",
}

// reserved returns the exported names that the package has for any names of the model: of
// declarations, and of methods and fields of types that have others named after variables.
func (g *generator) reserved() []string {
	list := append(g.shown(), everywhere...)
	if g.opt.HTTP {
		list = append(list, httpNames...)
	}
	if g.varParams() {
		list = append(list, paramNames...)
	}
	for _, d := range domainsOf(g.m) {
		list = append(list, d.reserved...)
	}
	if g.allMarginals() {
		list = append(list, "ByName", "Marginals")
		if g.hasLogP() {
			list = append(list, "LogP")
		}
	}
	g.eachAnswer(func(a *answerKind, e *ir.Entry) {
		list = append(list, a.reserved...)
		if a.names != nil {
			list = append(list, a.names(g, e)...)
		}
	})
	return list
}

// shown returns the names of the runtime that are part of the API.
func (g *generator) shown() []string {
	list := slices.Clone(keptNames)
	g.eachAnswer(func(a *answerKind, e *ir.Entry) {
		list = append(list, a.shown...)
		if e.Search && a.kind == ir.MAP {
			list = append(list, searchError)
		}
	})
	h := historiesOf(g.m, g.p)
	if h != nil && (h.mayRefuse || g.recalls()) {
		list = append(list, historiesError)
	}
	if drawnSlice(g.p) != nil || h != nil && h.rule.Beyond != ir.RefuseHistories {
		list = append(list, particlesError)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// scopes holds the identifiers that are taken: decls the declarations of the package, members the
// methods and fields.
type scopes struct{ decls, members *names.Scope }

// namer assigns identifiers to the parts of one model.
type namer struct {
	scopes
	m      *model.Model
	opt    Options
	used   map[string]bool // keys of opt.Names that named something
	shared bool
	enums  map[string]*enumID // by their states if types are shared, by their variable otherwise
}

// nameModel assigns identifiers to the variables, types and states of m. Names that the user chose
// come first, then variables, types and states in file order. No identifier is a reserved one.
func nameModel(m *model.Model, opt Options, reserved ...string) (*identifiers, error) {
	n := &namer{
		scopes: scopes{names.NewScope(reserved...), names.NewScope(reserved...)},
		m:      m, opt: opt, used: map[string]bool{}, shared: sharesTypes(m, opt.Types), enums: map[string]*enumID{},
	}
	ids := &identifiers{vars: make([]*varID, len(m.Vars)), scope: &n.scopes}
	n.group(ids)
	if err := n.chosen(ids); err != nil {
		return nil, err
	}
	n.variables(ids)
	if n.shared {
		for _, e := range ids.enums {
			e.id = n.decls.Claim(sharedName(e.texts), enumSuffixes...)
			e.what = e.id
		}
	}
	for _, e := range ids.enums {
		n.states(e)
	}
	n.jsonKeys(ids)
	n.params(ids)
	return ids, nil
}

// sharesTypes reports whether variables of m with the same states have the same type.
func sharesTypes(m *model.Model, types string) bool {
	if types != TypesAuto && types != "" {
		return types == TypesShared
	}
	return len(m.Vars) > price.ManyVars
}

// group makes a varID with its port for each variable that is not latent, and collects the types.
func (n *namer) group(ids *identifiers) {
	index := 0
	for _, v := range n.m.Vars {
		if v.Latent {
			continue
		}
		x := &varID{v: v, index: index}
		x.port = domainOf(v).port(n, ids, x)
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
func (e *NameError) Error() string { return quote(e.Key) + " " + e.reason }

func nameErrorf(key, format string, args ...any) error {
	return &NameError{key, fmt.Sprintf(format, args...)}
}

// chosen assigns the identifiers that the user chose.
func (n *namer) chosen(ids *identifiers) error {
	for _, x := range ids.vars {
		if x == nil {
			continue
		}
		if id, ok := n.choice(x.v.Name); ok {
			if err := n.chooseVar(x, id); err != nil {
				return err
			}
		}
	}
	for _, x := range ids.vars {
		if x == nil {
			continue
		}
		for i, s := range n.m.States(x.v.ID) {
			key := x.v.Name + "." + s
			if id, ok := n.choice(key); ok && !n.isVar(key) {
				if err := n.chooseState(x, i, key, id); err != nil {
					return err
				}
			}
		}
	}
	for _, key := range slices.Sorted(maps.Keys(n.opt.Names)) {
		if !n.used[key] {
			return nameErrorf(key, "is neither a variable nor a state of one")
		}
	}
	return nil
}

// choice returns the identifier that the user chose for a key, and marks the key as used.
func (n *namer) choice(key string) (id string, ok bool) {
	id, ok = n.opt.Names[key]
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
func (n *namer) chooseVar(x *varID, id string) error {
	if !names.IsExported(id) {
		return nameErrorf(x.v.Name, "can't be called %s: want an exported identifier in ASCII", quote(id))
	}
	if !n.varFree(id) {
		return nameErrorf(x.v.Name, "can't be called %s: the name is taken", id)
	}
	n.takeVar(x, id)
	return nil
}

// chooseState gives a state of x the identifier that the user chose for its constant.
func (n *namer) chooseState(x *varID, state int, key, id string) error {
	if !names.IsExported(id) {
		return nameErrorf(key, "can't be called %s: want an exported identifier in ASCII", quote(id))
	}
	if old := x.enum.consts[state]; old != "" && old != id {
		return nameErrorf(key, "can't be called %s: it shares its type with a variable whose state is called %s", id, old)
	}
	if x.enum.consts[state] == "" && !n.decls.Free(id) {
		return nameErrorf(key, "can't be called %s: the name is taken", id)
	}
	n.decls.Take(id)
	x.enum.consts[state] = id
	return nil
}

// variables names the variables for which the user chose no name.
func (n *namer) variables(ids *identifiers) {
	for _, x := range ids.vars {
		if x != nil && x.id == "" {
			names.Claim(names.Exported(x.v.Name, "V", "Unnamed"), n.varFree, func(id string) { n.takeVar(x, id) })
		}
	}
}

// varFree reports whether a variable can have the identifier id.
func (n *namer) varFree(id string) bool {
	return n.members.Free(id) && (n.shared || n.decls.Free(id, enumSuffixes...))
}

func (n *namer) takeVar(x *varID, id string) {
	x.id = id
	n.members.Take(id)
	x.port.named(n, id)
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
func (n *namer) states(e *enumID) {
	words := intervalWords(e.texts)
	for i, s := range e.texts {
		word := names.Exported(s, "S", "Unnamed")
		if words != nil {
			word = words[i]
		}
		if e.consts[i] == "" {
			e.consts[i] = n.decls.Claim(e.id + word)
		}
	}
}

// jsonKeys gives each variable its own name as JSON key, or its identifier if a struct tag cannot
// hold the name.
func (n *namer) jsonKeys(ids *identifiers) {
	taken := names.NewScope()
	for _, x := range ids.vars {
		if x != nil && tagSafe(x.v.Name) {
			x.json = x.v.Name
			taken.Take(x.json)
		}
	}
	for _, x := range ids.vars {
		if x != nil && x.json == "" {
			x.json = taken.Claim(x.id)
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
func (n *namer) params(ids *identifiers) {
	taken := names.NewScope(notParams...)
	for _, x := range ids.vars {
		if x == nil {
			continue
		}
		base := strings.ToLower(x.id)
		if !taken.Free(base) {
			base += "Is"
		}
		x.param = taken.Claim(base)
	}
}
