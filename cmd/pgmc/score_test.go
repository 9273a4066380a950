package main

import (
	"bytes"
	"encoding/json"
	"math"
	"path/filepath"
	"testing"

	"github.com/pgmc-go/pgmc/ir/irtest"
)

// TestScorePublished compares mean log-likelihoods with published ones: for Libra's circuits and
// networks those that Libra's mscore prints, for PSDDs those in the list of the reference data.
func TestScorePublished(t *testing.T) {
	dir := filepath.Join(irtest.Shared(t), "data")
	for _, c := range []struct {
		model, data string
		want        float64
		long        bool
	}{
		{"libra/test/acbn/alarm-test2.ac.gz", "libra/test/acbn/alarm.data.gz", -10.575821, false},
		{"libra/test/acbn/alarm-test2.xmod.gz", "libra/test/acbn/alarm.data.gz", -10.575821, false},
		{"libra/test/manual/msweb-cl.ac.gz", "libra/examples/msweb.test.gz", -10.004221, false},
		{"circuits/psdd/bnetflix.psdd.gz", "debd/bnetflix.test.data.gz", -58.151917, true},
		{"circuits/psdd/c20ng.psdd.gz", "debd/c20ng.test.data.gz", -160.927435, true},
		{"circuits/psdd/cr52.psdd.gz", "debd/cr52.test.data.gz", -92.381313, true},
		{"circuits/psdd/kdd-6k.psdd.gz", "debd/kdd.test.data.gz", -2.169212, false},
		{"circuits/psdd/msweb.psdd.gz", "debd/msweb.test.data.gz", -10.135971, false},
		{"circuits/psdd/nltcs.10split.psdd", "debd/nltcs.test.data.gz", -6.558651, false},
		{"circuits/psdd/nltcs.clt.psdd", "debd/nltcs.test.data.gz", -6.759045, false},
		{"circuits/psdd/nltcs.psdd.gz", "debd/nltcs.test.data.gz", -6.044764, true},
		{"circuits/psdd/plants.psdd.gz", "debd/plants.test.data.gz", -13.354223, false},
		{"circuits/psdd/baudio.psdd.gz", "debd/baudio.test.data.gz", -41.594123, true},
		{"circuits/psdd/book.psdd.gz", "debd/book.test.data.gz", -35.667978, true},
		{"circuits/psdd/jester.psdd.gz", "debd/jester.test.data.gz", -54.429660, true},
		{"circuits/psdd/kdd.psdd.gz", "debd/kdd.test.data.gz", -2.158379, true},
		{"circuits/psdd/msnbc-yitao-a.psdd.gz", "debd/msnbc.test.data.gz", -6.042184, true},
		{"circuits/psdd/msnbc.psdd.gz", "debd/msnbc.test.data.gz", -6.051873, true},
	} {
		t.Run(c.model, func(t *testing.T) {
			if c.long {
				irtest.SkipUnlessLong(t)
			}
			var out, errs bytes.Buffer
			args := []string{"score", filepath.Join(dir, c.model), filepath.Join(dir, c.data), "--data-format", "data", "--json"}
			if code := run(args, nil, &out, &errs); code != 0 {
				t.Fatalf("exit %d: %s", code, errs.String())
			}
			var r struct{ LL float64 }
			if err := json.Unmarshal(out.Bytes(), &r); err != nil {
				t.Errorf("%v: %s", err, out.String())
			}
			if math.Abs(r.LL-c.want) > 1.5e-6 {
				t.Errorf("%v; want %v", r.LL, c.want)
			}
		})
	}
}

// TestPseudoPublished compares mean pseudo-log-likelihoods and their errors with those that Libra's
// mscore prints: of a dependency network, and with -pll of a Bayesian network and of Markov
// networks. Its errors divide by the number of rows, 100, where ours divide by one less.
func TestPseudoPublished(t *testing.T) {
	dir := filepath.Join(irtest.Shared(t), "data", "libra")
	for _, c := range []struct {
		model       string
		pll, stderr float64
		args        []string
	}{
		{"test/manual/msweb-dn.xmod.gz", -10.731118, 0.928447, nil},
		{"examples/msweb.xmod.gz", -13.077355, 1.422213, []string{"--pll"}},
		{"test/manual/msweb.mn.gz", -13.077355, 1.422213, []string{"--pll"}},
		{"test/mn/msweb-cl.mn.gz", -9.830564, 0.766609, []string{"--pll"}},
		{"test/mn/msweb-cl.bn.gz", -9.830564, 0.766609, []string{"--pll"}},
	} {
		var out, errs bytes.Buffer
		args := append([]string{"score", filepath.Join(dir, c.model), filepath.Join(dir, "examples", "msweb.test.gz"), "--data-format", "data", "--json"}, c.args...)
		if code := run(args, nil, &out, &errs); code != 0 {
			t.Errorf("%s: exit %d: %s", c.model, code, errs.String())
			continue
		}
		r := struct {
			PLL    float64 `json:"pll"`
			StdErr float64 `json:"pll_stderr"`
		}{}
		if err := json.Unmarshal(out.Bytes(), &r); err != nil {
			t.Errorf("%s: %v: %s", c.model, err, out.String())
		}
		if math.Abs(r.PLL-c.pll) > 1.5e-6 || math.Abs(r.StdErr*math.Sqrt(0.99)-c.stderr) > 1.5e-6 {
			t.Errorf("%s: %v, error %v; want %v and %v", c.model, r.PLL, r.StdErr, c.pll, c.stderr)
		}
	}
}
