package meanfield

import (
	"fmt"
	"slices"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/experiment"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/table"
)

// published holds mean test log-likelihoods of the paper's Bayesian networks, as others got them
// with the same program, WinMine, on the same sets, in the order of experiment.Sets: Gens and
// Domingos 2013, table 2. Jester is from Rooshenas and Lowd 2014, table 1, since later papers
// contradict the former.
var published = []float64{-6.025, -6.041, -2.189, -12.647, -40.501, -53.85, -57.025, -9.697, -36.411, -157.433, -87.555, -158.948}

// report returns all tables and the conclusions.
func (x *Result) report() *experiment.Report {
	engine := "interpreter"
	if x.Engine == "compiled" {
		engine = "packages that were built"
	}
	methods := []string{}
	for _, f := range specs {
		methods = append(methods, f.name)
	}
	return &experiment.Report{
		Intro: "DN, BN: dependency and Bayesian networks with decision trees, kappa chosen by the validation data. MF: mean field; in the DN it averages\n" +
			"probabilities, as the authors' program does, and as MF.log their logarithms, as the paper says. BP: belief propagation.\n" +
			"Gibbs: 100 sweeps and 1,000 that count, averages of probabilities. Times are of a processor, by the " + engine + ".\n",
		Tables: []experiment.Table{x.learned(), x.likelihoods(),
			x.bySet("figure1", "figure 1: CMLL for each variable that is no evidence, over all amounts of evidence, in nats", "%.4f", methods, func(m *Method) any { return average(m.CMLL) }),
			x.bySet("figure2", "figure 2: milliseconds a query, over all amounts of evidence", "%.3f", methods, func(m *Method) any { return 1000 * average(m.Seconds) }),
			x.byEvidence(), x.winTable(), x.cutTable(),
			x.bySet("differences", "root mean squared differences of probabilities from those of DN.MF", "%.5f", methods[1:], func(m *Method) any { return m.RMS }),
			x.bySet("settled", "queries that converged", "%s", []string{"DN.MF", "DN.MF.log", "BN.MF", "BN.BP"}, func(m *Method) any { return table.Percent(average(m.Settled)) })},
		Conclusions: x.Conclusions, Value: x}
}

// newTable returns a table with its headings.
func newTable(name, title string, heads ...string) experiment.Table {
	t := &table.Table{}
	t.Add(heads...)
	return experiment.Table{Name: name, Title: title, Table: t}
}

// withFractions returns headings with a column for each share of evidence.
func (x *Result) withFractions(heads ...string) []string {
	for _, f := range x.Fractions {
		heads = append(heads, fmt.Sprintf("%.0f%%", 100*f))
	}
	return heads
}

// better returns the mark of a number that is significantly better than the other.
func better(p, own, other float64) string {
	if p < significance && own > other {
		return " *"
	}
	return ""
}

// scored returns a score with its standard error, marked if it is significantly better than the
// other.
func scored(score, stderr, p, other float64) string {
	return fmt.Sprintf("%.3f (%.3f)%s", score, stderr, better(p, score, other))
}

// learned returns table 2 without log-likelihoods.
func (x *Result) learned() experiment.Table {
	t := newTable("table2_learning", "table 2: seconds of learning, parameters, and test pseudo-log-likelihood (standard error) in nats a row; * marks the better one where p < 0.05",
		"set", "variables", "test rows", "BN seconds", "DN seconds", "BN parameters", "DN parameters", "BN PLL", "DN PLL", "p")
	for _, r := range x.Sets {
		t.Addf("%s|%d|%d|%.2f|%.2f|%d|%d|%s|%s|%.2g", r.Set, r.Variables, r.TestRows, r.BN.Seconds, r.DN.Seconds, r.BN.Parameters, r.DN.Parameters,
			scored(r.BN.PLL, r.BN.PLLStdErr, r.PLLTest, r.DN.PLL), scored(r.DN.PLL, r.DN.PLLStdErr, r.PLLTest, r.BN.PLL), r.PLLTest)
	}
	return t
}

// likelihoods returns the rest of table 2.
func (x *Result) likelihoods() experiment.Table {
	t := newTable("table2_likelihood", "table 2: test log-likelihood (standard error) in nats a row, that of DN by Gibbs sampling variable by variable, on some rows; of BN also on all, beside what WinMine had",
		"set", "rows", "BN LL", "DN LL", "p", "BN LL, all rows", "published")
	for _, r := range x.Sets {
		t.Addf("%s|%d|%s|%s|%.2g|%.3f|%v", r.Set, r.LLRows, scored(r.BN.LL, r.BN.LLStdErr, r.LLTest, r.DN.LL), scored(r.DN.LL, r.DN.LLStdErr, r.LLTest, r.BN.LL), r.LLTest, r.WholeLL, r.Published)
	}
	return t
}

// bySet returns a table with a row for each set and a column for each method.
func (x *Result) bySet(name, title, format string, methods []string, of func(*Method) any) experiment.Table {
	t := newTable(name, title, append([]string{"set", "rows"}, methods...)...)
	for _, r := range x.Sets {
		cells := []string{r.Set, fmt.Sprint(r.Rows)}
		for _, name := range methods {
			cell := "-"
			if m := r.method(name); m != nil {
				cell = fmt.Sprintf(format, of(m))
			}
			cells = append(cells, cell)
		}
		t.Add(cells...)
	}
	return t
}

// byEvidence returns the numbers that figure 1 averages.
func (x *Result) byEvidence() experiment.Table {
	t := newTable("cmll", "CMLL by amount of evidence", x.withFractions("set", "method")...)
	for _, r := range x.Sets {
		for _, m := range r.Methods {
			cells := []string{r.Set, m.Name}
			for _, c := range m.CMLL {
				cells = append(cells, fmt.Sprintf("%.4f", c))
			}
			t.Add(cells...)
		}
	}
	return t
}

// winTable returns table 3.
func (x *Result) winTable() experiment.Table {
	t := newTable("table3", fmt.Sprintf("table 3: on how many of %d sets the first is better and worse, by amount of evidence; in brackets on how many significantly (p < 0.05)", len(x.Sets)),
		x.withFractions("first", "second")...)
	for _, w := range x.Wins {
		cells := []string{w.First, w.Second}
		for f := range x.Fractions {
			cells = append(cells, fmt.Sprintf("%d-%d (%d-%d)", w.Wins[f], w.Losses[f], w.Significant[f], w.Against[f]))
		}
		t.Add(cells...)
	}
	return t
}

// cutTable compares Gibbs sampling in the time of mean field.
func (x *Result) cutTable() experiment.Table {
	t := newTable("cut", "CMLL of Gibbs sampling that is cut to the time of mean field, or to 20 sweeps where these take longer",
		"set", "DN.MF", "DN.Gibbs cut", "DN.Gibbs", "ms DN.MF", "ms cut", "fewest sweeps", "most sweeps")
	for _, r := range x.Sets {
		field, whole := r.method("DN.MF"), r.method("DN.Gibbs")
		t.Addf("%s|%.4f|%.4f|%.4f|%.3f|%.3f|%d|%d", r.Set, average(field.CMLL), average(r.Cut.CMLL), average(whole.CMLL),
			1000*average(field.Seconds), 1000*average(r.Cut.Seconds), slices.Min(r.CutSweeps), slices.Max(r.CutSweeps))
	}
	return t
}
