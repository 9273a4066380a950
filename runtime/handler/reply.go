package handler

import (
	"encoding/json"
	"net/http"
)

// httpProblem is the error of a request.
type httpProblem struct {
	status            int
	message, variable string
	conflict          map[string]string // findings that contradict each other
}

// reply writes the problem as the reply.
func (p *httpProblem) reply(w http.ResponseWriter) {
	text := map[string]any{"message": p.message}
	if p.variable != "" {
		text["variable"] = p.variable
	}
	if p.conflict != nil {
		text["conflict"] = p.conflict
	}
	httpReply(w, p.status, map[string]any{"error": text})
}

// httpReply writes a reply in JSON.
func httpReply(w http.ResponseWriter, status int, body any) {
	text, err := json.Marshal(body)
	if err != nil {
		status, text = http.StatusInternalServerError, []byte(`{"error":{"message":"the answer has no JSON form"}}`)
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	w.Write(append(text, '\n'))
}
