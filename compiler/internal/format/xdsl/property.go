package xdsl

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"

	"github.com/pgmc-go/pgmc/compiler/internal/format/internal/text"
	"github.com/pgmc-go/pgmc/compiler/internal/format/internal/xmltext"
)

// The properties that pgmc adds to a node.
const (
	nameKey   = "pgmc_name"   // the name of the variable, or network, as a JSON string
	statesKey = "pgmc_states" // the names of the states, as a JSON list
	latentKey = "pgmc_latent" // "true"
	varKey    = "pgmc_var"    // the variance of an equation, if it is not the square of its deviation
	orderKey  = "pgmc_order"  // the indices of variable and CPD: "3 2"

	extension = "pgmc" // the element in extensions with properties of the network
)

// property reads a property of a node and skips those of other tools.
func (p *parser) property(n *node, e xmltext.Element) {
	key, _ := e.Attr("id")
	switch key {
	case nameKey:
		p.unquote(e, &n.name, "the name of the variable")
	case statesKey:
		p.unquote(e, &n.names, "the names of the states")
	case latentKey:
		s, _, _ := p.dec.Text(e)
		n.latent = s == "true"
	case orderKey:
		p.order(n, e)
	case varKey:
		p.exactly(n, e)
	}
}

// unquote parses JSON into a string or a list of strings.
func (p *parser) unquote(e xmltext.Element, to any, what string) {
	s, pos, ok := p.dec.Text(e)
	if ok && (json.Unmarshal([]byte(s), to) != nil || s == "null") {
		p.List.Errorf(pos, "found %s; want %s as JSON", text.Quote(s), what)
	}
}

// order reads the indices of the variable and its CPD.
func (p *parser) order(n *node, e xmltext.Element) {
	s, pos, ok := p.dec.Text(e)
	var order []int
	for _, field := range strings.Fields(s) {
		if i, err := strconv.ParseUint(field, 10, 31); err == nil {
			order = append(order, int(i))
		}
	}
	if len(order) == 2 && len(strings.Fields(s)) == 2 {
		n.order = order
	} else if ok {
		p.List.Errorf(pos, "found %s; want the places of variable and CPD", text.Quote(s))
	}
}

// quote returns a string or a list of strings as JSON.
func quote(value any) string {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(value); err != nil {
		panic(err) // JSON can hold every string
	}
	return noCharacters.Replace(strings.TrimSuffix(out.String(), "\n"))
}

// noCharacters escapes the characters that JSON allows and XML does not.
var noCharacters = strings.NewReplacer("\ufffe", `\ufffe`, "\uffff", `\uffff`)
