package playground

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/playground/built"
	"github.com/pgmc-go/pgmc/ir/folder"
)

// TestHandler checks types, compression, and what is not served.
func TestHandler(t *testing.T) {
	page, err := ownFiles()
	if err != nil {
		t.Fatal(err)
	}
	code, err := built.Pack([]byte("code"))
	if err != nil {
		t.Fatal(err)
	}
	h := append(page, folder.File{Name: "pgmc.wasm", Data: code}).Handler()
	for _, c := range []struct {
		method, path string
		code         int
		kind         string
	}{
		{"GET", "/", 200, "text/html; charset=utf-8"},
		{"GET", "/page.js", 200, "text/javascript; charset=utf-8"},
		{"GET", "/page.css", 200, "text/css; charset=utf-8"},
		{"HEAD", "/pgmc.wasm", 200, "application/wasm"},
		{"POST", "/", 404, "text/plain; charset=utf-8"},
		{"GET", "/../serve.go", 404, "text/plain; charset=utf-8"},
	} {
		for _, encoding := range []string{"", "gzip"} {
			r := httptest.NewRequest(c.method, "http://localhost"+c.path, nil)
			r.Header.Set("Accept-Encoding", encoding)
			w := httptest.NewRecorder()
			h.ServeHTTP(w, r)
			if got := w.Header().Get("Content-Type"); w.Code != c.code || got != c.kind || c.code == http.StatusOK && w.Header().Get("Content-Encoding") != encoding {
				t.Errorf("%s %s: found %d, %s and %v; want %d and %s", c.method, c.path, w.Code, got, w.Header(), c.code, c.kind)
			}
		}
	}
}

// TestServe gets the page from a free port and ends the server.
func TestServe(t *testing.T) {
	page, err := ownFiles()
	if err != nil {
		t.Fatal(err)
	}
	serve(t, page, func(url string) {
		r, err := http.Get(url)
		if err != nil {
			t.Error(err)
			return
		}
		defer r.Body.Close()
		if text, err := io.ReadAll(r.Body); err != nil || !strings.Contains(string(text), "<title>pgmc playground</title>") {
			t.Errorf("found %s, %v", text, err)
		}
	})
}

// TestListen checks what is said of an address that is taken.
func TestListen(t *testing.T) {
	l, err := Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if _, err := Listen(l.Addr().String()); err == nil || !strings.HasSuffix(err.Error(), "; addr 127.0.0.1:0 takes any free port") {
		t.Errorf("found %v", err)
	}
}

// TestPolicy checks that the page names no address and allows no request to another one.
func TestPolicy(t *testing.T) {
	page, err := ownFiles()
	if err != nil {
		t.Fatal(err)
	}
	files, err := page.Files()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if text := string(f.Data); strings.Contains(text, "http:") || strings.Contains(text, "https:") {
			t.Errorf("%s names an address", f.Name)
		}
		if f.Name == "index.html" && !strings.Contains(string(f.Data), `content="default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'; `) {
			t.Errorf("%s has another policy", f.Name)
		}
	}
}

// TestScripts checks the syntax of the scripts, if there is a node command.
func TestScripts(t *testing.T) {
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("there is no node command")
	}
	names, err := filepath.Glob("page/*.js")
	if err != nil {
		t.Fatal(err)
	}
	scripts, err := filepath.Glob("testdata/*.js")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range append(names, scripts...) {
		kind := "module"
		if name == filepath.Join("page", "worker.js") || slices.Contains(scripts, name) {
			kind = "commonjs"
		}
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command("node", "--check", "--input-type="+kind)
		cmd.Stdin = bytes.NewReader(text)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%s: %v: %s", name, err, out)
		}
	}
}
