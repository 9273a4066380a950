package decision

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/chart"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/compiler/decide"
	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
)

// best is the name of the strategy with the maximum expected utility.
const best = "best"

// AddStrategy adds the flag --strategy to a command that answers about a model.
func AddStrategy(fl *pflag.FlagSet, value *string) {
	fl.StringVar(value, "strategy", "", "let the decisions of an influence diagram follow a strategy: `best|FILE`, which decide -o writes")
}

// Follow returns the influence diagram m, of the file at path, in which decisions are chance
// variables that follow the strategy of a flag. Decisions that are observed stay as they are. An
// empty strategy changes nothing. Rows of CPDs are those of a policy. Decision analysis networks are
// refused.
func Follow(ctx context.Context, a *cli.App, path string, m *model.Model, known *infer.Findings, rows model.Rows, strategy string) (*model.Model, error) {
	switch {
	case m.Diagram != nil && m.Diagram.Asymmetry != nil:
		return nil, fmt.Errorf("%s: %w", path, errNetwork)
	case strategy == "":
		return m, nil
	}
	x, err := cli.Await(ctx, func() (*decide.Solution, error) { return follow(ctx, a, m, known, rows, strategy) })
	if err != nil {
		return nil, fmt.Errorf("%s: --strategy %s: %w", path, strategy, explained(err))
	}
	return m.Follow(x.Follow().Factors[len(m.Factors):]...), nil
}

// follow finds or reads a strategy.
func follow(ctx context.Context, a *cli.App, m *model.Model, known *infer.Findings, rows model.Rows, strategy string) (*decide.Solution, error) {
	if err := decide.Check(m); err != nil {
		return nil, err
	}
	normal, list := m.NormalizeRows(rows)
	if err := list.Err(); err != nil {
		return nil, err
	}
	taken := make([][]float64, len(m.Vars))
	for i, v := range m.Vars {
		if v.Given {
			taken[i] = known.Likelihood(m, v.ID)
		}
	}
	s := &solver{m: normal, likelihood: taken, options: decide.Options{MaxTable: a.MaxTable}}
	if strategy == best {
		return decide.Solve(ctx, normal, taken, s.options)
	}
	return s.impose(ctx, strategy)
}

// impose returns the solution that follows the strategy of a file.
func (s *solver) impose(ctx context.Context, name string) (*decide.Solution, error) {
	if s.m.Diagram.Asymmetry != nil {
		list, err := read(name, true)
		if err != nil {
			return nil, err
		}
		steps, err := s.histories(list)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		return decide.ImposeSteps(ctx, s.m, s.likelihood, steps, s.options)
	}
	policies, err := s.policies(name)
	if err != nil {
		return nil, err
	}
	return decide.Impose(ctx, s.m, s.likelihood, policies, s.options)
}

// policies reads the policies of a file.
func (s *solver) policies(name string) (policies []*decide.Policy, err error) {
	list, err := read(name, false)
	if err != nil {
		return nil, err
	}
	for i := range list {
		p, err := s.policy(&list[i])
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		policies = append(policies, p)
	}
	return policies, nil
}

// policy resolves the names of a policy.
func (s *solver) policy(q *policy) (*decide.Policy, error) {
	var scope []model.VarID
	for _, name := range append(slices.Clone(q.Known), q.Decision) {
		v, ok := s.m.VarByName(name)
		if !ok || slices.Contains(scope, v.ID) || s.m.IsReal(v.ID) {
			where := ""
			if s.template != nil {
				where = fmt.Sprintf(" in %d slices", s.template.Diagram.Horizon)
			}
			return nil, fmt.Errorf("found the variable %q in the policy of %q; want discrete variables of the model%s, once each", name, q.Decision, where)
		}
		scope = append(scope, v.ID)
	}
	n := len(q.Known)
	p := &decide.Policy{Decision: scope[n], Known: scope[:n]}
	if s.m.Decides(p.Decision) == nil {
		return nil, fmt.Errorf("found a policy of %q, which is no decision; want decisions of the model alone", q.Decision)
	}
	size, ok := s.m.TableSize(p.Known)
	if !ok || s.options.MaxTable > 0 && size > s.options.MaxTable {
		return nil, diag.Errorf("the policy of %q has %.3g cases of %d variables; want at most %v", q.Decision, math.Exp(s.m.LogTableSize(p.Known)), n, diag.Option{Name: "max-table", Value: strconv.Itoa(s.options.MaxTable)})
	}
	p.Choice = slices.Repeat([]int{-1}, size)
	for _, c := range q.Choices {
		if len(c.Given) != n {
			return nil, fmt.Errorf("a case of %q has %d states; want %d", q.Decision, len(c.Given), n)
		}
		at := 0
		for k, name := range append(slices.Clone(c.Given), c.Choose) {
			state, ok := s.m.StateByName(scope[k], name)
			switch {
			case !ok:
				return nil, fmt.Errorf("found %q in the policy of %q; want a state of %q", name, q.Decision, s.m.Vars[scope[k]].Name)
			case k < n:
				at = at*s.m.Card(scope[k]) + state
			case p.Choice[at] >= 0:
				return nil, fmt.Errorf("the policy of %q has the case %q twice; want each case once", q.Decision, c.Given)
			default:
				p.Choice[at] = state
			}
		}
	}
	return p, nil
}

