package handler

// OpenAPI returns the OpenAPI 3.1 description of the handler, for encoding/json.
func (s *Service[G, E, S]) OpenAPI() any {
	paths := map[string]any{}
	for _, q := range s.Queries {
		paths[q.path] = map[string]any{"post": s.operation(q.what, q.properties(s))}
	}
	return map[string]any{
		"openapi": "3.1.0",
		"info":    map[string]any{"title": s.Names.Package, "version": "1"},
		"paths":   paths,
	}
}

// operation describes a path with answers that have the given properties.
func (s *Service[G, E, S]) operation(what string, properties map[string]any) map[string]any {
	content := func(properties map[string]any) map[string]any {
		schema := map[string]any{"type": "object", "properties": properties}
		return map[string]any{"application/json": map[string]any{"schema": schema}}
	}
	problem := map[string]any{"message": httpType("string"), "variable": httpType("string"), "conflict": httpType("object")}
	failed := content(map[string]any{"error": map[string]any{"type": "object", "properties": problem}})
	return map[string]any{
		"summary":     what,
		"requestBody": map[string]any{"required": true, "content": content(s.findings())},
		"responses": map[string]any{
			"200": map[string]any{"description": what, "content": content(properties)},
			"400": map[string]any{"description": "The request is wrong.", "content": failed},
			"413": map[string]any{"description": "The request is too long.", "content": failed},
			"415": map[string]any{"description": "The request is not JSON.", "content": failed},
			"422": map[string]any{"description": "The evidence is impossible.", "content": failed},
		},
	}
}

// httpType returns the schema of a type.
func httpType(name string) map[string]any { return map[string]any{"type": name} }

// findings describes the parts of a request.
func (s *Service[G, E, S]) findings() map[string]any {
	evidence, soft := map[string]any{}, map[string]any{}
	for i, v := range s.Names.Vars {
		states := s.Names.States(i)
		if states == nil {
			evidence[v.Name] = httpType("number")
			continue
		}
		evidence[v.Name] = map[string]any{"enum": append([]string(nil), states...)}
		soft[v.Name] = map[string]any{"type": []string{"array", "object"}, "description": "a likelihood of each state, not all 0"}
	}
	for _, i := range s.Intervals {
		name := s.Names.Vars[i].Name
		evidence[name] = map[string]any{"anyOf": []any{evidence[name], httpType("number")}}
	}
	return map[string]any{
		"evidence": map[string]any{"type": "object", "properties": evidence, "additionalProperties": false},
		"soft":     map[string]any{"type": "object", "properties": soft, "additionalProperties": false},
	}
}

// posteriors describes the posteriors of all variables.
func (s *Service[G, E, S]) posteriors() map[string]any {
	number := httpType("number")
	out := map[string]any{s.LogP: number}
	for i, v := range s.Names.Vars {
		names := s.Names.States(i)
		if names == nil {
			names = []string{"mean", "var"}
		}
		if s.Arrays {
			out[v.Name] = map[string]any{"type": "array", "items": number, "minItems": len(names), "maxItems": len(names)}
			continue
		}
		properties := map[string]any{}
		for _, name := range names {
			properties[name] = number
		}
		out[v.Name] = map[string]any{"type": "object", "properties": properties}
	}
	return out
}
