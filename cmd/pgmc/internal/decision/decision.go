package decision

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/compiler/decide"
	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/ir/model"
)

// report holds the answers, by names.
type report struct {
	Utility     float64       `json:"utility"`
	Remark      string        `json:"remark,omitempty"`               // of a diagram without decisions or utilities
	Certain     *float64      `json:"certainty_equivalent,omitempty"` // with a tolerance of risk
	Policies    []policy      `json:"policies"`
	Moments     []moments     `json:"moments,omitempty"` // of the utilities, and last of their sum
	Total       []mass        `json:"distribution,omitempty"`
	Information []information `json:"information,omitempty"`
	Plan        []*step       `json:"plan,omitempty"`  // of a decision analysis network, in place of policies
	Exact       bool          `json:"exact,omitempty"` // with limited memory: no other strategy is better
	Bound       *float64      `json:"bound,omitempty"` // with limited memory: no other strategy has more
	limited     bool
	imposed     bool
	name        string // of the model
	plane       *plane // with a willingness to pay, in place of all else
	picture     []byte // of the strategy or the plane, in the format of the file
}

// moments are the mean and the variance of a utility under the strategy.
type moments struct {
	Utility  string  `json:"utility"`
	Mean     float64 `json:"mean"`
	Variance float64 `json:"variance"`
}

// mass is a value of the sum of the utilities.
type mass struct {
	Utility     float64 `json:"utility"`
	Probability float64 `json:"probability"`
}

// policy is what to choose.
type policy struct {
	Decision string   `json:"decision"`
	Known    []string `json:"known"`
	Choices  []choice `json:"choices"`
	Options  []option `json:"options,omitempty"` // of the first decision, if nothing is known before it
	Cases    *cases   `json:"cases,omitempty"`
	stage    *stage   // of a sequence; nil of a network of one slice
}

// choice is what to choose if the known variables have some states.
type choice struct {
	Given  []string `json:"given"`
	Choose string   `json:"choose"`
}

// option is a state of a decision with the maximum expected utility after it.
type option struct {
	Decision string  `json:"decision,omitempty"` // if it is another one, which could be next in place of that of the case
	State    string  `json:"state"`
	Utility  float64 `json:"utility"`
}

// cases are the cases of a decision that can occur, by all known variables that matter after it.
type cases struct {
	Known []string    `json:"known"`
	List  []worthCase `json:"list"`
}

// worthCase is a case with what the options are worth.
type worthCase struct {
	Given       []string `json:"given"`
	Probability float64  `json:"probability"`
	Options     []option `json:"options"`
	Choose      string   `json:"choose"`
}

// solver asks package decide about one model.
type solver struct {
	m          *model.Model
	template   *model.Model // of which m has all slices; nil if it is of one slice
	likelihood [][]float64
	options    decide.Options
	state      []int // scratch of choices
}

// Run solves the influence diagram at path and prints the solution.
func Run(ctx context.Context, a *cli.App, path string, f *Options) error {
	s, err := f.solver(ctx, a, path)
	if err != nil {
		return err
	}
	if f.Start != "" {
		if s.options.Start, err = s.policies(f.Start); err != nil {
			return err
		}
	}
	defer a.Progress("solving "+path, nil).Stop()
	lasting, cancel := cli.Lasting(ctx, f.Best)
	defer cancel()
	r, err := cli.Await(lasting, func() (*report, error) { return s.report(lasting, ctx, f) })
	if err != nil {
		return fmt.Errorf("%s: %w", path, explained(err))
	}
	return r.write(a, f.File)
}

// solver reads the diagram at path.
func (f *Options) solver(ctx context.Context, a *cli.App, path string) (*solver, error) {
	if err := f.check(); err != nil {
		return nil, err
	}
	given, err := cli.ParseEvidence(f.Evidence, f.Soft, nil)
	if err != nil {
		return nil, err
	}
	rows, err := model.ParseRows(f.Rows.Value)
	if err != nil {
		return nil, cli.UsageError{Err: err}
	}
	m, err := a.Load(ctx, path, f.Format.Value)
	if err != nil {
		return nil, err
	}
	if m, err = f.until(m); err != nil {
		return nil, err
	}
	if err := decide.Check(m); errors.Is(err, decide.ErrHorizon) {
		return nil, fmt.Errorf("%s: %w, such as --horizon 10", path, err)
	} else if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	normal, warnings := m.NormalizeRows(rows)
	a.Warn(warnings.Warnings())
	if err := warnings.Err(); err != nil {
		return nil, err
	}
	s := &solver{m: normal, options: decide.Options{Limited: f.Limited, MaxTable: a.MaxTable,
		RiskTolerance: f.RiskTolerance, Restarts: f.Restarts, Seed: a.Seed, Best: f.Best}}
	if normal.Transition != nil {
		s.template, s.m = normal, normal.Unroll(normal.Diagram.Horizon)
	}
	findings, err := given.Findings(s.m)
	var unknown *infer.UnknownError
	if errors.As(err, &unknown) && unknown.Var == "" && s.template != nil {
		return nil, fmt.Errorf("%s: the variable %q is in none of the slices 0 to %d; want a name such as %q",
			path, unknown.Name, s.template.Diagram.Horizon-1, s.m.Vars[0].Name)
	} else if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if s.likelihood, err = findings.Likelihoods(s.m); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return s, nil
}

// explained returns an error with what is wanted if it is impossible evidence.
func explained(err error) error {
	if errors.Is(err, decide.ErrImpossible) {
		return fmt.Errorf("%w; want states that can occur together", err)
	}
	return err
}

