package playground

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"mime"
	"net"
	"net/http"
	"path"
	"strings"
	"time"

	"github.com/pgmc-go/pgmc/ir/folder"
)

// Handler serves the files of the page, compressed for clients that take that.
func Handler(files []folder.File) (http.Handler, error) {
	type content struct{ plain, packed []byte }
	served := map[string]content{}
	for _, f := range files {
		var packed bytes.Buffer
		w, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
		if err != nil {
			return nil, err
		}
		if _, err := w.Write(f.Data); err != nil {
			return nil, err
		}
		if err := w.Close(); err != nil {
			return nil, err
		}
		served["/"+f.Name] = content{f.Data, packed.Bytes()}
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name := r.URL.Path
		if name == "/" {
			name = "/index.html"
		}
		c, ok := served[name]
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
			w.Write(c.packed)
			return
		}
		w.Write(c.plain)
	}), nil
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

// Serve serves the files at a local address until ctx ends. It calls ready with the address of the
// page.
func Serve(ctx context.Context, files []folder.File, addr string, ready func(url string)) error {
	handler, err := Handler(files)
	if err != nil {
		return err
	}
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return err
	}
	s := &http.Server{Handler: handler, ReadHeaderTimeout: 10 * time.Second}
	stop := context.AfterFunc(ctx, func() { s.Close() })
	defer stop()
	ready("http://" + l.Addr().String() + "/")
	if err := s.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
