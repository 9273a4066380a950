package learn_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"

	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/hillclimb"
	"github.com/pgmc-go/pgmc/learn/learner"
	"github.com/pgmc-go/pgmc/learn/mle"
)

// Learn a network. The type of the options selects the learner.
func Example() {
	r, err := learn.Fit(context.Background(), hillclimb.Options{Score: "bic"}, &learner.Job{Train: garden()})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s %.2f\n", r.Report.Score, r.Report.Total)
	for _, f := range r.Report.Families {
		fmt.Println(f.Variable, f.Parents)
	}
	// Output:
	// bic -175.77
	// rain [wet sprinkler]
	// sprinkler []
	// wet [sprinkler]
}

// Fit the parameters of a network whose structure is known.
func ExampleFitParameters() {
	m := &model.Model{Name: "garden"}
	wet := m.NewVar("wet", "no", "yes")
	rain := m.NewVar("rain", "no", "yes")
	m.Factors = []*model.Factor{
		{Scope: []model.VarID{rain.ID}, Dist: &model.Table{Values: []float64{0.5, 0.5}}},
		{Scope: []model.VarID{rain.ID, wet.ID}, Child: 1, Dist: &model.Table{Values: []float64{0.5, 0.5, 0.5, 0.5}}},
	}
	opt := learn.ParameterOptions{}
	opt.Prior = mle.Prior{Kind: mle.Each, Size: 1}
	r, err := learn.FitParameters(context.Background(), &learner.Job{Init: m, Train: garden()}, opt)
	if err != nil {
		log.Fatal(err)
	}
	p := r.Models[0].Factors[1].Dist.(*model.Table).Values
	fmt.Printf("P(wet | rain) = %.3f\n", p[3])
	// Output:
	// P(wet | rain) = 0.857
}

// Fit a naive Bayes classifier by the conditional likelihood of its class, which gives a logistic
// regression.
func ExampleFitParameters_conditional() {
	m := &model.Model{Name: "garden"}
	half := []float64{0.5, 0.5, 0.5, 0.5}
	rain, sprinkler, wet := m.NewVar("rain", "no", "yes"), m.NewVar("sprinkler", "no", "yes"), m.NewVar("wet", "no", "yes")
	m.Factors = []*model.Factor{
		{Scope: []model.VarID{rain.ID}, Dist: &model.Table{Values: half[:2]}},
		{Scope: []model.VarID{rain.ID, sprinkler.ID}, Child: 1, Dist: &model.Table{Values: half}},
		{Scope: []model.VarID{rain.ID, wet.ID}, Child: 1, Dist: &model.Table{Values: half}},
	}
	opt := learn.ParameterOptions{}
	opt.Conditional = []model.VarID{rain.ID}
	r, err := learn.FitParameters(context.Background(), &learner.Job{Init: m, Train: garden()}, opt)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s %.2f\n", r.Report.Score, r.Report.Total)
	// Output:
	// conditional loglik -38.96
}

// garden returns 100 days: the sprinkler is off when it rains, and either makes the lawn wet.
func garden() *data.Set {
	states := []string{"no", "yes"}
	vars := []data.Var{{Name: "rain", States: states}, {Name: "sprinkler", States: states}, {Name: "wet", States: states}}
	rows := [][]int{{0, 0, 0}, {0, 0, 1}, {0, 1, 0}, {0, 1, 1}, {1, 0, 0}, {1, 0, 1}, {1, 1, 0}, {1, 1, 1}}
	days, err := data.New(vars, rows, []float64{30, 2, 4, 24, 4, 30, 1, 5})
	if err != nil {
		log.Fatal(err)
	}
	return days
}

// Learn from a data file.
func ExampleFitFile() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "days.csv")
	if err := os.WriteFile(path, []byte("rain,wet\n"+strings.Repeat("no,no\n", 30)+strings.Repeat("yes,yes\n", 20)), 0o644); err != nil {
		log.Fatal(err)
	}
	r, err := learn.FitFile(context.Background(), hillclimb.Options{}, path)
	if err != nil {
		log.Fatal(err)
	}
	for _, f := range r.Report.Families {
		fmt.Println(f.Variable, f.Parents)
	}
	// Output:
	// rain [wet]
	// wet []
}

// Every learner takes states. Check refuses real values for a learner that does not take them.
func ExampleCheck() {
	l, err := learn.Find("ldfm")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(l.Name, learn.Check(l, &learner.Job{Train: garden()}) == nil)
	// Output: ldfm true
}

func ExampleFind() {
	l, err := learn.Find("hillclimb")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(l.Name, l.Resumes)
	_, err = learn.Find("hillclimbing")
	fmt.Println(err != nil)
	// Output:
	// hillclimb false
	// true
}

// A variable without values is hidden: EM starts from several points then.
func ExampleHasHidden() {
	m := &model.Model{Name: "garden"}
	for _, name := range []string{"rain", "season", "sprinkler", "wet"} {
		m.NewVar(name, "no", "yes")
	}
	fmt.Println(learn.HasHidden(m, garden()))
	// Output: true
}