// write prints the report, or writes the strategy to a file.
func (r *report) write(a *cli.App, file string) error {
	if file != "" {
		text, err := r.encode(file)
		if err != nil {
			return err
		}
		out, err := a.ResultFile(file)
		if err != nil {
			return err
		}
		_, err = out.Write(text)
		return out.Finish(err)
	}
	return a.Print(r.answer(), r.text)
}

// answer returns what is printed as JSON.
func (r *report) answer() any {
	if r.plane != nil {
		return r.plane
	}
	return r
}

// report solves the diagram, in the time of a context that may end before the other.
func (s *solver) report(ctx, search context.Context, f *Options) (*report, error) {
	if f.Willingness != "" {
		return s.frontier(search, f)
	}
	x, later, err := s.induction(search, f)
	switch {
	case x != nil || err != nil:
	case f.Strategy != "":
		x, err = s.impose(search, f.Strategy)
	default:
		x, err = decide.Solve(search, s.m, s.likelihood, s.options)
	}
	if err != nil {
		return nil, err
	}
	r := &report{name: s.m.Name, imposed: f.Strategy != "", Utility: x.Utility, Policies: []policy{}, limited: s.options.Limited}
	if r.limited && !r.imposed {
		if r.Exact = x.Bound == x.Utility; !r.Exact && !math.IsInf(x.Bound, 1) {
			r.Bound = &x.Bound
		}
	}
	switch d := s.m.Diagram; {
	case len(d.Utilities) == 0:
		r.Remark = "the diagram has no utilities; all choices are worth 0"
	case len(d.Decisions) == 0:
		r.Remark = "the diagram has no decisions; this is the mean of its utilities"
	}
	if s.m.Diagram.Asymmetry != nil {
		if err := s.plan(ctx, x, f, r); err != nil {
			return nil, err
		}
	}
	policies, err := s.listed(ctx, x, f.Cases, later)
	if err != nil {
		return nil, err
	}
	r.Policies = append(r.Policies, policies...)
	if f.Variance || f.RiskTolerance > 0 {
		if err := s.moments(ctx, x, f, r); err != nil {
			return nil, err
		}
	}
	if f.Information || f.Know != nil {
		if r.Information, err = s.information(search, f); err != nil {
			return nil, err
		}
	}
	if f.draws() {
		r.picture, err = s.tree(ctx, x, f.File)
	}
	return r, err
}

// listed returns the policies of a solution, with their cases if these are wanted, and those of
// later slices.
func (s *solver) listed(ctx context.Context, x *decide.Solution, cases bool, later []*decide.Policy) (list []policy, err error) {
	for i, p := range x.Policies {
		q := s.named(p)
		if i == 0 && len(p.Known) == 0 {
			if q.Options, err = s.alternatives(ctx, x); err != nil {
				return nil, err
			}
		}
		if cases {
			if q.Cases, err = s.cases(ctx, x, i); err != nil {
				return nil, err
			}
		}
		list = append(list, q)
	}
	for _, p := range later {
		list = append(list, s.named(p))
	}
	return list, nil
}

// moments adds the moments and the distribution of the utilities, if flags want them. With a
// tolerance of risk, the utility of the report is the mean, and that of x the certainty equivalent.
func (s *solver) moments(ctx context.Context, x *decide.Solution, f *Options, r *report) error {
	total, err := x.Moments(ctx)
	if err != nil {
		return err
	}
	if f.RiskTolerance > 0 {
		r.Utility, r.Certain = total.Mean, &x.Utility
	}
	if !f.Variance {
		return nil
	}
	for i, u := range s.m.Diagram.Utilities {
		of, err := x.MomentsOf(ctx, i)
		if err != nil {
			return err
		}
		r.Moments = append(r.Moments, moments{u.Name, of.Mean, of.Variance})
	}
	r.Moments = append(r.Moments, moments{"total", total.Mean, total.Variance})
	list, err := x.Distribution(ctx)
	for _, m := range list {
		r.Total = append(r.Total, mass(m))
	}
	return err
}

func (s *solver) names(vars []model.VarID) []string {
	list := []string{}
	for _, v := range vars {
		list = append(list, s.m.Vars[v].Name)
	}
	return list
}

// choices lists the choices of a policy that are possible.
func (s *solver) choices(p *decide.Policy) []choice {
	list := []choice{}
	if s.state == nil {
		s.state = make([]int, len(s.m.Vars))
	}
	state := s.state // zero again after all cases
	for _, c := range p.Choice {
		if c >= 0 {
			given := []string{}
			for _, v := range p.Known {
				given = append(given, s.m.States(v)[state[v]])
			}
			list = append(list, choice{given, s.m.States(p.Decision)[c]})
		}
		s.m.Next(p.Known, state)
	}
	return list
}

// alternatives returns the utility of each state of the first decision, if nothing is known before
// it that matters.
func (s *solver) alternatives(ctx context.Context, x *decide.Solution) (list []option, err error) {
	utilities, err := x.Options(ctx, 0)
	return s.worth(x.Policies[0].Decision, utilities), err
}

// worth returns the options of a decision with utilities.
func (s *solver) worth(d model.VarID, utilities []float64) (list []option) {
	for k, u := range utilities {
		list = append(list, option{State: s.m.States(d)[k], Utility: u})
	}
	return list
}

// cases returns the cases of decision i.
func (s *solver) cases(ctx context.Context, x *decide.Solution, i int) (*cases, error) {
	c, err := x.Cases(ctx, i)
	if err != nil {
		return nil, err
	}
	out := &cases{Known: s.names(c.Known), List: []worthCase{}}
	for _, e := range c.List {
		given := []string{}
		for k, v := range c.Known {
			given = append(given, s.m.States(v)[e.Given[k]])
		}
		out.List = append(out.List, worthCase{given, e.Probability, s.worth(c.Decision, e.Utilities), s.m.States(c.Decision)[e.Choice]})
	}
	return out, nil
}
