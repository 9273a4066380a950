package stream

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/pgmc-go/pgmc/codegen/internal/source"
	"github.com/pgmc-go/pgmc/ir"
)

// smoothParticles declares the type Particles and the method that weighs particles on the way back,
// and returns how packages smooth with them: by trajectories that are drawn back. The density of a
// trajectory in a slice given a particle of the slice before is the weight of a draw that has
// nothing left to draw: all variables are observed. Proposals by the posterior have an entry for
// that, which draws from the CPDs.
func (g *Methods) smoothParticles(e *ir.Entry) *smoothing {
	g.particles(e)
	draw := e.Stream.Histories.Draw
	weigh := g.Program.Entry(ir.SmoothNext)
	if weigh == nil {
		weigh = g.Program.Entry(ir.FilterNext)
	}
	g.weighBack(weigh)
	g.SoftOf()
	return &smoothing{
		filter:  "*" + particlesType,
		fields:  []jen.Code{jen.Id("back").Op("*").Id(g.RT("BackDraws")), jen.Id("frames").Index().Id(g.RT("ParticleFrame"))},
		holds:   ": the particles of all slices.",
		follows: ", in constant memory: it follows a sequence with particles, and answers about each slice when some more slices are known, by trajectories that are drawn back.",
		exact:   []string{"", fmt.Sprintf("It follows the sequence with as many particles as the package was compiled with, and draws %d trajectories back.", draw.Paths)},
		of:      "estimates of the posteriors", prob: "an unbiased estimate of the probability",
		begin: fmt.Sprintf("if s.f == nil {\n\ts.f, s.back = e.NewParticles(0, 0), %s(%d, %d)\n}\nfor len(s.frames) < n {\n\ts.frames = append(s.frames, %s{})\n}\ns.f.Use(e)\ns.f.Reset()",
			g.RT("NewBackDraws"), draw.Paths, draw.Seed+1, g.RT("ParticleFrame")),
		forward: "if err := s.f.Step(ev, soft, nil); err != nil {\n\treturn err\n}\ns.frames[t%len(s.frames)].Copy(s.f.c)\nreturn nil",
		start:   "s.back.Begin(&s.frames[last%len(s.frames)])",
		over: `
here := &s.frames[t%len(s.frames)]
if t < s.f.Len()-1 { // trajectories are in the slice after it
	if err := s.f.e.weighBack(s.back, here); err != nil {
		return failSlice(out, err)
	}
}
` + g.drawnAnswers("s.back") + "return nil",
	}
}

// weighBack declares the method that draws the particles of the slice before that trajectories go
// back to.
func (g *Methods) weighBack(e *ir.Entry) {
	discrete, real := g.Model.SplitReal(g.Model.IDs())
	fields := &strings.Builder{}
	for _, x := range g.Names.Observable() {
		if k := slices.Index(discrete, x.Var.ID); k >= 0 {
			fmt.Fprintf(fields, "%s: %s(states[%d] + 1), ", x.ID, x.Port.Field(), k)
		} else {
			fmt.Fprintf(fields, "%s: Obs(values[%d]), ", x.ID, slices.Index(real, x.Var.ID))
		}
	}
	in, states, _ := g.enterParticle(e, g.Model.Transition.Before)
	memories := "w := e.work()\n"
	if states != "_" {
		memories += "t := e.state()\n"
	}
	g.Func(source.Doc("weighBack draws the particles of the slice before that trajectories go back to, by the density of each in a slice given each particle."),
		fmt.Sprintf("(e *Engine) weighBack(b *%s, before *%s) error", g.RT("BackDraws"), g.RT("ParticleFrame")), fmt.Sprintf(`
%slog := 0.0
return b.Over(before, func(states []int32, values []float64) error {
	ev := &Evidence{%s}
	var soft *Soft
	%slog, e.rng = scale, &b.Spare
	return nil
}, func(statesBefore []int32, valuesBefore []float64) float64 {
	%sreturn %s
})`, memories, strings.TrimSuffix(fields.String(), ", "), g.Enter(e, "scale", "\treturn err"), in+g.Run(e, e.Blocks), strings.Join([]string{g.particleLog(e), "log"}, " + ")))
}
