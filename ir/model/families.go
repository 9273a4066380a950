package model

// Family is a CPD as a table in which a complete row of data looks up its probability or density.
type Family struct {
	Factor   *Factor
	Discrete []VarID // the variables of the table, the last changing fastest
	Real     []VarID // of a real child: the real parents and then the child; nil for a discrete child
	// Values holds, for each joint state of Discrete, the probability. For a real child it holds
	// the mean, the coefficients of the real parents and the variance.
	Values []float64
}

// Families returns the CPDs as tables of at most limit values each. ln P of a complete row is the
// sum of their logarithms. It returns nil if there is no such sum or no such table: the model is no
// Bayesian network, or has latent or circular variables, or a CPD has too large a table, variance
// 0, or another kind of real variables than a Gaussian CPD.
func (m *Model) Families(limit int) (list []Family) {
	if m.Kind != Bayes || m.Traits()&Circulars != 0 {
		return nil
	}
	for _, v := range m.Vars {
		if v.Latent {
			return nil
		}
	}
	for _, f := range m.Factors {
		x, ok := m.family(f, limit)
		if !ok {
			return nil
		}
		list = append(list, x)
	}
	return list
}

// family returns f as a table.
func (m *Model) family(f *Factor, limit int) (x Family, ok bool) {
	if d := f.Gaussian(); d != nil {
		x = Family{Factor: f}
		x.Discrete, x.Real = m.SplitParents(f)
		x.Real = append(x.Real[:len(x.Real):len(x.Real)], f.Scope[f.Child])
		for r := range d.Mean {
			mean, coef, variance := d.Row(r)
			x.Values = append(append(append(x.Values, mean), coef...), variance)
		}
		return x, !d.HasZeros() && len(x.Values) <= limit
	}
	if _, real := m.SplitReal(f.Scope); len(real) > 0 {
		return x, false
	}
	values, err := m.Tabulate(f, limit)
	return Family{Factor: f, Discrete: f.Scope, Values: values}, err == nil && len(values) <= limit
}
