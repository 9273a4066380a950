package filter

import (
	"fmt"

	"github.com/pgmc-go/pgmc/compiler/method/internal/gauss"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
)

// innovation is refused by Check.
func (d *discrete) innovation(*ir.Query) error {
	return fmt.Errorf("filter: innovation needs a network of real variables alone")
}

// innovation plans the moments of the variables of a slice before its evidence is entered. They
// leave by the stream: the means of the variables of [Predicted], then the lower triangle of their
// covariances, in which an infinite variance stands for a diffuse variable.
func (g *gaussian) innovation(q *ir.Query) error {
	g.predict(q, ir.InnovationFirst, g.slice, nil)
	g.predict(q, ir.InnovationNext, g.step, []ir.TableID{g.belief})
	return nil
}

// Predicted returns the variables of a network of real variables about which innovation is: those
// that are neither latent nor given.
func Predicted(m *model.Model) (list []model.VarID) {
	for _, v := range m.Vars {
		if !v.Latent && !v.Given {
			list = append(list, v.ID)
		}
	}
	return list
}

func (g *gaussian) predict(q *ir.Query, name string, m *model.Model, in []ir.TableID) {
	p := g.moments(m, in, nothing)
	e := ir.ScheduleEntry{Stream: &ir.ScheduleStream{In: in}}
	g.evidenceDensity(p, &e)
	vars := Predicted(g.m)
	n := len(vars)
	out := g.add(ir.Table{Name: "moments, " + name, Role: ir.RoleOut, Var: -1, Parts: n + n*(n+1)/2})
	for i, v := range vars {
		p.Write(gauss.Part(out, i).MapPart, p.Of(v))
		for j, w := range vars[:i] {
			p.Write(gauss.Part(out, n+i*(i+1)/2+j).MapPart, p.Between(v, w))
		}
		p.Write(gauss.Part(out, n+i*(i+1)/2+i).MapPart, p.Variance(p.Circuit, v))
	}
	e.Stream.Out = []ir.TableID{out}
	e.Blocks = []int{g.block(name, p.MapOp())}
	g.entry(q, name, e)
}
