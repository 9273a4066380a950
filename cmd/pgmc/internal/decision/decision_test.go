package decision_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/clitest"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/decision"
)

// umbrella is a diagram of one decision. To take the umbrella is worth 0.25 in any weather; to
// leave it 1 if it is dry, and -1 if it rains, which has the probability 0.25.
const umbrella = `{"pgmc": 2, "kind": "bayes",
 "variables": [{"name": "weather", "states": ["rain", "dry"]}, {"name": "umbrella", "states": ["take", "leave"], "given": true}],
 "factors": [{"scope": ["weather"], "child": "weather", "table": [0.25, 0.75]}],
 "decisions": [{"variable": "umbrella"PARENTS}],
 "utilities": [{"name": "comfort", "scope": ["weather", "umbrella"], "table": [0.25, -1, 0.25, 1]}]}`

// TestRun compares solutions with those by hand: leave, worth 0.75 - 0.25 = 0.5, or take, worth
// 0.25, if it rains.
func TestRun(t *testing.T) {
	for _, c := range []struct {
		name, parents string
		opt           decision.Options
		text          string
	}{
		{"blind", "", decision.Options{Information: true},
			"maximum expected utility: 0.5\n\numbrella  utility\ntake         0.25\nleave         0.5  chosen\n\nvariable  value of information\nweather                 0.3125\n"},
		{"likelihood", "", decision.Options{Soft: []string{"weather=0.75/0.25"}},
			"maximum expected utility: 0.25\n\numbrella  utility\ntake         0.25  chosen\nleave           0\n"},
		{"rain", "", decision.Options{Evidence: []string{"weather=rain"}, Limited: true},
			"maximum expected utility: 0.25\nno other strategy with limited memory is better\n\numbrella  utility\ntake         0.25  chosen\nleave          -1\n"},
		{"seen", `, "knows": ["weather"]`, decision.Options{}, "maximum expected utility: 0.8125\n\nweather  choose umbrella\nrain     take\ndry      leave\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := clitest.File(t, "umbrella.json", strings.Replace(umbrella, "PARENTS", c.parents, 1))
			c.opt.Rows = cli.Choice{Value: "normalize"}
			a, out, _ := clitest.App()
			if err := decision.Run(t.Context(), a, path, &c.opt); err != nil || out.String() != c.text {
				t.Errorf("error %v, found\n%swant\n%s", err, out, c.text)
			}
			a, out, _ = clitest.App()
			a.JSON = true
			var r struct{ Utility float64 }
			if err := decision.Run(t.Context(), a, path, &c.opt); err != nil {
				t.Fatal(err)
			}
			if err := json.Unmarshal(out.Bytes(), &r); err != nil || !strings.HasPrefix(c.text, "maximum expected utility: "+strings.TrimSpace(mustMarshal(t, r.Utility))+"\n") {
				t.Errorf("JSON %s, error %v", out, err)
			}
		})
	}
}

func mustMarshal(t *testing.T, x any) string {
	text, err := json.Marshal(x)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestRefused checks the error of a network that is no diagram.
func TestRefused(t *testing.T) {
	a, _, _ := clitest.App()
	path := clitest.File(t, "rain.bif", clitest.Rain)
	opt := decision.Options{ModelFlags: cli.ModelFlags{Rows: cli.Choice{Value: "normalize"}}}
	err := decision.Run(t.Context(), a, path, &opt)
	if err == nil || err.Error() != path+": the model has no decisions and no utilities; want an influence diagram" {
		t.Errorf("error %v", err)
	}
}

// TestRemarks solves diagrams without decisions, without utilities, and with a row of zeros that
// nothing reaches: b is 0 or 1 equally if a is 0, which is certain.
func TestRemarks(t *testing.T) {
	const variables = `{"pgmc": 2, "kind": "bayes", "variables": [{"name": "a", "states": ["0", "1"]}, {"name": "b", "states": ["0", "1"]}, {"name": "d", "states": ["0", "1"], "given": true}],
		"factors": [{"scope": ["a"], "child": "a", "table": [1, 0]}, {"scope": ["a", "b"], "child": "b", "table": [0.5, 0.5, 0, 0]}], `
	for _, c := range []struct{ diagram, text string }{
		{`"decisions": [{"variable": "d"}]}`, "maximum expected utility: 0\nthe diagram has no utilities; all choices are worth 0\n\nd  utility\n0        0  chosen\n1        0\n"},
		{`"utilities": [{"name": "u", "scope": [], "table": [10]}]}`, "maximum expected utility: 10\nthe diagram has no decisions; this is the mean of its utilities\n"},
		{`"decisions": [{"variable": "d", "knows": ["b"]}], "utilities": [{"name": "u", "scope": ["d", "b"], "table": [1, 2, 4, 0]}]}`,
			"maximum expected utility: 3\n\nb  choose d\n0         1\n1         0\n"},
	} {
		a, out, _ := clitest.App()
		opt := decision.Options{ModelFlags: cli.ModelFlags{Rows: cli.Choice{Value: "normalize"}}, Evidence: []string{"d=0"}}
		if strings.Contains(c.diagram, "decisions") {
			opt.Evidence = nil
		}
		if err := decision.Run(t.Context(), a, clitest.File(t, "d.json", variables+c.diagram), &opt); err != nil || out.String() != c.text {
			t.Errorf("%s: error %v, found\n%swant\n%s", c.diagram, err, out, c.text)
		}
	}
}
