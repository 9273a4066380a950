package api

// NumbersText declares the functions by which arrays with a number for each state have a text form
// in JSON.
func (g *API) NumbersText() {
	g.appendNumbers()
	g.parseNumbers()
	g.parseArray()
	g.jsonMembers()
}

// appendNumbers declares the function that writes JSON.
func (g *API) appendNumbers() {
	if g.form.Arrays {
		return
	}
	g.fn(Doc("namedNumbers returns a JSON object with a number for each state of a type."),
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
func (g *API) parseNumbers() {
	g.fn(Doc("parseNumbers reads len(out) numbers, not all of them 0, into out: from a JSON array, or from an object with a number for each state.",
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
	g.fn(Doc("parseObject reads a JSON object with a number for each state."), "parseObject(e *enum, text string, out []float64) error", `
named, err := jsonMembers([]byte(text))
if err != nil {
	return &failure{e.what + ": the likelihood: " + err.Error(), ErrLikelihood}
}
for i, s := range e.states {
	field, ok := named[s]
	if !ok || len(named) != len(out) {
		return &failure{e.what + ": want a likelihood of exactly the states [" + `+g.std("strings.Join")+`(e.states, " ") + "]; got " + short(text), ErrLikelihood}
	}
	if out[i], ok = parseLikelihood(string(field)); !ok {
		return badNumber(e, string(field))
	}
}
return nil`)
	g.fn(Doc("parseLikelihood reads a finite number of at least 0."), "parseLikelihood(text string) (x float64, ok bool)", `
x, err := `+g.std("strconv.ParseFloat")+`(`+g.std("strings.TrimSpace")+`(text), 64)
return x, err == nil && x >= 0 && x <= `+g.std("math.MaxFloat64"))
	g.fn(Doc("badNumber returns the error of a number that is no likelihood."), "badNumber(e *enum, text string) error",
		`return &failure{e.what + ": want a likelihood of finite numbers of at least 0; got " + `+g.std("strconv.Quote")+`(short(text)), ErrLikelihood}`)
}

// parseArray declares the function that reads an array.
func (g *API) parseArray() {
	g.fn(Doc("parseArray reads a JSON array of len(out) numbers."), "parseArray(e *enum, text string, out []float64) error", `
inside, ok := `+g.std("strings.CutSuffix")+`(`+g.std("strings.TrimPrefix")+`(text, "["), "]")
fields := `+g.std("strings.Split")+`(inside, ",")
if !ok || !`+g.std("strings.HasPrefix")+`(text, "[") || len(fields) != len(out) {
	return &failure{e.what + ": want a likelihood of " + `+g.std("strconv.Itoa")+`(len(out)) + " numbers", ErrLikelihood}
}
for i, field := range fields {
	if out[i], ok = parseLikelihood(field); !ok {
		return badNumber(e, field)
	}
}
return nil`)
}

// jsonMembers declares the functions that read a JSON object and that cut a text for a message.
func (g *API) jsonMembers() {
	raw := g.std("encoding/json.RawMessage")
	g.fn(Doc("jsonMembers returns the members of a JSON object. A name that occurs twice is an error."), "jsonMembers(data []byte) (map[string]"+raw+", error)", `
var whole `+raw+`
if err := `+g.std("encoding/json.Unmarshal")+`(data, &whole); err != nil {
	return nil, err
}
dec := `+g.std("encoding/json.NewDecoder")+`(`+g.std("strings.NewReader")+`(string(data)))
if t, err := dec.Token(); err != nil || t != `+g.std("encoding/json.Delim")+`('{') {
	return nil, `+g.std("errors.New")+`("want a JSON object; got " + short(string(data)))
}
members := map[string]`+raw+`{}
for dec.More() {
	t, err := dec.Token()
	if err != nil {
		return nil, err
	}
	name, _ := t.(string)
	if members[name] != nil {
		return nil, `+g.std("errors.New")+`("the member " + `+g.std("strconv.Quote")+`(short(name)) + " occurs twice")
	}
	var value `+raw+`
	if err := dec.Decode(&value); err != nil {
		return nil, err
	}
	members[name] = value
}
return members, nil`)
	g.fn(Doc("short returns the begin of a text, for messages."), "short(text string) string", `
if len(text) <= 60 {
	return text
}
return `+g.std("strings.ToValidUTF8")+`(text[:60], "") + "..."`)
}
