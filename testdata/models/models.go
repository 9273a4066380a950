// Package models holds small models as embedded files: those of the examples, of the tests, and of
// the command's demonstration. Each file says where its numbers were published. Reading a file is
// the business of compiler/format.
package models

import (
	"embed"
	"slices"
)

// Files are the models: BIF files, and files of pgmc's own format for what BIF does not hold.
//
//go:embed *.bif *.pgmc.json
var Files embed.FS

// Model describes a model.
type Model struct {
	Name  string
	File  string // in Files
	Shows string // what it is an example of
}

// List has all models, sorted by their names.
var List = []Model{
	{"alarm", "alarm.bif", "a medical network of a usual size: 37 variables"},
	{"asia", "asia.bif", "diagnosis: a small network of causes, diseases and findings"},
	{"cancer", "cancer.bif", "the smallest diagnosis: two causes and two findings"},
	{"chain", "chain.pgmc.json", "real variables: a linear Gaussian network"},
	{"fever", "fever.pgmc.json", "a noisy-or: causes that act independently"},
	{"hospital", "hospital.pgmc.json", "a decision in asia: whether to take a patient into hospital"},
	{"hydro", "hydro.bif", "monitoring of a machine: 39 variables, with logic"},
	{"nile", "nile.pgmc.json", "a Kalman filter: a level that wanders, seen with noise"},
	{"oil", "oil.pgmc.json", "decisions with utilities: to test, and to drill"},
	{"sprinkler", "sprinkler.bif", "explaining away: two causes of wet grass"},
	{"student", "student.bif", "a textbook network with three states and a v-structure"},
	{"umbrella", "umbrella.pgmc.json", "a hidden Markov model: filter, smooth and decode over time"},
	{"waste", "waste.pgmc.json", "discrete and real variables: a conditional Gaussian network"},
	{"weather", "weather.pgmc.json", "the smallest decision: to take an umbrella, given a forecast"},
}

// Find returns the model with a name and the text of its file.
func Find(name string) (m Model, text []byte, ok bool) {
	i := slices.IndexFunc(List, func(m Model) bool { return m.Name == name })
	if i < 0 {
		return Model{}, nil, false
	}
	text, err := Files.ReadFile(List[i].File)
	return List[i], text, err == nil
}
