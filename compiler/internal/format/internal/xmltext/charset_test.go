package xmltext

import "testing"

// TestDeclared reads the encoding of declarations as XML 1.0 (section 4.3.3) has them, and of texts
// that have none.
func TestDeclared(t *testing.T) {
	for _, c := range []struct {
		text, want string
		found      bool
	}{
		{`<?xml version="1.0" encoding="UTF-8"?>`, "UTF-8", true},
		{"\n <?xml version='1.0'\tencoding = 'latin1' standalone='yes'?><a/>", "latin1", true},
		{`<?xml version="1.0" encoding=""?>`, "", true},
		{`<?xml version="encoding" encoding="US-ASCII"?>`, "US-ASCII", true},
		{`<?xml version="1.0"?><a encoding="UTF-16"/>`, "", false},
		{`<?xml version="1.0" myencoding="UTF-16"?>`, "", false},
		{`<?xml version="1.0" encoding="UTF-16'?>`, "", false},
		{`<?xml version="1.0" encoding`, "", false},
		{`<a encoding="UTF-16"/>`, "", false},
		{"", "", false},
	} {
		if got, found := declared(c.text); got != c.want || found != c.found {
			t.Errorf("%s: found %q, %t; want %q, %t", c.text, got, found, c.want, c.found)
		}
	}
}
