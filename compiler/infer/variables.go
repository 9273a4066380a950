package infer

import "github.com/pgmc-go/pgmc/ir/model"

// variables finds variables and states of a model by name.
type variables struct {
	m      *model.Model
	seen   []model.VarID // those that are not latent, in order
	byName map[string]model.VarID
}

func newVariables(m *model.Model) *variables {
	vars := &variables{m: m, byName: map[string]model.VarID{}}
	for _, v := range m.Vars {
		if !v.Latent {
			vars.seen = append(vars.seen, v.ID)
			vars.byName[v.Name] = v.ID
		}
	}
	return vars
}

// find finds a variable that is not latent.
func (vars *variables) find(name string) (model.VarID, error) {
	if v, ok := vars.byName[name]; ok {
		return v, nil
	}
	known := make([]string, len(vars.seen))
	for i, v := range vars.seen {
		known[i] = vars.m.Vars[v].Name
	}
	return 0, &UnknownError{Name: name, Known: known}
}

// all finds several variables.
func (vars *variables) all(names []string) ([]model.VarID, error) {
	list := make([]model.VarID, len(names))
	for i, name := range names {
		var err error
		if list[i], err = vars.find(name); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// state finds a state of v.
func (vars *variables) state(v model.VarID, name string) (int, error) {
	if k, ok := vars.m.StateByName(v, name); ok {
		return k, nil
	}
	return Missing, &UnknownError{Var: vars.m.Vars[v].Name, Name: name, Known: vars.m.States(v)}
}
