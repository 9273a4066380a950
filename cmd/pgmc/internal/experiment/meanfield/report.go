package meanfield

import (
	"fmt"
	"math"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/experiment"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/table"
)

// published holds mean test log-likelihoods of the paper's Bayesian networks, as others got them
// with the same program, WinMine, on the same sets, in the order of experiment.Sets: Gens and
// Domingos 2013, table 2. Jester is from Rooshenas and Lowd 2014, table 1, since later papers
// contradict the former.
var published = []float64{-6.025, -6.041, -2.189, -12.647, -40.501, -53.85, -57.025, -9.697, -36.411, -157.433, -87.555, -158.948}

// text returns the tables and conclusions as text.
func (x *Result) text() string {
	text := "DN, BN: dependency and Bayesian networks with decision trees, kappa chosen by the validation data. MF: mean field; in the DN it averages\n" +
		"probabilities, as the authors' program does, and as MF.log their logarithms, as the paper says. BP: belief propagation.\n" +
		"Gibbs: 100 sweeps and 1,000 that count, averages of probabilities. Times are of a processor, by the " + engineName(x.Engine) + ".\n"
	for _, t := range x.shown() {
		t.AlignRight()
		text += "\n" + t.title + "\n" + t.String()
	}
	return text + "\n" + experiment.ConclusionText(x.Conclusions)
}

func engineName(engine string) string {
	if engine == "compiled" {
		return "packages that were built"
	}
	return "interpreter"
}

// tables returns the tables for files.
func (x *Result) tables() (list []experiment.Table) {
	for _, t := range x.shown() {
		list = append(list, experiment.Table{Name: t.name, Table: &t.Table})
	}
	return list
}

// reportTable is a table with its title and the name of its file.
type reportTable struct {
	name, title string
	table.Table
}

// shown returns all tables.
func (x *Result) shown() []*reportTable {
	methods := []string{}
	for _, f := range specs {
		methods = append(methods, f.name)
	}
	return []*reportTable{x.learned(), x.likelihoods(),
		x.bySet("figure1", "figure 1: CMLL for each variable that is no evidence, over all amounts of evidence, in nats", methods, func(_ *Report, m *Method) string {
			return fmt.Sprintf("%.4f", average(m.CMLL))
		}),
		x.bySet("figure2", "figure 2: milliseconds a query, over all amounts of evidence", methods, func(_ *Report, m *Method) string {
			return fmt.Sprintf("%.3f", 1000*average(m.Seconds))
		}),
		x.byEvidence(), x.winTable(), x.cutTable(),
		x.bySet("differences", "root mean squared differences of probabilities from those of DN.MF", methods[1:], func(_ *Report, m *Method) string {
			return fmt.Sprintf("%.5f", m.RMS)
		}),
		x.bySet("settled", "queries that converged", []string{"DN.MF", "DN.MF.log", "BN.MF", "BN.BP"}, func(_ *Report, m *Method) string {
			return table.Percent(average(m.Settled))
		})}
}

// better returns the mark of a number that is significantly better than the other.
func better(p, own, other float64) string {
	if p < significance && own > other {
		return " *"
	}
	return ""
}

// learned returns table 2 without log-likelihoods.
func (x *Result) learned() *reportTable {
	t := &reportTable{name: "table2_learning", title: "table 2: seconds of learning, parameters, and test pseudo-log-likelihood (standard error) in nats a row; * marks the better one where p < 0.05"}
	t.Add("set", "variables", "test rows", "BN seconds", "DN seconds", "BN parameters", "DN parameters", "BN PLL", "DN PLL", "p")
	for _, r := range x.Sets {
		t.Add(r.Set, fmt.Sprint(r.Variables), fmt.Sprint(r.TestRows), fmt.Sprintf("%.2f", r.BN.Seconds), fmt.Sprintf("%.2f", r.DN.Seconds), fmt.Sprint(r.BN.Parameters), fmt.Sprint(r.DN.Parameters),
			fmt.Sprintf("%.3f (%.3f)%s", r.BN.PLL, r.BN.PLLStdErr, better(r.PLLTest, r.BN.PLL, r.DN.PLL)), fmt.Sprintf("%.3f (%.3f)%s", r.DN.PLL, r.DN.PLLStdErr, better(r.PLLTest, r.DN.PLL, r.BN.PLL)),
			fmt.Sprintf("%.2g", r.PLLTest))
	}
	return t
}

