package engines_test

import (
	"bytes"
	"database/sql"
	"encoding/csv"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	_ "github.com/duckdb/duckdb-go/v2"
)

// null is what engines return for NULL.
const null = "\x00"

// engine runs SQL.
type engine interface {
	run(t testing.TB, text string) [][]string // the rows of the last statement, the header first
}

// dialects lists the engines by the dialect that they speak.
var dialects = []struct {
	id    string
	start func(t testing.TB) engine
}{
	{"duckdb", startDuckDB},
	{"postgres", startPostgres},
	{"sqlite", startSQLite},
}

// duckDB is a database in memory, with one thread.
type duckDB struct{ db *sql.DB }

func startDuckDB(t testing.TB) engine {
	db, err := sql.Open("duckdb", "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	db.SetMaxOpenConns(1)
	d := duckDB{db}
	d.run(t, "SET threads = 1")
	return d
}

func (d duckDB) run(t testing.TB, text string) [][]string {
	t.Helper()
	out, err := query(d.db, text)
	if err != nil {
		t.Fatalf("%v\n%.500s", err, text)
	}
	return out
}

// query runs statements and returns the rows of the last one, the header first.
func query(db *sql.DB, text string) ([][]string, error) {
	rows, err := db.Query(text)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	header, err := rows.Columns()
	if err != nil {
		return nil, err
	}
	out := [][]string{header}
	values, places := make([]any, len(header)), make([]any, len(header))
	for i := range values {
		places[i] = &values[i]
	}
	for rows.Next() {
		if err := rows.Scan(places...); err != nil {
			return nil, err
		}
		row := make([]string, len(values))
		for i, x := range values {
			switch x := x.(type) {
			case nil:
				row[i] = null
			case float64:
				row[i] = strconv.FormatFloat(x, 'g', -1, 64)
			default:
				row[i] = fmt.Sprint(x)
			}
		}
		out = append(out, row)
	}
	return out, rows.Err()
}

// client is the command of an engine's own client, which reads SQL and prints CSV.
type client []string

func (c client) run(t testing.TB, text string) [][]string {
	t.Helper()
	cmd := exec.Command(c[0], c[1:]...)
	var stderr bytes.Buffer
	cmd.Stdin, cmd.Stderr = strings.NewReader(text), &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %v\n%s", c, err, stderr.Bytes())
	}
	rows, err := csv.NewReader(bytes.NewReader(out)).ReadAll()
	if err != nil {
		t.Fatalf("%v\n%.500s", err, out)
	}
	for _, row := range rows {
		for i := range row {
			if row[i] == nullText {
				row[i] = null
			}
		}
	}
	return rows
}

// nullText is what clients print for NULL.
const nullText = "(no value)"

func startSQLite(t testing.TB) engine {
	path, err := exec.LookPath("sqlite3")
	if err != nil {
		t.Skip("needs the command sqlite3")
	}
	return client{path, "-batch", "-bail", "-csv", "-header", "-nullvalue", nullText, filepath.Join(t.TempDir(), "db")}
}

// startPostgres starts a server on 127.0.0.1, which ends with the test. The server refuses to run
// as root, so root runs it as the user postgres.
func startPostgres(t testing.TB) engine {
	bin := serverFolder(t)
	dir, err := os.MkdirTemp("", "pgmc-postgres")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	attr := &syscall.SysProcAttr{}
	if os.Geteuid() == 0 {
		attr.Credential = owner(t, dir)
	}
	data := filepath.Join(dir, "data")
	command := func(name string, args ...string) *exec.Cmd {
		cmd := exec.Command(filepath.Join(bin, name), args...)
		cmd.SysProcAttr, cmd.Dir = attr, dir
		return cmd
	}
	if out, err := command("initdb", "-D", data, "-U", "pgmc", "-A", "trust", "-E", "UTF8", "--locale=C").CombinedOutput(); err != nil {
		t.Fatalf("initdb: %v\n%s", err, out)
	}
	port := freePort(t)
	start := command("pg_ctl", "-D", data, "-w", "-l", filepath.Join(dir, "log"), "-o", "-c listen_addresses=127.0.0.1 -c unix_socket_directories='' -c fsync=off -p "+port, "start")
	if out, err := start.CombinedOutput(); err != nil {
		log, _ := os.ReadFile(filepath.Join(dir, "log"))
		t.Fatalf("pg_ctl: %v\n%s%s", err, out, log)
	}
	t.Cleanup(func() {
		if out, err := command("pg_ctl", "-D", data, "-w", "-m", "immediate", "stop").CombinedOutput(); err != nil {
			t.Errorf("pg_ctl: %v\n%s", err, out)
		}
	})
	return client{filepath.Join(bin, "psql"), "-X", "-q", "--csv", "-v", "ON_ERROR_STOP=1", "-P", "null=" + nullText, "-h", "127.0.0.1", "-p", port, "-U", "pgmc", "-d", "postgres"}
}

// serverFolder returns the folder of PostgreSQL's commands, which Debian keeps out of PATH.
func serverFolder(t testing.TB) string {
	list, err := filepath.Glob("/usr/lib/postgresql/*/bin/initdb")
	if err != nil {
		t.Fatal(err)
	}
	if path, err := exec.LookPath("initdb"); err == nil && len(list) == 0 {
		list = append(list, path)
	}
	if len(list) == 0 {
		t.Skip("needs the server of PostgreSQL")
	}
	return filepath.Dir(list[len(list)-1])
}

// owner gives dir to the user postgres, and returns the user's credential.
func owner(t testing.TB, dir string) *syscall.Credential {
	u, err := user.Lookup("postgres")
	if err != nil {
		t.Skip("needs a user other than root: ", err)
	}
	uid, err := strconv.Atoi(u.Uid)
	if err != nil {
		t.Fatal(err)
	}
	gid, err := strconv.Atoi(u.Gid)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Chown(dir, uid, gid); err != nil {
		t.Fatal(err)
	}
	return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
}

func freePort(t testing.TB) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return strconv.Itoa(l.Addr().(*net.TCPAddr).Port)
}
