package compiler

import (
	"flag"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/eval"
)

// queriesFor are the specifications of queries where the method of the given name is asked for: an iterating method has one of its own.
func queriesFor(name string, specs []string) []string {
	if m, err := FindMethod(name); err == nil && m.Answers != nil && len(specs) == 0 {
		return []string{m.Answers.Word}
	}
	return specs
}

// methodOf is the method that queries which iterate ask for themselves, where asked leaves it open. Such a query stands alone, since its
// answers are of another kind than exact ones.
func methodOf(queries []*ir.Query, asked string) (string, error) {
	i := slices.IndexFunc(queries, func(q *ir.Query) bool { return q.Method != "" })
	if i < 0 || asked != "" && asked != Auto {
		return asked, nil
	}
	if len(queries) > 1 {
		other := queries[(i+1)%len(queries)]
		return "", fmt.Errorf("query %s stands beside %s; compile it into a package of its own", queries[i].Word(), other.Word())
	}
	return queries[i].Method, nil
}

// adopt gives queries that several methods answer to the one that is asked for.
func adopt(queries []*ir.Query, asked string) {
	m, err := FindMethod(asked)
	if err != nil || m.Answers == nil {
		return
	}
	for _, q := range queries {
		if q.By != nil && q.By.Word == m.Answers.Word {
			q.Method, q.By = m.Name, m.Answers
		}
	}
}

// setOptions sets the options of a method as name=value says, and that of seed, where it has one and nothing says it, to the compiler's.
func setOptions(name string, x method.Instance, seed uint64, options []string) error {
	fs := flag.NewFlagSet(name, flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	x.Options(fs)
	if fs.Lookup("seed") != nil {
		fs.Set("seed", strconv.FormatUint(seed, 10))
	}
	for _, o := range options {
		key, value, _ := strings.Cut(o, "=")
		if fs.Lookup(key) == nil {
			var names []string
			fs.VisitAll(func(f *flag.Flag) { names = append(names, f.Name) })
			if names == nil {
				names = []string{"none"}
			}
			return fmt.Errorf("method %s has no option %q; its options: %s", name, key, strings.Join(names, ", "))
		}
		if err := fs.Set(key, value); err != nil {
			return fmt.Errorf("method %s: option %s is %q: %w", name, key, value, err)
		}
	}
	return nil
}

// loopPartition sets Program.LogZ of a Markov network to what the loop of e estimates without evidence.
func (s *state) loopPartition(e *ir.Entry) error {
	machine := eval.New(s.program, s.problem.Model)
	if err := machine.RunContext(s.ctx, e); err != nil {
		return fmt.Errorf("the potentials leave no state of positive weight: %w", err)
	}
	s.program.LogZ = machine.LogP()
	return nil
}