// likelihoods returns the rest of table 2.
func (x *Result) likelihoods() *reportTable {
	t := &reportTable{name: "table2_likelihood", title: "table 2: test log-likelihood (standard error) in nats a row, that of DN by Gibbs sampling variable by variable, on some rows; of BN also on all, beside what WinMine had"}
	t.Add("set", "rows", "BN LL", "DN LL", "p", "BN LL, all rows", "published")
	for _, r := range x.Sets {
		t.Add(r.Set, fmt.Sprint(r.LLRows), fmt.Sprintf("%.3f (%.3f)%s", r.BN.LL, r.BN.LLStdErr, better(r.LLTest, r.BN.LL, r.DN.LL)),
			fmt.Sprintf("%.3f (%.3f)%s", r.DN.LL, r.DN.LLStdErr, better(r.LLTest, r.DN.LL, r.BN.LL)), fmt.Sprintf("%.2g", r.LLTest), fmt.Sprintf("%.3f", r.WholeLL), fmt.Sprint(r.Published))
	}
	return t
}

// bySet returns a table with a row for each set and a column for each method.
func (x *Result) bySet(name, title string, methods []string, show func(*Report, *Method) string) *reportTable {
	t := &reportTable{name: name, title: title}
	t.Add(append([]string{"set", "rows"}, methods...)...)
	for _, r := range x.Sets {
		cells := []string{r.Set, fmt.Sprint(r.Rows)}
		for _, name := range methods {
			if m := r.method(name); m != nil {
				cells = append(cells, show(r, m))
			} else {
				cells = append(cells, "-")
			}
		}
		t.Add(cells...)
	}
	return t
}

// byEvidence returns the numbers that figure 1 averages.
func (x *Result) byEvidence() *reportTable {
	t := &reportTable{name: "cmll", title: "CMLL by amount of evidence"}
	head := []string{"set", "method"}
	for _, f := range x.Fractions {
		head = append(head, fmt.Sprintf("%.0f%%", 100*f))
	}
	t.Add(head...)
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
func (x *Result) winTable() *reportTable {
	t := &reportTable{name: "table3", title: fmt.Sprintf("table 3: on how many of %d sets the first is better and worse, by amount of evidence; in brackets on how many significantly (p < 0.05)", len(x.Sets))}
	head := []string{"first", "second"}
	for _, f := range x.Fractions {
		head = append(head, fmt.Sprintf("%.0f%%", 100*f))
	}
	t.Add(head...)
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
func (x *Result) cutTable() *reportTable {
	t := &reportTable{name: "cut", title: "CMLL of Gibbs sampling that is cut to the time of mean field, or to 20 sweeps where these take longer"}
	t.Add("set", "DN.MF", "DN.Gibbs cut", "DN.Gibbs", "ms DN.MF", "ms cut", "fewest sweeps", "most sweeps")
	for _, r := range x.Sets {
		field, whole := r.method("DN.MF"), r.method("DN.Gibbs")
		low, high := math.MaxInt, 0
		for _, n := range r.CutSweeps {
			low, high = min(low, n), max(high, n)
		}
		t.Add(r.Set, fmt.Sprintf("%.4f", average(field.CMLL)), fmt.Sprintf("%.4f", average(r.Cut.CMLL)), fmt.Sprintf("%.4f", average(whole.CMLL)),
			fmt.Sprintf("%.3f", 1000*average(field.Seconds)), fmt.Sprintf("%.3f", 1000*average(r.Cut.Seconds)), fmt.Sprint(low), fmt.Sprint(high))
	}
	return t
}
