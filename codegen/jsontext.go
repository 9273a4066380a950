package codegen

// numbersText declares the functions by which arrays with a number for each state have a text form
// in JSON.
func (g *generator) numbersText() {
	g.appendNumbers()
	g.parseNumbers()
	g.parseArray()
}

// appendNumbers declares the function that writes JSON.
func (g *generator) appendNumbers() {
	if g.opt.Arrays {
		return
	}
	g.fn(doc("namedNumbers returns a JSON object with a number for each state of a type."),
		"namedNumbers(enum int, d []float64) ([]byte, error)", `
text := []byte{'{'}
for i, s := range enums[enum].states {
	if i > 0 {
		text = append(text, ',')
	}
	name, err := `+g.std("encoding/json.Marshal")+`(s)
	if err != nil {
		return nil, err
	}
	text = append(append(text, name...), ':')
	text = `+g.std("strconv.AppendFloat")+`(text, d[i], 'g', -1, 64)
}
return append(text, '}'), nil`)
}

// parseNumbers declares the function that reads likelihoods from JSON.
func (g *generator) parseNumbers() {
	g.fn(doc("parseNumbers reads len(out) numbers, not all of them 0, into out: from a JSON array, or from an object with a number for each state.",
		"The text null leaves out unchanged."),
		"parseNumbers(enum int, data []byte, out []float64) error", `
text := `+g.std("strings.TrimSpace")+`(string(data))
if text == "null" {
	return nil
}
read := parseArray
if `+g.std("strings.HasPrefix")+`(text, "{") {
	read = parseObject
}
if err := read(&enums[enum], text, out); err != nil {
	return err
}
for _, x := range out {
	if x != 0 {
		return nil
	}
}
return &failure{enums[enum].what + ": want a likelihood that is not 0 for every state", ErrLikelihood}`)
	g.fn(doc("parseObject reads a JSON object with a number for each state."), "parseObject(e *enum, text string, out []float64) error", `
var named map[string]float64
if err := `+g.std("encoding/json.Unmarshal")+`([]byte(text), &named); err != nil {
	return &failure{e.what + ": want a likelihood, a number for each state; got " + text, ErrLikelihood}
}
for i, s := range e.states {
	x, ok := named[s]
	if !ok || len(named) != len(out) {
		return &failure{e.what + ": want a likelihood of exactly the states [" + `+g.std("strings.Join")+`(e.states, " ") + "]; got " + text, ErrLikelihood}
	}
	if !(x >= 0) {
		return badNumber(e, text)
	}
	out[i] = x
}
return nil`)
	g.fn(doc("badNumber returns the error of a number that is no likelihood."), "badNumber(e *enum, text string) error",
		`return &failure{e.what + ": want a likelihood of finite numbers of at least 0; got " + `+g.std("strconv.Quote")+`(text), ErrLikelihood}`)
}

// parseArray declares the function that reads an array.
func (g *generator) parseArray() {
	g.fn(doc("parseArray reads a JSON array of len(out) numbers."), "parseArray(e *enum, text string, out []float64) error", `
fields := `+g.std("strings.Split")+`(`+g.std("strings.TrimSuffix")+`(`+g.std("strings.TrimPrefix")+`(text, "["), "]"), ",")
if !`+g.std("strings.HasPrefix")+`(text, "[") || len(fields) != len(out) {
	return &failure{e.what + ": want a likelihood of " + `+g.std("strconv.Itoa")+`(len(out)) + " numbers", ErrLikelihood}
}
for i, field := range fields {
	x, err := `+g.std("strconv.ParseFloat")+`(`+g.std("strings.TrimSpace")+`(field), 64)
	if err != nil || !(x >= 0 && x <= `+g.std("math.MaxFloat64")+`) {
		return badNumber(e, field)
	}
	out[i] = x
}
return nil`)
}
