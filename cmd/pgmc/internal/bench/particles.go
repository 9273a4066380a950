package bench

import (
	_ "embed"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"

	"github.com/pgmc-go/pgmc/compiler/method/particle"
	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

//go:embed peerparticles.c.txt
var particlesSource string

// manyParticles is the number of particles that a package and its peer draw: the default.
const manyParticles = 1000

// particlesSystem returns constant velocity filtered by particles, and a program in C that draws
// the same ones: its random numbers are those of packages, so that the answers can be compared.
func particlesSystem(slices int, r *rand.Rand) *system {
	l := velocity(2, 0)
	x := kalmanSystem("particles", l, slices, r)
	x.method = particle.Method.Name
	z := []float64{}
	for _, slice := range x.sequence {
		for k := range l.H {
			z = append(z, *slice[len(l.A)+k])
		}
	}
	m := x.model
	text := fmt.Sprintf("#define PARTICLES %d\n#define STATES %d\n#define VARS %d\n", manyParticles, len(l.A), len(m.Vars)) + peerSource +
		particlesSource + drawSlice("first", m) + drawSlice("later", m.Step())
	p := &peer{text: text, data: append([]float64{float64(slices)}, z...), want: func(pkg []float64) []float64 { return pkg[:1+len(l.A)] }}
	p.subject = "C"
	x.peers = []*peer{p}
	return x
}

// drawSlice returns a function in C that draws a slice x of a particle, whose variables before it
// are b, given the measurements z, and returns ln of its weight. All variables are real, and those
// after the states are measured.
func drawSlice(name string, m *model.Model) string {
	text := &strings.Builder{}
	fmt.Fprintf(text, "\nstatic double %s(double *x, const double *b, const double *z)\n{\n\tdouble log = 0, off;\n\t(void)b;\n", name)
	for _, v := range m.Topological() {
		f := m.CPD(v)
		if f == nil {
			continue
		}
		d := f.Gaussian()
		mean, k := fmt.Sprintf("%.17g", d.Mean[0]), 0
		for _, u := range f.Scope {
			switch n := len(m.Vars) - numBefore(m); {
			case u == v:
				continue
			case int(u) >= n:
				mean += fmt.Sprintf(" + %.17g*b[%d]", d.Coef[k], int(u)-n)
			default:
				mean += fmt.Sprintf(" + %.17g*x[%d]", d.Coef[k], u)
			}
			k++
		}
		fmt.Fprintf(text, "#if %d < STATES\n\tx[%d] = %s + %.17g*normal();\n", v, v, mean, math.Sqrt(d.Var[0]))
		fmt.Fprintf(text, "#else\n\toff = z[%d - STATES] - (%s);\n\tlog += -.5*%.17g*off*off - %.17g;\n#endif\n", v, mean, 1/d.Var[0], .5*pgmrt.Ln(2*math.Pi*d.Var[0]))
	}
	text.WriteString("\treturn log;\n}\n")
	return text.String()
}

// numBefore returns the number of variables of the slice before in the network of a step.
func numBefore(m *model.Model) (n int) {
	for _, v := range m.Vars {
		if v.Given {
			n++
		}
	}
	return n
}
