package codegen_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/codegen"
	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/compiler/method/particle"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// TestParticles checks packages with particles of random templates, by each back-end, against the
// interpreter, which package particle compares with exact filters.
func TestParticles(t *testing.T) {
	t.Parallel()
	m := newModule(t, "")
	kinds := []irtest.TemplateOptions{{}, {Latent: true}, {Reals: true, Mixed: true}, {Reals: true, Mixed: true, Givens: true}, {All: true}}
	for _, seed := range irtest.Cases(t, 3, 40) {
		mod := irtest.RandomTemplate(seed, kinds[seed%uint64(len(kinds))])
		by := particle.NewOptions()
		by.Particles, by.Seed, by.Resampling = 60, seed+1, []string{"systematic", "stratified", "residual"}[seed%3]
		if seed%5 != 0 { // ahead, moves, or both
			by.Ahead, by.Moves = int(seed%5)/2*2, int(seed%2)*2
		}
		queries := []string{"filter", "smooth"}
		if kinds[seed%uint64(len(kinds))].Latent { // what follows a particle must be evidence
			queries = queries[:1]
		}
		by.Paths = 20
		if seed%2 == 1 {
			by.Proposal = "posterior"
		}
		opt := compiler.Options{Queries: queries, Method: by}
		name := fmt.Sprintf("drawn%d", seed)
		m.add(t, name, []string{"auto", "unroll", "nest", "tape"}[seed%4], mod, opt, func(*compiler.Result) string {
			var sequences [][]map[string]any
			for k := range uint64(3) {
				sequence, _ := irtest.RandomSequence(mod, 7, 10*seed+k)
				sequences = append(sequences, sequence)
			}
			return particlesTest(t, name, mod, by, seed, sequences, strings.Join(queries, ","))
		})
	}
	for i, name := range []string{"ekf", "ukf", "ekfcircle", "bootstrapcircle", "bootstrapmap"} {
		proposal, round := strings.CutSuffix(name, "circle")
		proposal, look := strings.CutSuffix(proposal, "map")
		mod, by := curve(t), particle.NewOptions()
		switch {
		case round:
			mod = circle(t)
		case look:
			mod = mapped(t)
		}
		by.Particles, by.Seed, by.Proposal, by.Paths = 60, 3, proposal, 20
		m.add(t, name, []string{"auto", "tape", "nest", "auto", "tape"}[i], mod, compiler.Options{Queries: []string{"smooth"}, Method: by}, func(*compiler.Result) string {
			var sequences [][]map[string]any
			for _, y := range []float64{.4, 2.5} {
				sequences = append(sequences, []map[string]any{{"y": y}, {"x": -y}, {}, {"y": 2.4}, {"x": 1.5, "y": y}, {}, {"y": .7}})
			}
			return particlesTest(t, name, mod, by, uint64(i), sequences, "smooth")
		})
	}
	for i, proposal := range []string{"bootstrap", "ekf"} {
		name := "kept" + proposal
		mod, by := irtest.RandomTemplate(uint64(i+2), irtest.TemplateOptions{Reals: true, Mixed: true}), particle.NewRBPFOptions()
		by.Particles, by.Seed, by.Proposal, by.Draw = 40, 3, proposal, mod.Vars[mod.Reals()[0]].Name
		m.add(t, name, []string{"auto", "unroll"}[i], mod, compiler.Options{Queries: []string{"filter"}, Method: by}, func(*compiler.Result) string {
			sequence, _ := irtest.RandomSequence(mod, 7, uint64(i))
			return particlesTest(t, name, mod, by, 3, [][]map[string]any{sequence, sequence}, "filter")
		})
	}
	m.test()
}

// particlesTest returns a check of package name: evidence, and the interpreter's answers to it.
func particlesTest(t *testing.T, name string, mod *model.Model, by method.Options, seed uint64, sequences [][]map[string]any, queries string) string {
	t.Helper()
	e, err := infer.New(t.Context(), mod, infer.Options{Method: by})
	if err != nil {
		t.Fatal(err)
	}
	var cases []sequenceCase
	for k, sequence := range sequences {
		var soft []map[string][]float64
		if k == 2 {
			soft = randomLikelihoods(mod, len(sequence), seed)
		}
		cases = append(cases, sequenceAnswers(t, name, e, sequence, soft, queries))
	}
	data, err := json.Marshal(cases)
	if err != nil {
		t.Fatal(err)
	}
	text := checkText(t, "sequence") + checkText(t, "particles")
	if queries != "filter" {
		text += checkText(t, "particlesmooth")
	}
	return strings.NewReplacer("PACKAGE", name, "CASES", fmt.Sprintf("%q", data), "SEED", fmt.Sprint(seed)).Replace(text)
}

// TestParticlesRefused checks what packages refuse, and what they name instead.
func TestParticlesRefused(t *testing.T) {
	latent := irtest.RandomTemplate(1, irtest.TemplateOptions{})
	latent.Vars[0].Latent = true
	r, err := compiler.Compile(t.Context(), latent, compiler.Options{Queries: []string{"smooth"}, Method: particle.NewOptions()})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := codegen.Emit(r.Model, r.Program, codegen.Options{Package: "p"}); err == nil || !strings.Contains(err.Error(), "no package smooths with particles of latent variables") {
		t.Errorf("error %v; want one about latent variables", err)
	}
}