// read reads the policies of a file. Those of a network have cases with states in various columns.
func read(name string, network bool) ([]policy, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	var r report
	if strings.EqualFold(filepath.Ext(name), ".csv") {
		r.Policies, err = readCSV(text, network)
	} else if err = json.Unmarshal(text, &r); r.Plan != nil {
		r.Policies = policies(r.Plan)
	} else if err == nil && r.Policies == nil {
		err = errors.New("found no policies")
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w; want a strategy as decide -o writes it", name, err)
	}
	return r.Policies, nil
}

// encode returns the report as the file of a strategy.
func (r *report) encode(name string) ([]byte, error) {
	switch ext := filepath.Ext(name); {
	case strings.EqualFold(ext, ".csv"):
		return r.csv()
	case strings.EqualFold(ext, ".json"):
		text, err := json.MarshalIndent(r.answer(), "", "  ")
		return append(text, '\n'), err
	case chart.IsPicture(name):
		return r.picture, nil
	case strings.EqualFold(ext, ".html"):
		return r.html()
	}
	return nil, cli.Usagef("-o %s: want a name that ends in .csv, .json, .svg, .png, .pdf or .html", name)
}

// csv returns a line for each case: the decision, the states of what its policy looks at, and the
// choice.
func (r *report) csv() ([]byte, error) {
	head, list := []string{"decision"}, r.Policies
	if r.Plan != nil {
		list = policies(r.Plan)
	}
	for _, p := range list {
		for _, v := range p.Known {
			if !slices.Contains(head[1:], v) {
				head = append(head, v)
			}
		}
	}
	lines := [][]string{append(slices.Clone(head), "choose")}
	for _, p := range list {
		for _, c := range p.Choices {
			line := make([]string, len(head)+1)
			line[0], line[len(head)] = p.Decision, c.Choose
			for k, v := range p.Known {
				line[1+slices.Index(head[1:], v)] = c.Given[k]
			}
			lines = append(lines, line)
		}
	}
	var b bytes.Buffer
	err := csv.NewWriter(&b).WriteAll(lines)
	return b.Bytes(), err
}

// readCSV reads what csv writes. The cases of a decision have states in the same columns, unless
// they are those of a network.
func readCSV(text []byte, network bool) (list []policy, err error) {
	lines, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	if err != nil {
		return nil, err
	}
	if len(lines) == 0 || len(lines[0]) < 2 || lines[0][0] != "decision" || lines[0][len(lines[0])-1] != "choose" {
		return nil, errors.New("the first column is not \"decision\", or the last one not \"choose\"")
	}
	last := len(lines[0]) - 1
	for i, line := range lines[1:] {
		c, known := choice{Given: []string{}, Choose: line[last]}, []string{}
		for k, state := range line[1:last] {
			if state != "" || network {
				c.Given, known = append(c.Given, state), append(known, lines[0][1+k])
			}
		}
		at := slices.IndexFunc(list, func(p policy) bool { return p.Decision == line[0] })
		if at < 0 {
			at, list = len(list), append(list, policy{Decision: line[0], Known: known})
		}
		if !slices.Equal(list[at].Known, known) {
			return nil, fmt.Errorf("line %d has states of %q, and the first case of %q has states of %q", i+2, known, line[0], list[at].Known)
		}
		list[at].Choices = append(list[at].Choices, c)
	}
	return list, nil
}
