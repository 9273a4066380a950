package answer

import (
	"github.com/dave/jennifer/jen"

	"github.com/pgmc-go/pgmc/codegen/internal/source"
)

// SearchError is a name of the runtime that is part of the API if a query for most probable states
// of some variables searches.
const SearchError = "SearchError"

// FitErrors declares the names of the runtime that are part of the API of queries that fit
// posteriors, except for reports, which several kinds of query share.
func (g *Methods) FitErrors() {
	g.ErrorName("ErrInconsistent", "means that no distribution with the given posteriors was found.")
}

// LoopErrors does the same for queries that a loop answers.
func (g *Methods) LoopErrors() {
	g.ErrorName("ErrOptions", "means that the options of a query are out of range.")
}

// ChainErrors does the same for queries by Markov chains.
func (g *Methods) ChainErrors() {
	g.ErrorName("ErrChain", "means that the options of a query by sampling are out of range.")
	g.ErrorName("ErrStart", "means that no joint state to start from was found that agrees with the evidence.")
	g.Out.Add(source.Doc("SampleReport describes the run of a query by sampling."))
	g.Out.Type().Id("SampleReport").Op("=").Id(g.RT("SampleReport"))
	g.Out.Line()
}

// ClimbErrors does the same for queries by local search.
func (g *Methods) ClimbErrors() {
	g.ErrorName("ErrTrials", "means that the options of a query by trials are out of range.")
	g.ErrorName("ErrStart", "means that no joint state to start from was found that agrees with the evidence.")
}

// WeightErrors does the same for queries by weighted samples.
func (g *Methods) WeightErrors() {
	g.ClimbErrors()
	g.ErrorName("ErrWeights", "means that no sample agrees with the evidence.")
	g.Out.Add(source.Doc("TrialReport describes the run of a query by weighted samples."))
	g.Out.Type().Id("TrialReport").Op("=").Id(g.RT("TrialReport"))
	g.Out.Line()
}

// MomentsName declares the moments of utilities.
func (g *Methods) MomentsName() {
	g.Out.Add(source.Doc("Moments are the mean and the variance of a utility."))
	g.Out.Type().Id("Moments").Op("=").Id(g.RT("Moments"))
	g.Out.Line()
}

// ReportNames declares the names of the runtime that report on iterative queries. Some queries have
// runs that are incomplete, or none has.
func (g *Methods) ReportNames(incomplete bool) {
	g.Out.Add(source.Doc("Report describes the run of an iterative query, and Status how it ended."))
	g.Out.Type().Defs(
		jen.Id("Report").Op("=").Id(g.RT("Report")),
		jen.Id("Status").Op("=").Id(g.RT("Status")),
	)
	g.Out.Line()
	g.Out.Add(source.Doc("The values of Status."))
	g.Out.Const().DefsFunc(func(s *jen.Group) {
		for _, name := range []string{"NotConverged", "Converged", "Incomplete"} {
			if name != "Incomplete" || incomplete {
				s.Id(name).Op("=").Id(g.RT(name))
			}
		}
	})
	g.Out.Line()
}

// DecodeReportNames declares the names of the runtime that report on queries that choose states by
// messages.
func (g *Methods) DecodeReportNames() {
	g.Out.Add(source.Doc("DecodeReport describes the run of a query that chooses states by messages, and DecodeStatus what is known of the states."))
	g.Out.Type().Defs(
		jen.Id("DecodeReport").Op("=").Id(g.RT("DecodeReport")),
		jen.Id("DecodeStatus").Op("=").Id(g.RT("DecodeStatus")),
	)
	g.Out.Line()
	g.Out.Add(source.Doc("The values of DecodeStatus. DecodeInfeasible means that the states have probability 0."))
	g.Out.Const().DefsFunc(func(s *jen.Group) {
		for _, name := range []string{"DecodeNotConverged", "DecodeConverged", "DecodeAmbiguous", "DecodeNotDecodable", "DecodeInfeasible"} {
			s.Id(name).Op("=").Id(g.RT(name))
		}
	})
	g.Out.Line()
}
