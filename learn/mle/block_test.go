package mle_test

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/data/rowfile"
	"github.com/pgmc-go/pgmc/learn/mle"
)

// TestTallyBlock checks that blocks have the counts of their rows, with weights and without, with
// values missing, and with a table of more counts than a block has rows.
func TestTallyBlock(t *testing.T) {
	wide := &model.Model{}
	var states []string
	for i := range 300 {
		states = append(states, fmt.Sprint(i))
	}
	a, b := wide.NewVar("a", states...), wide.NewVar("b", "0", "1")
	table := func(n int) *model.Table {
		d := &model.Table{Values: make([]float64, n)}
		for i := range d.Values {
			d.Values[i] = 1 / float64(n)
		}
		return d
	}
	wide.Factors = []*model.Factor{{Scope: []model.VarID{a.ID}, Dist: table(300)}, {Scope: []model.VarID{a.ID, b.ID}, Child: 1, Dist: table(600)}}
	for name, m := range map[string]*model.Model{"student": irtest.Student(), "wide": wide} {
		for _, c := range []struct {
			weight   string
			complete int // so many rows of 501
		}{{"", 200}, {"2.5|", 200}, {"", 501}} {
			text := randomText(m, c.weight, c.complete)
			n, missed := tallies(t, m, text, true)
			want, wantMissed := tallies(t, m, text, false)
			if !reflect.DeepEqual(n, want) || !reflect.DeepEqual(missed, wantMissed) || (missed[0] == 0) != (c.complete == 501) {
				t.Errorf("%s, %+v: got %v and %v; want %v and %v", name, c, n, missed, want, wantMissed)
			}
		}
	}
}

// randomText returns 501 random rows of state numbers, the first of them complete.
func randomText(m *model.Model, weight string, complete int) string {
	rng := rand.New(rand.NewPCG(38, 3))
	var b strings.Builder
	for i := range 501 {
		b.WriteString(weight)
		for v := range m.Vars {
			if v > 0 {
				b.WriteByte(',')
			}
			if i >= complete && rng.IntN(20) == 0 {
				b.WriteByte('*')
			} else {
				fmt.Fprint(&b, rng.IntN(m.Card(model.VarID(v))))
			}
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func tallies(t *testing.T, m *model.Model, text string, blocks bool) (mle.Counts, []float64) {
	t.Helper()
	r, err := rowfile.NewReader("rows.data", strings.NewReader(text), rowfile.Libra)
	if err != nil {
		t.Fatal(err)
	}
	b, err := r.Bind(data.VarsOf(m), rowfile.UnseenError)
	if err != nil {
		t.Fatal(err)
	}
	e, err := mle.New(m, mle.Options{})
	if err != nil {
		t.Fatal(err)
	}
	n, err := e.Zero()
	if err != nil {
		t.Fatal(err)
	}
	missed := make([]float64, len(m.Factors))
	if blocks {
		err = b.EachBlock(t.Context(), rowfile.BlockOptions{Cores: 1, Then: func(k *rowfile.Block) error { e.TallyBlock(n, k, missed); return nil }})
	} else {
		err = b.Each(t.Context(), func(rec *data.Record, states []int) error { e.Tally(n, states, rec.Weight, missed); return nil })
	}
	if err != nil {
		t.Fatal(err)
	}
	return n, missed
}
