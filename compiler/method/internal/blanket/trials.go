package blanket

import (
	"errors"
	"slices"

	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// CheckTrials returns the reasons why the method name, with the query word, cannot answer p. If
// valid is false, options describes the invalid options and what is wanted.
func CheckTrials(name string, p *ir.Problem, valid bool, options string) diag.List {
	var list diag.List
	pos := diag.Pos{File: p.Model.File}
	if p.Params == ir.Var {
		list.Errorf(pos, "method %s needs constant parameters; %v", name, method.ConstParams)
	}
	if !valid {
		list.Errorf(pos, "method %s: found %s", name, options)
	}
	return list
}

// Trials builds a schedule of trials: the operations of each section of its chain.
type Trials struct {
	*Plan
	Begin, Start, Step, Finish, Check, End []ir.Op

	run  ir.TrialNumbers[ir.TableID]
	base ir.TableID // the logarithm of the product of the factors without variables
}

// NewTrials returns an empty plan of trials for p.
func NewTrials(p *ir.Problem) *Trials {
	t := &Trials{Plan: New(p)}
	t.run = ir.TrialNumbers[ir.TableID]{Beta: t.Kept("inverse temperature"), Weight: t.Kept("weight"), Score: t.Kept("score"), Best: t.Kept("best"),
		Total: t.Kept("total"), Square: t.Kept("square"), Count: t.Kept("moves"), Error: t.Kept("error")}
	t.base = t.in(Logs, t.Number("factors of nothing", t.constants()))
	t.Start = []ir.Op{t.Copy(t.Alive, t.Number("possible", 1))}
	return t
}

// constants returns the logarithm of the product of the factors without variables.
func (t *Trials) constants() float64 {
	sum := 0.0
	for _, f := range t.Model.Factors {
		if len(f.Scope) == 0 {
			sum += Logs.of(t.Model.Value(f, nil), 1)
		}
	}
	return sum
}

// Fill computes the numbers of all tables. It returns an error if a factor without variables is 0.
func (t *Trials) Fill(c *method.Context) error {
	if t.Schedule.Tables[t.base].Data[0] <= ir.LogZero {
		return errors.New("a factor of no variable is 0, so that no state has any weight")
	}
	return t.FillRows(c)
}

// Trial returns an operation of the given kind without levels and variables.
func (t *Trials) Trial(kind ir.TrialKind) *ir.TrialOp { return &ir.TrialOp{Kind: kind, Run: t.run} }

// Logarithms makes rows use the logarithms of likelihoods, and returns the operation that computes
// them.
func (t *Trials) Logarithms() ir.Op {
	op := t.Trial(ir.TakeLogs)
	for v, l := range t.Lambda {
		log := ir.NoTable
		if l != ir.NoTable {
			id := model.VarID(v)
			log = t.Kept("ln "+t.Model.Vars[v].Name, id)
			op.Vars, op.First, op.Second = append(op.Vars, id), append(op.First, l), append(op.Second, log)
		}
		t.LogLambda = append(t.LogLambda, log)
	}
	return op
}

// Scores returns the operations that set the score to the sum of the logarithms of all factors and
// likelihoods at the current states.
func (t *Trials) Scores(as Numbers) []ir.Op {
	order, op := t.order(), t.Trial(ir.AddScore)
	complete, _ := completed(t.Model, order, make([]bool, len(t.Model.Factors)))
	for i, v := range order {
		op.Levels = append(op.Levels, t.Level(as, []model.VarID{v}, complete[i]))
	}
	return []ir.Op{t.Copy(t.run.Score, t.base), op}
}

// RejectZero returns the operation that sets the weight of a trial to 0 if some factor is 0 at the
// current states. It returns nil if no factor has zeros.
func (t *Trials) RejectZero() []ir.Op {
	order, op := t.order(), t.Trial(ir.RejectZero)
	complete, _ := completed(t.Model, order, make([]bool, len(t.Model.Factors)))
	for i, v := range order {
		zeros := slices.DeleteFunc(complete[i], func(n int) bool { return !t.Model.Factors[n].Dist.HasZeros() })
		if len(zeros) > 0 {
			op.Levels = append(op.Levels, t.Level(Logs, []model.VarID{v}, zeros))
		}
	}
	if op.Levels == nil {
		return nil
	}
	return []ir.Op{op}
}

// LatentStates returns the operation that sets the weight to the logarithm of the number of joint
// states of the latent variables. The operation of Logarithms adds the other variables' logarithm.
func (t *Trials) LatentStates() ir.Op {
	sum := 0.0
	for _, v := range t.Model.Vars {
		if t.Lambda[v.ID] == ir.NoTable {
			sum += pgmrt.Ln(float64(t.Model.Card(v.ID)))
		}
	}
	return t.Copy(t.run.Weight, t.Number("latent states", sum))
}

// Level returns a level that draws vars by factors and their likelihoods.
func (t *Trials) Level(as Numbers, vars []model.VarID, factors []int) ir.TrialLevelOp {
	return ir.TrialLevelOp{RowOp: t.Row(as, vars, factors), Weights: t.Kept("row of "+t.Model.Vars[vars[0]].Name, vars...)}
}

// Moves returns one level for each group, which changes the group given all other variables. Near
// lists the groups that share a factor with it.
func (t *Trials) Moves(as Numbers, groups [][]model.VarID) []ir.TrialLevelOp {
	levels := make([]ir.TrialLevelOp, len(groups))
	group := make([]int, len(t.Model.Vars))
	for i, g := range groups {
		for _, v := range g {
			group[v] = i
		}
	}
	for i, g := range groups {
		factors := t.BlanketFactors(g)
		levels[i] = t.Level(as, g, factors)
		for _, n := range factors {
			for _, v := range t.Model.Factors[n].Scope {
				if group[v] != i {
					levels[i].Near = append(levels[i].Near, int32(group[v]))
				}
			}
		}
		slices.Sort(levels[i].Near)
		levels[i].Near = slices.Compact(levels[i].Near)
	}
	return levels
}

// Weigh returns the operations that clear the weighted counts of all states, that add the weight of
// a sample to them, and that turn them into the answers at the end.
func (t *Trials) Weigh() (clear, add ir.Op, end []ir.Op) {
	var vars []model.VarID
	var first, second, outs []ir.TableID
	for v, out := range t.Outs {
		if out != ir.NoTable {
			id := model.VarID(v)
			vars, outs = append(vars, id), append(outs, out)
			first, second = append(first, t.Kept("weights of "+t.Model.Vars[v].Name, id)), append(second, t.Kept("squares of "+t.Model.Vars[v].Name, id))
		}
	}
	op := func(kind ir.TrialKind) ir.Op {
		x := t.Trial(kind)
		x.Vars, x.First, x.Second = vars, first, second
		return x
	}
	end = []ir.Op{op(ir.MeasureError)}
	for i, out := range outs {
		end = append(end, t.Copy(out, first[i]), &ir.NormalizeOp{Table: out})
	}
	return op(ir.ClearSums), op(ir.AddWeight), end
}

// KeepBest returns the operation that stores the best states so far, and the operations that
// restore them and their score.
func (t *Trials) KeepBest(as Numbers) (keep ir.Op, restore []ir.Op) {
	op := func(kind ir.TrialKind) *ir.TrialOp {
		x := t.Trial(kind)
		x.Vars = t.order()
		return x
	}
	k, r := op(ir.KeepBest), op(ir.RestoreBest)
	for _, v := range k.Vars {
		k.First, k.Second = append(k.First, t.Kept("best of "+t.Model.Vars[v].Name)), append(k.Second, ir.NoTable)
	}
	r.First, r.Second = k.First, k.Second
	return k, append([]ir.Op{r}, t.Scores(as)...)
}

// order returns all variables.
func (t *Trials) order() []model.VarID {
	order := make([]model.VarID, len(t.Model.Vars))
	for v := range order {
		order[v] = model.VarID(v)
	}
	return order
}

// Build returns the plan of query q.
func (t *Trials) Build(q *ir.Query, o ir.ChainOptions, trial ir.TrialOptions) *ir.Plan {
	s := t.Schedule
	chain := &ir.OpChain{ChainOptions: o, TrialOptions: trial, TrialRun: &t.run}
	var blocks []int
	for i, ops := range [][]ir.Op{t.Begin, t.Start, t.Step, t.Finish, t.Check, t.End} {
		if len(ops) > 0 {
			blocks = append(blocks, len(s.Blocks))
			s.Blocks = append(s.Blocks, ir.OpBlock{Name: [...]string{"begin", "start", "step", "finish", "check", "end"}[i], Order: t.order(), Ops: ops})
		}
		if i < len(chain.Cut) {
			chain.Cut[i] = len(blocks)
		}
	}
	entry := ir.ScheduleEntry{Query: q, Blocks: blocks, Root: t.Alive, Chain: chain}
	if q.Kind == ir.Weighted {
		entry.Outs = slices.DeleteFunc(slices.Clone(t.Outs), func(x ir.TableID) bool { return x == ir.NoTable })
	}
	s.Entries = []ir.ScheduleEntry{entry}
	return &ir.Plan{Schedule: s}
}

// NoTrial returns the options of trials that use neither temperatures nor a tabu tenure.
func NoTrial(mode ir.TrialMode) ir.TrialOptions {
	return ir.TrialOptions{Mode: mode, Hot: 1, Cold: 1, Tenure: 1}
}
