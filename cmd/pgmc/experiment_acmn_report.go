package main

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/table"
)

// text is the tables for people.
func (x *acmnExperiment) text() string {
	text := fmt.Sprintf("Configuration: at most %s edges and %v of learning for a model and set; conditional likelihoods of the first %d rows.\n", maxEdges, x.maxTime, x.rows)
	for _, m := range x.models {
		text += fmt.Sprintf("  %s: --algo %s", m.name, m.algo)
		for option := range slices.Chunk(m.options, 2) {
			text += " --" + option[0] + "=" + option[1]
		}
		text += "\n"
	}
	titles := map[string]string{
		"likelihood": "test log-likelihood, in nats a row, with its standard error, beside what is in print",
		"given":      "by the share of a row that is observed: log-likelihood of each other variable in nats, and microseconds a query",
		"kl":         "divergence of ACMN from ACBN: by the difference of their test log-likelihoods, and KL(ACBN, ACMN) by rows of ACBN",
	}
	for _, t := range x.tables() {
		t.AlignRight()
		text += "\n" + titles[t.name] + "\n" + t.String()
	}
	return text + "\n" + conclusionText(x.conclusions())
}

// tables are the tables of the poster.
func (x *acmnExperiment) tables() []csvTable {
	ll, given, kl := &table.Table{}, &table.Table{}, &table.Table{}
	ll.Add("set", "variables", "model", "LL", "error", "published", "edges", "seconds", "")
	cells := []string{"set", "model"}
	for _, f := range acmnFractions {
		cells = append(cells, table.Percent(f), "us")
	}
	given.Add(append(cells, "")...)
	kl.Add("set", "original", "published", "generated", "error", "published")
	for _, r := range x.reports {
		for _, s := range r.Models {
			ll.Add(r.Set, fmt.Sprint(r.Vars), s.Model, table.Optional("%.4f", s.LL), table.Optional("%.4f", s.StdErr), table.Optional("%.2f", s.Published), edgesText(s.Edges), fmt.Sprintf("%.1f", s.Seconds), s.remark())
			if s.Given != nil {
				given.Add(s.given(r.Set)...)
			}
		}
		if k := r.KL; k != nil {
			kl.Add(r.Set, fmt.Sprintf("%.2f", k.Original), fmt.Sprintf("%.2f", k.Published[0]), fmt.Sprintf("%.2f", k.Generated), fmt.Sprintf("%.2f", k.StdErr), fmt.Sprintf("%.2f", k.Published[1]))
		}
	}
	return []csvTable{{"likelihood", ll}, {"given", given}, {"kl", kl}}
}

// given is a row of the table by evidence.
func (s *acmnScore) given(set string) []string {
	cells, what := []string{set, s.Model}, "CLL"
	for _, f := range s.Given {
		value := f.CLL
		if value == nil {
			value, what = f.CMLL, "CMLL"
		}
		cells = append(cells, table.Optional("%.4f", value), fmt.Sprintf("%.1f", f.Microseconds))
	}
	return append(cells, what)
}

// remark says what became of a model.
func (s *acmnScore) remark() string {
	switch {
	case s.Failed != "":
		return "failed: " + s.Failed
	case s.Stopped:
		return "stopped"
	}
	return ""
}

func edgesText(n int) string {
	if n == 0 {
		return "-"
	}
	return fmt.Sprint(n)
}

// conclusions are what the poster says of likelihoods, and what is asked of a set of learners that wants to be ahead of it.
func (x *acmnExperiment) conclusions() []conclusion {
	var ahead, behind, within, beyond, dominated, not []string
	for _, r := range x.reports {
		best, most := math.Inf(-1), math.Inf(-1)
		for _, s := range r.Models {
			if s.LL == nil {
				continue
			}
			best = max(best, *s.LL)
			if !slices.Contains([]string{acmnName, acbnName, "LTM"}, s.Model) {
				continue
			}
			most = max(most, *s.Published)
			put(&within, &beyond, r.Set+" "+s.Model, *s.LL >= *s.Published*(1+s.slack(r.Set)))
		}
		put(&ahead, &behind, r.Set, math.Round(100*best) >= math.Round(100*most))
		if holds, ok := r.dominates(); ok {
			put(&dominated, &not, r.Set, holds)
		}
	}
	return []conclusion{
		{"the best of these models is as good as every number of the poster, to two digits, on 10 of 12 sets", tenOfTwelve(len(ahead), len(behind)), counted("ahead", ahead, "behind", behind)},
		concluded("ACMN, ACBN and LTM are within 1 % of what is in print, ACMN and ACBN on the five largest sets within 3 %", len(beyond) == 0, counted("within", within, "beyond", beyond)),
		concluded("ACMN is better than L1 and GSSL on every set where less than 20 % is observed", len(dominated) > 0 && len(not) == 0, counted("better", dominated, "not", not)),
	}
}

// tenOfTwelve says what follows from how many sets one is ahead on, and behind.
func tenOfTwelve(ahead, behind int) string {
	switch {
	case ahead >= 10:
		return "confirmed"
	case behind > 2:
		return "not confirmed"
	}
	return "undecided"
}

// slack is how much worse than what is in print a model may be, as a share: learning stops early on sets of many variables.
func (s *acmnScore) slack(set string) float64 {
	const larger = 7 // from this one on
	if s.Model != "LTM" && acmnPlace(set) >= larger {
		return 0.03
	}
	return 0.01
}

// put adds a name to one of two lists.
func put(yes, no *[]string, name string, holds bool) {
	if !holds {
		yes = no
	}
	*yes = append(*yes, name)
}

func counted(a string, as []string, b string, bs []string) string {
	return fmt.Sprintf("%d %s: %s; %d %s: %s", len(as), a, strings.Join(as, ", "), len(bs), b, strings.Join(bs, ", "))
}

// dominates reports whether ACMN foretells more than models learned by pseudo-likelihood with a tenth of each row observed; ok is false where there
// are none.
func (r *acmnSet) dominates() (holds, ok bool) {
	at := func(s *acmnScore) *float64 {
		if len(s.Given) == 0 {
			return nil
		}
		if s.Given[0].CLL != nil {
			return s.Given[0].CLL
		}
		return s.Given[0].CMLL
	}
	var acmn *float64
	for _, s := range r.Models {
		if s.Model == acmnName {
			acmn = at(s)
		}
	}
	holds = true
	for _, s := range r.Models {
		if x := at(s); s.LL == nil && x != nil && acmn != nil {
			ok = true
			holds = holds && *acmn > *x
		}
	}
	return holds, ok
}
