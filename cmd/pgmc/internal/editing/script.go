package editing

import (
	"slices"

	"github.com/spf13/pflag"

	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/ir/model/edit"
)

// step is one edit of the command line.
type step struct {
	flag, text string
	apply      operation
}

// operation is an edit of the model of a run.
type operation func(r *run) (*model.Model, []edit.Effect, error)

// Script holds edits in the order of their flags on the command line.
type Script struct{ steps []step }

// flagValue is a flag that adds an edit to a script.
type flagValue struct {
	script *Script
	flag   string
	parse  func(text string) ([]operation, error)
}

// String returns the default of the flag.
func (*flagValue) String() string { return "" }

// Type returns the kind of the value.
func (*flagValue) Type() string { return "string" }

// Set adds an edit.
func (v *flagValue) Set(text string) error {
	list, err := v.parse(text)
	for _, apply := range list {
		v.script.steps = append(v.script.steps, step{v.flag, text, apply})
	}
	return err
}

// AddTo adds the flags of edits.
func (s *Script) AddTo(fl *pflag.FlagSet) {
	for _, f := range []struct {
		name, usage string
		parse       func(text string) ([]operation, error)
	}{
		{"set", "set a probability, a row or parameters: `'lung=yes | smoke=yes: 0.1'`", parseSet},
		{"cpt", "replace a CPD, or the values of a utility, by those in a file: `lung=cpt.csv`", parseCPT},
		{"add", "add a variable with its states, or a real one: `'Z: low high'`, 'Z: real'", parseAdd},
		{"remove", "remove `variables` and their edges", parseRemove},
		{"rename", "give variables other names: `old=new`", parseRename},
		{"states", "give a variable these states, with old=new for another name: `'Z: low mid=middle high'`", parseStates},
		{"edge", "add `edges`: A->B", parseEdge},
		{"remove-edge", "remove `edges`: A->B", parseRemoveEdge},
		{"describe", "describe a variable, or without a name the model, in a file that keeps descriptions (.pgmc.json): `lung=text`", parseDescribe},
	} {
		fl.Var(&flagValue{s, f.name, f.parse}, f.name, f.usage+"; repeatable")
	}
}

// has reports whether an edit came by a flag.
func (s *Script) has(flag string) bool {
	return slices.ContainsFunc(s.steps, func(x step) bool { return x.flag == flag })
}

// Empty reports whether there are no edits.
func (s *Script) Empty() bool { return len(s.steps) == 0 }
