package cli

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
)

// Evidence holds the values of the flags --evidence, --soft and --jeffrey, without a model.
type Evidence []finding

// finding is the evidence of one flag on one variable: names of states, or numbers.
type finding struct {
	flag    string
	name    string
	states  []string
	numbers []float64
	spread  bool // numbers are a measurement and its standard deviation
}

// ParseEvidence reads the values of --evidence, --soft and --jeffrey. Errors are usage errors.
func ParseEvidence(hard, soft, jeffrey []string) (Evidence, error) {
	var e Evidence
	for _, value := range hard {
		parts, err := diag.SplitNames(value)
		if err != nil {
			return nil, Usagef("--evidence %q: %w; write it as in A=yes,B=no", value, err)
		}
		for _, p := range parts {
			if len(p) < 2 {
				file := ""
				if strings.HasPrefix(value, "@") {
					file = "; pgmc query --batch FILE reads evidence from a file"
				}
				return nil, Usagef("--evidence %q: want a variable, = and a state, or several with | between"+quoting+file, value)
			}
			e = append(e, finding{flag: "--evidence", name: p[0], states: p[1:]})
		}
	}
	for _, x := range []struct {
		flag   string
		values []string
	}{{"--soft", soft}, {"--jeffrey", jeffrey}} {
		for _, value := range x.values {
			pairs, err := SplitPairs(x.flag, value, "numbers with / between, as in A=0.2/0.8")
			if err != nil {
				return nil, err
			}
			for _, p := range pairs {
				numbers, spread, err := Numbers(p[1])
				if err != nil {
					return nil, Usagef("%s %q: %w", x.flag, value, err)
				}
				e = append(e, finding{flag: x.flag, name: p[0], numbers: numbers, spread: spread})
			}
		}
	}
	return e, nil
}

// Numbers parses numbers such as 0.2/0.8, or with spread, a mean and its standard deviation as in
// 1.8±0.1.
func Numbers(s string) (list []float64, spread bool, err error) {
	for _, sign := range []string{"±", "+-"} {
		if mean, sd, found := strings.Cut(s, sign); found && !spread {
			s, spread = mean+"/"+sd, true
		}
	}
	for _, text := range strings.Split(s, "/") {
		x, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
		if err != nil || math.IsInf(x, 0) || math.IsNaN(x) {
			return nil, spread, fmt.Errorf("found %q; want a number, and / between numbers, as in 0.2/0.8", text)
		}
		list = append(list, x)
	}
	return list, spread, nil
}

// quoting ends errors about lists of names.
const quoting = `; a name with a comma, = or | goes into quotes, as in "A, B"=yes`

// Of returns e as evidence on the variables of m. It returns an error for a variable with two
// findings of one flag.
func (e Evidence) Of(m *model.Model) (infer.Evidence, error) {
	out, seen := infer.Evidence{}, map[[2]string]bool{}
	for _, f := range e {
		x, err := f.value(m)
		if err != nil {
			return nil, err
		}
		if key := [2]string{f.flag, f.name}; seen[key] {
			return nil, fmt.Errorf("variable %q %s", f.name, map[string]string{"--evidence": "is observed twice", "--soft": "has two likelihoods", "--jeffrey": "has two distributions"}[f.flag])
		} else {
			seen[key] = true
		}
		if before, ok := out[f.name]; ok {
			x = infer.All{before, x}
		}
		out[f.name] = x
	}
	return out, nil
}

// Findings returns e as findings on the variables of m.
func (e Evidence) Findings(m *model.Model) (*infer.Findings, error) {
	given, err := e.Of(m)
	if err != nil {
		return nil, err
	}
	return infer.Resolve(m, given)
}

// value returns the evidence on a variable of m in the form of package infer.
func (f *finding) value(m *model.Model) (any, error) {
	var p port = discretePort{}
	if v, known := m.VarByName(f.name); known && !v.Latent && m.IsReal(v.ID) {
		p = realPort{v.Domain}
	}
	switch f.flag {
	case "--soft":
		return p.likelihood(f)
	case "--jeffrey":
		return p.distribution(f)
	}
	return p.observation(f)
}

// SplitPairs splits the value of a flag into pairs of a variable and a text. The string want
// describes the text in errors, which are usage errors.
func SplitPairs(flag, value, want string) ([][]string, error) {
	pairs, err := diag.SplitNames(value)
	if err != nil {
		return nil, Usagef("%s %q: %w", flag, value, err)
	}
	for _, p := range pairs {
		if len(p) != 2 {
			found := p[0]
			if len(p) > 1 {
				found += "=" + strings.Join(p[1:], "|")
			}
			return nil, Usagef("%s %q: found %q; want a variable, = and %s"+quoting, flag, value, found, want)
		}
	}
	return pairs, nil
}

// NamesOf returns the variables that the values of a flag name. Errors are usage errors.
func NamesOf(flag string, values ...string) ([]string, error) {
	var names []string
	for _, value := range values {
		list, err := diag.Names(value)
		if err != nil {
			return nil, Usagef("%s %q: %w", flag, value, err)
		}
		names = append(names, list...)
	}
	return names, nil
}
