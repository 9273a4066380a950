package ep

import (
	"fmt"
	"math"

	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/compiler/method/internal/gauss"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/circuit"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// site is the Gaussian function that stands for a softmax CPD or an expression.
type site struct {
	in       *cluster
	f        *model.Factor
	discrete []model.VarID // of the factor, ascending
	parents  []model.VarID // the real parents that are not given, ascending
	points   []gauss.Point
	// numbers holds, of a softmax CPD, a canonical form of the directions of its real parents. Of
	// an expression it has the parts of regression.
	numbers ir.TableID
	consts  *gauss.Columns
	differ  bool // a softmax CPD of two states, which depends on one direction
}

// The parts of the table of an expression's site; the coefficients of the parents follow.
const (
	regressionMean = iota
	regressionPrecision
	regressionLog
	regressionCoef
)

// real reports whether the site is an expression.
func (s *site) real() bool {
	_, ok := s.f.Dist.(*model.Func)
	return ok
}

// codePoints is the largest number of instructions of the code of one site. More would take long to
// compile.
const codePoints = gauss.MaxPointsCode

// prepare adds the tables of the site and chooses its points.
func (s *site) prepare(b *builder) error {
	s.discrete, s.parents = b.split(s.f.Scope)
	y := s.f.ChildVar()
	if s.real() {
		s.parents = without(s.parents, y)
	}
	s.differ = !s.real() && b.Model.Card(y) == 2
	s.consts = b.columns(b.Model.FactorName(s.f), s.f.Scope[:len(s.f.Scope)-1-len(s.realParents(b))])
	if !s.real() {
		s.consts = b.columns(b.Model.FactorName(s.f), nil)
	}
	size := 8
	if d, ok := s.f.Dist.(*model.Func); ok {
		size = d.Steps()
	} else {
		size = 6 * b.Model.Card(y)
	}
	var err error
	if s.points, err = b.opt.pointsOf(s.dims(), size, s.real()); err != nil {
		return err
	}
	if n := size * len(s.points); n > codePoints {
		return diag.Errorf("variable %q needs %d points of integration in %d dimensions, %d operations; limit: %d; try fewer points, rule %s or %v",
			b.Model.Vars[y].Name, len(s.points), s.dims(), n, codePoints, precision5, b.ctx.By(method.ForwardSamples))
	}
	n := s.dims()
	count := parts(n)
	if s.real() {
		count = regressionCoef + n
	}
	s.numbers = b.Add(ir.Table{Name: fmt.Sprintf("site of %s", b.Model.Vars[y].Name), Scope: s.discrete, Role: ir.RolePersistent, Var: -1, Parts: count})
	c := gauss.NewCode()
	for i := range count {
		c.Write(ir.MapPart{Table: s.numbers, Part: i}, circuit.Zero)
	}
	b.Start = append(b.Start, c.MapOp())
	return nil
}

// without returns list without v.
func without(list []model.VarID, v model.VarID) (out []model.VarID) {
	for _, w := range list {
		if w != v {
			out = append(out, w)
		}
	}
	return out
}

// realParents returns all real parents, in the order of the scope.
func (s *site) realParents(b *builder) []model.VarID {
	_, real := b.Model.SplitParents(s.f)
	return real
}

// dims returns the number of dimensions of the integrals.
func (s *site) dims() int {
	if s.differ {
		return min(1, len(s.parents))
	}
	return len(s.parents)
}

// directions returns the coefficients of the integrals' directions, for each real parent.
func (s *site) directions(b *builder, c *gauss.Code) [][]circuit.Node {
	var out [][]circuit.Node
	if len(s.parents) == 0 {
		return nil
	}
	if s.differ {
		var row []circuit.Node
		_, coef := s.softmax(b, c)
		for _, u := range s.parents {
			w := c.Sub(coef[1][u], coef[0][u])
			row = append(row, c.Prod(c.Prod(c.Const(b.scale[u]), w), b.hidden(c, u)))
		}
		return append(out, row)
	}
	for i, u := range s.parents {
		row := make([]circuit.Node, len(s.parents))
		row[i] = b.hidden(c, u)
		out = append(out, row)
	}
	return out
}

// multiply multiplies a product by the site.
func (s *site) multiply(b *builder, c *gauss.Code, x *product) {
	if s.real() {
		s.regression(b, c, x)
		return
	}
	by := s.directions(b, c)
	n := s.dims()
	f := gauss.NewForm(s.parents)
	at := 1 + n
	for i := range n {
		h := c.Read(gauss.Part(s.numbers, 1+i))
		for j := range i + 1 {
			k := c.Read(gauss.Part(s.numbers, at))
			at++
			for u := range s.parents {
				for w := range u + 1 {
					both := c.Prod(by[i][u], by[j][w])
					if i != j {
						both = c.Sum(both, c.Prod(by[j][u], by[i][w]))
					}
					f.K[u][w] = c.Sum(f.K[u][w], c.Prod(k, both))
				}
			}
		}
		for u := range s.parents {
			f.H[u] = c.Sum(f.H[u], c.Prod(h, by[i][u]))
		}
	}
	x.form = gauss.Product(c.Circuit, []*gauss.Form{x.form, f})
	x.log = c.Sum(x.log, c.Read(gauss.Part(s.numbers, 0)))
}

// regression multiplies a product by the regression that stands for an expression.
func (s *site) regression(b *builder, c *gauss.Code, x *product) {
	y := s.f.ChildVar()
	on, by := []model.VarID{y}, []circuit.Node{b.hidden(c, y)}
	for i, u := range s.parents {
		on = append(on, u)
		by = append(by, c.Neg(c.Prod(c.Read(gauss.Part(s.numbers, regressionCoef+i)), b.hidden(c, u))))
	}
	x.log = c.Sum(x.log, c.Read(gauss.Part(s.numbers, regressionLog)))
	x.square(c, on, by, c.Read(gauss.Part(s.numbers, regressionMean)), c.Read(gauss.Part(s.numbers, regressionPrecision)))
}

// update plans the new numbers of the site.
func (s *site) update(b *builder) {
	if s.real() {
		s.updateRegression(b)
	} else {
		s.updateSoftmax(b)
	}
}

// store plans the numbers of the site: next if flag is 1, and the old ones otherwise, which are
// counted as improper.
func (s *site) store(b *builder, next, flag ir.TableID, count int) {
	chosen := b.parted("chosen numbers", s.discrete, count)
	c := gauss.NewCode()
	use := c.Read(gauss.Part(flag, 0))
	for i := range count {
		c.Write(ir.MapPart{Table: chosen, Part: i}, gauss.Or(c.Circuit, use, c.Read(gauss.Part(next, i)), c.Read(gauss.Part(s.numbers, i))))
	}
	b.run(c)
	b.add(&ir.DampOp{Table: s.numbers, New: chosen, Rate: b.Rate, Residual: b.unused})
	rejected := b.Temp("improper sites")
	c = gauss.NewCode()
	c.Write(ir.MapPart{Table: rejected}, c.Sub(circuit.One, c.Read(gauss.Part(flag, 0))))
	b.run(c)
	b.add(&ir.TallyOp{Kind: ir.TallySum, Factor: 1, Total: b.Improper, In: rejected, Alive: ir.NoTable, Ref: ir.NoTable})
}

// leastNoise is the variance of an expression without noise, in units of the prior.
const leastNoise = gauss.FunctionNoise

// halfLog2Pi is ln(2π)/2.
var halfLog2Pi = .5 * pgmrt.Ln(2*math.Pi)
