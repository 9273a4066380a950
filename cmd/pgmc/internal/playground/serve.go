package playground

import (
	"context"
	"errors"
	"mime"
	"net"
	"net/http"
	"path"
	"strings"
	"time"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/playground/built"
	"github.com/pgmc-go/pgmc/ir/diag"
)

// Handler serves the files of the page, compressed to clients that take that.
func (p Page) Handler() http.Handler {
	packed := map[string][]byte{}
	for _, f := range p {
		packed["/"+f.Name] = f.Data
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name := r.URL.Path
		if name == "/" {
			name = "/index.html"
		}
		data, ok := packed[name]
		if !ok || r.Method != http.MethodGet && r.Method != http.MethodHead {
			http.NotFound(w, r)
			return
		}
		h := w.Header()
		h.Set("Content-Type", contentType(name))
		h.Set("Cache-Control", "no-cache")
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Vary", "Accept-Encoding")
		if strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
			h.Set("Content-Encoding", "gzip")
			w.Write(data)
			return
		}
		built.Unpack(w, data) // fails if the client is gone
	})
}

func contentType(name string) string {
	switch path.Ext(name) {
	case ".wasm":
		return "application/wasm"
	case ".js":
		return "text/javascript; charset=utf-8"
	}
	return mime.TypeByExtension(path.Ext(name))
}

// Listen takes a local address for the page.
func Listen(addr string) (net.Listener, error) {
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, diag.Errorf("%v; %v takes any free port", err, diag.Option{Name: "addr", Value: "127.0.0.1:0"})
	}
	return l, nil
}

// Serve serves the page to those who connect to l until ctx ends. It closes l.
func (p Page) Serve(ctx context.Context, l net.Listener) error {
	s := &http.Server{Handler: p.Handler(), ReadHeaderTimeout: 10 * time.Second}
	stop := context.AfterFunc(ctx, func() { s.Close() })
	defer stop()
	if err := s.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
