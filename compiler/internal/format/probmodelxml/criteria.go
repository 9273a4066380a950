package probmodelxml

import (
	"math"
	"slices"
	"strings"

	"github.com/pgmc-go/pgmc/compiler/internal/format/internal/text"
	"github.com/pgmc-go/pgmc/compiler/internal/format/internal/xmltext"
	"github.com/pgmc-go/pgmc/ir/model"
)

// options holds what a file says of its criteria.
type options struct {
	units map[string]string
	scale map[string]float64 // of utilities in their sum
	unit  map[string]float64 // as a cost or an effect
	role  map[string]string  // Cost or Effectiveness
}

func newOptions() options {
	return options{map[string]string{}, map[string]float64{}, map[string]float64{}, map[string]string{}}
}

// within calls do with the children of e that have a name.
func (p *parser) within(e xmltext.Element, name string, do func(xmltext.Element)) {
	p.children(e, func(c xmltext.Element) {
		if c.Name == name {
			do(c)
		}
	})
}

// inference reads options of the criteria and of time.
func (p *parser) inference(e xmltext.Element) {
	switch e.Name {
	case "MulticriteriaOptions":
		p.multicriteria(e)
	case "TemporalOptions":
		p.temporal(e)
	}
}

// multicriteria reads the factors by which the utilities of each criterion are multiplied before
// they are added, or compared as costs and effects.
func (p *parser) multicriteria(e xmltext.Element) {
	p.children(e, func(e xmltext.Element) {
		switch e.Name {
		case "Unicriterion":
			p.within(e, "Scales", func(e xmltext.Element) { p.scales(e, p.options.scale) })
		case "CostEffectiveness":
			p.children(e, func(e xmltext.Element) {
				switch e.Name {
				case "Scales":
					p.scales(e, p.options.unit)
				case "CE_Criteria", "CE_Criterions":
					p.within(e, "CE_Criterion", func(e xmltext.Element) {
						name, _ := e.Attr("Criterion")
						p.options.role[strings.TrimSpace(name)], _ = e.Attr("Value")
					})
				}
			})
		}
	})
}

// purpose reads what a utility is for, in versions before 0.2.0. Costs and effects then have no
// scale in a sum.
func (p *parser) purpose(v *variable, e xmltext.Element) {
	name, _ := e.Attr("name")
	value, _ := e.Attr("value")
	role := map[string]string{"cost": "Cost", "effectiveness": "Effectiveness"}[value]
	if o := &p.options; v.role == "utility" && v.criterion == "" && name == "Purpose" && role != "" {
		v.criterion, o.role[value], o.scale[value] = value, role, math.NaN()
	}
}

// scales reads a factor for each criterion.
func (p *parser) scales(e xmltext.Element, to map[string]float64) {
	p.within(e, "Scale", func(e xmltext.Element) {
		criterion, _ := e.Attr("Criterion")
		value, _ := e.Attr("Value")
		x, err := text.Number(value)
		if err != nil {
			p.Errorf(e.Pos, "found the scale %s; want %v", text.Quote(value), err)
		}
		to[strings.TrimSpace(criterion)] = x
	})
}

// criteria returns the criteria of utilities. One without a scale has 1.
func (b *builder) criteria(utilities []*model.Utility) (list []*model.Criterion) {
	factor := func(from map[string]float64, name string) float64 {
		if x, given := from[name]; given {
			return x
		}
		return 1
	}
	for _, u := range utilities {
		if u.Criterion == "" || slices.ContainsFunc(list, func(c *model.Criterion) bool { return c.Name == u.Criterion }) {
			continue
		}
		o := &b.options
		c := &model.Criterion{Name: u.Criterion, Unit: o.units[u.Criterion], Scale: factor(o.scale, u.Criterion), Discount: b.time.discount(u.Criterion)}
		switch o.role[u.Criterion] {
		case "Cost":
			c.Cost = factor(o.unit, u.Criterion)
		case "Effectiveness":
			c.Effect = factor(o.unit, u.Criterion)
		}
		list = append(list, c)
	}
	return list
}

// criterion returns the criterion of a utility. OpenMarkov writes dashes for none, and none has no
// discount.
func (b *builder) criterion(r ref) string {
	v := b.declared[r.id]
	if v == nil {
		return ""
	}
	name := strings.TrimSpace(v.criterion)
	if strings.Trim(name, "- ") == "" && b.time.discount(name) == 1 {
		return ""
	}
	return name
}
