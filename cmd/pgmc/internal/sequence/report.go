package sequence

import (
	"bytes"
	"fmt"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/rows"
	"github.com/pgmc-go/pgmc/compiler/infer"
)

// divergence writes the member about the error of a belief in clusters.
func (w *writer) divergence(b *bytes.Buffer, d *infer.Divergence) {
	if d == nil {
		return
	}
	b.WriteString(`"divergence":{"bound":`)
	b.Write(rows.FiniteNumber(nil, d.Bound))
	b.WriteString(`,"projection":`)
	b.Write(rows.FiniteNumber(nil, d.Projection))
	b.WriteString(`,"contraction":`)
	b.Write(rows.AppendNumber(nil, d.Contraction))
	b.WriteString("},")
}

// report writes the member about the particles of an estimate, about structured mean field, or
// about what ran in a window.
func (w *writer) report(b *bytes.Buffer, r *infer.Report) {
	if r == nil {
		return
	}
	if w.opt.MeanField != nil {
		fmt.Fprintf(b, `"report":{"status":%q,"iterations":%d,"rise":`, r.Status, r.Iterations)
		b.Write(rows.FiniteNumber(nil, r.Residual))
		b.WriteString(`,"logp_is":"lower bound"},`)
		return
	}
	fmt.Fprintf(b, `"report":{"status":%q,"iterations":%d,`, r.Status, r.Iterations)
	if w.opt.By != nil {
		b.Write(rows.AppendNumber([]byte(`"residual":`), r.Residual))
		b.WriteString("},")
		return
	}
	for _, x := range []struct {
		name  string
		value float64
	}{{"residual", r.Residual}, {"ess", r.ESS}, {"logp_error", r.LogError}} {
		if x.name != "residual" {
			b.WriteByte(',')
		}
		b.Write(rows.AppendNumber([]byte(`"`+x.name+`":`), x.value))
	}
	b.WriteString("},")
}
