package irtest

import (
	"strings"

	"github.com/pgmc-go/pgmc/ir/model"
)

// Fixtures returns all the small models from the literature.
func Fixtures() []*model.Model {
	return []*model.Model{Asia(), Cancer(), Sprinkler(), Student(), Misconception()}
}

// builder builds models from short texts.
type builder struct {
	*model.Model
	byName map[string]model.VarID
}

func newModel(name string, kind model.Kind) builder {
	return builder{&model.Model{Name: name, Kind: kind}, map[string]model.VarID{}}
}

// vars adds variables with the same states; both are lists of words.
func (b builder) vars(names, states string) {
	for _, name := range strings.Fields(names) {
		b.byName[name] = b.NewVar(name, strings.Fields(states)...).ID
	}
}

func (b builder) scope(names string) []model.VarID {
	var scope []model.VarID
	for _, name := range strings.Fields(names) {
		scope = append(scope, b.byName[name])
	}
	return scope
}

// cpd adds the CPD of the last variable of scope, given the others, as a table.
func (b builder) cpd(scope string, values ...float64) {
	vars := b.scope(scope)
	b.Factors = append(b.Factors, &model.Factor{Scope: vars, Child: len(vars) - 1, Dist: &model.Table{Values: values}})
}

// potential adds a table over scope.
func (b builder) potential(scope string, values ...float64) {
	b.Factors = append(b.Factors, &model.Factor{Scope: b.scope(scope), Child: -1, Dist: &model.Table{Values: values}})
}

// Asia returns the chest clinic: Lauritzen and Spiegelhalter, Local computations with probabilities
// on graphical structures and their application to expert systems, Journal of the Royal Statistical
// Society B 50 (1988), table 1.
func Asia() *model.Model {
	b := newModel("asia", model.Bayes)
	b.vars("asia tub smoke lung bronc either xray dysp", "yes no")
	b.cpd("asia", .01, .99)
	b.cpd("asia tub", .05, .95, .01, .99)
	b.cpd("smoke", .5, .5)
	b.cpd("smoke lung", .1, .9, .01, .99)
	b.cpd("smoke bronc", .6, .4, .3, .7)
	b.cpd("tub lung either", 1, 0, 1, 0, 1, 0, 0, 1)
	b.cpd("either xray", .98, .02, .05, .95)
	b.cpd("either bronc dysp", .9, .1, .7, .3, .8, .2, .1, .9)
	return b.Model
}

// Cancer returns lung cancer with two causes and two findings: Korb and Nicholson, Bayesian
// Artificial Intelligence, 2nd edition (2010), figure 2.1.
func Cancer() *model.Model {
	b := newModel("cancer", model.Bayes)
	b.vars("pollution", "low high")
	b.vars("smoker cancer", "yes no")
	b.vars("xray", "positive negative")
	b.vars("dyspnoea", "yes no")
	b.cpd("pollution", .9, .1)
	b.cpd("smoker", .3, .7)
	b.cpd("pollution smoker cancer", .03, .97, .001, .999, .05, .95, .02, .98)
	b.cpd("cancer xray", .9, .1, .2, .8)
	b.cpd("cancer dyspnoea", .65, .35, .3, .7)
	return b.Model
}

// Sprinkler returns wet grass by rain or sprinkler: Russell and Norvig, Artificial Intelligence: A
// Modern Approach, the multiply connected network of the section on exact inference.
func Sprinkler() *model.Model {
	b := newModel("sprinkler", model.Bayes)
	b.vars("cloudy sprinkler rain wet_grass", "true false")
	b.cpd("cloudy", .5, .5)
	b.cpd("cloudy sprinkler", .1, .9, .5, .5)
	b.cpd("cloudy rain", .8, .2, .2, .8)
	b.cpd("sprinkler rain wet_grass", .99, .01, .9, .1, .9, .1, 0, 1)
	return b.Model
}

// Student returns the grade, SAT and letter of a student: Koller and Friedman, Probabilistic
// Graphical Models (2009), figure 3.4.
func Student() *model.Model {
	b := newModel("student", model.Bayes)
	b.vars("difficulty", "d0 d1")
	b.vars("intelligence", "i0 i1")
	b.vars("grade", "g1 g2 g3")
	b.vars("sat", "s0 s1")
	b.vars("letter", "l0 l1")
	b.cpd("difficulty", .6, .4)
	b.cpd("intelligence", .7, .3)
	b.cpd("intelligence difficulty grade", .3, .4, .3, .05, .25, .7, .9, .08, .02, .5, .3, .2)
	b.cpd("intelligence sat", .95, .05, .2, .8)
	b.cpd("grade letter", .1, .9, .4, .6, .99, .01)
	return b.Model
}

// Misconception returns the Markov network of four students who talk in pairs, which has a loop:
// Koller and Friedman, Probabilistic Graphical Models (2009), figures 4.1 and 4.2; Z is 7,201,840.
func Misconception() *model.Model {
	b := newModel("misconception", model.Markov)
	b.vars("A", "a0 a1")
	b.vars("B", "b0 b1")
	b.vars("C", "c0 c1")
	b.vars("D", "d0 d1")
	b.potential("A B", 30, 5, 1, 10)
	b.potential("B C", 100, 1, 1, 100)
	b.potential("C D", 1, 100, 100, 1)
	b.potential("D A", 100, 1, 1, 100)
	return b.Model
}
