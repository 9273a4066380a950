package beam

import (
	"fmt"
	"reflect"
	"slices"
	"sync"

	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/learn/data"
)

// model is a generated package.
type model struct {
	vars    []data.Var           // that columns can hold
	index   []int                // by variable: its number in the package
	fields  []string             // by variable: its field in Columns
	columns reflect.Type         // Columns
	create  func() reflect.Value // a new engine
}

// models holds the registered packages by name.
var models struct {
	sync.RWMutex
	byName map[string]*model
}

// Register gives a generated package a name, by which pipelines and their workers find it. It must
// be called when the program starts, as in
//
//	var _ = beam.Register("asia", asia.Variables(), asia.New)
//
// since workers run the same program. It panics if the name is taken or the package has no queries
// by column; pgmc compile makes these with logprob, marginals or single posteriors. It returns the
// name.
func Register[V ~struct {
	Name   string
	States []string
}, E any](name string, variables []V, create func() E) string {
	m := &model{create: func() reflect.Value { return reflect.ValueOf(create()) }, columns: columnsOf(reflect.TypeFor[E]())}
	if m.columns == nil {
		panic(fmt.Sprintf("beam: the package %q has no queries by column; want one with the query logprob or marginals", name))
	}
	c := reflect.New(m.columns)
	for i, v := range variables {
		x := struct {
			Name   string
			States []string
		}(v)
		p := c.Interface().(columns).Column(i)
		if p == nil { // latent
			continue
		}
		m.vars = append(m.vars, data.Var{Name: x.Name, States: x.States, Real: x.States == nil})
		m.index = append(m.index, i)
		m.fields = append(m.fields, fieldAt(c.Elem(), reflect.ValueOf(p).Pointer()))
	}
	models.Lock()
	defer models.Unlock()
	if models.byName == nil {
		models.byName = map[string]*model{}
	}
	if models.byName[name] != nil {
		panic(fmt.Sprintf("beam: two packages are registered as %q; want different names", name))
	}
	models.byName[name] = m
	return name
}

// columns is the type Columns of a generated package.
type columns interface{ Column(variable int) any }

// columnsOf returns the type Columns that the methods of an engine take, or nil.
func columnsOf(engine reflect.Type) reflect.Type {
	for i := range engine.NumMethod() {
		if t := engine.Method(i).Type; t.NumIn() == 3 && t.In(1).Implements(reflect.TypeFor[columns]()) {
			return t.In(1).Elem()
		}
	}
	return nil
}

// fieldAt returns the name of the field of a struct that has an address.
func fieldAt(x reflect.Value, at uintptr) string {
	for i := range x.NumField() {
		if x.Field(i).Addr().Pointer() == at {
			return x.Type().Field(i).Name
		}
	}
	panic("beam: a column of the package is no field")
}

// find returns the package of a name.
func find(name string) (*model, error) {
	models.RLock()
	defer models.RUnlock()
	if m := models.byName[name]; m != nil {
		return m, nil
	}
	var names []string
	for known := range models.byName {
		names = append(names, known)
	}
	slices.Sort(names)
	return nil, fmt.Errorf("no package is registered as %q%s; want a call of Register when the program starts", name, diag.DidYouMean(name, names))
}

// variable returns the number of a variable.
func (m *model) variable(name string) (int, error) {
	var names []string
	for i := range m.vars {
		if m.vars[i].Name == name {
			return i, nil
		}
		names = append(names, m.vars[i].Name)
	}
	return 0, fmt.Errorf("unknown variable %q%s", name, diag.DidYouMean(name, names))
}

// method returns the method of engines with a name, or an error that says for what query it is.
func (m *model) method(name, query string) (reflect.Method, error) {
	x, ok := m.create().Type().MethodByName(name)
	if !ok {
		return x, fmt.Errorf("the engine has no method %s; want a package with the query %s", name, query)
	}
	return x, nil
}
