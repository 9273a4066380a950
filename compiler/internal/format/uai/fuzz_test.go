package uai_test

import (
	"testing"

	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/compiler/internal/format/formattest"
	"github.com/pgmc-go/pgmc/compiler/internal/format/uai"
	"github.com/pgmc-go/pgmc/ir/model"
)

// FuzzRead checks that no text makes a reader panic, and that a model that is read without
// errors survives writing. Evidence and queries must fit the model.
func FuzzRead(f *testing.F) {
	for _, c := range append(texts, logs...) {
		f.Add(c.Text)
	}
	for _, c := range append(broken, brokenLogs...) {
		f.Add(c.Text)
	}
	for _, c := range evidences {
		f.Add(c.text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		src := &format.Source{Name: "fuzz.uai", Data: []byte(text)}
		opt := format.ReadOptions{MaxEntries: 1 << 16}
		m, list := format.ReadSource(uai.Format, src, opt)
		if !list.HasErrors() && !formattest.RoundTrip(t, uai.Format, m) {
			t.Error("read but not written")
		}
		format.ReadSource(uai.LG, src, opt)
		fuzzSide(t, src)
	})
}

// fuzzSide reads evidence and a query.
func fuzzSide(t *testing.T, src *format.Source) {
	m := observable()
	samples, list := uai.ReadEvidence(src, m)
	if list.HasErrors() != (samples == nil) {
		t.Errorf("samples %v beside %v", samples, list.Err())
	}
	for _, sample := range samples {
		for v, s := range sample {
			if s < -1 || s >= m.Card(model.VarID(v)) {
				t.Errorf("state %d of variable %d", s, v)
			}
		}
	}
	vars, list := uai.ReadQuery(src, m)
	for _, v := range vars {
		if v < 0 || int(v) >= len(m.Vars) || list.HasErrors() {
			t.Errorf("variable %d beside %v", v, list.Err())
		}
	}
}
