package names_test

import (
	"go/token"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/pgmc-go/pgmc/codegen/internal/names"
)

func TestExported(t *testing.T) {
	tests := []struct{ name, want string }{
		{"smoke", "Smoke"}, {"yes", "Yes"}, {"LVEDVolume", "LVEDVolume"}, {"x_ray", "XRay"}, {"either t.b.", "EitherTB"},
		{"1", "S1"}, {"12+", "S12Plus"}, {"<7.5", "LT7p5"}, {"<=7.5", "LE7p5"}, {">3", "GT3"}, {"≥3", "GE3"},
		{"-5", "Minus5"}, {"5-10", "S5To10"}, {"non-smoker", "NonSmoker"}, {"A-", "AMinus"}, {"50%", "S50Pct"}, {"1/2", "S1Over2"},
		{"1_2", "S1_2"}, {"12", "S12"}, {"a=b", "AEqB"}, {"a!=b", "ANEB"},
		{"Größe", "Groesse"}, {"Äpfel", "Aepfel"}, {"élève", "Eleve"}, {"Łódź", "Lodz"}, {"Ωμέγα", "Omega"}, {"Жук", "Zhuk"},
		{"中文", "U4E2DU6587"}, {"e\u0301a", "Ea"}, {"func", "Func"}, {"", "Empty"}, {"***", "Empty"}, {"\xff\xfe", "Empty"},
		{"\"; import \"os\"\n//go:embed x */ `", "ImportOsGoEmbedX"}, {"_", "Empty"}, {"ß", "Ss"}, {"٣", "U663"},
	}
	for _, tt := range tests {
		if got := names.Exported(tt.name, "S", "Empty"); got != tt.want {
			t.Errorf("Exported(%q) = %q; want %q", tt.name, got, tt.want)
		}
	}
}

func TestClaim(t *testing.T) {
	s := names.NewScope("Engine", "BUnset")
	for _, tt := range []struct {
		base, want string
		suffixes   []string
	}{
		{"A", "A", nil}, {"A", "A2", nil}, {"A", "A3", nil}, {"A2", "A2_2", nil}, {"Engine", "Engine2", nil},
		{"B", "B2", []string{"Unset"}}, {"B", "B", nil}, {"B2Unset", "B2Unset2", nil},
	} {
		if got := s.Claim(tt.base, tt.suffixes...); got != tt.want {
			t.Errorf("Claim(%q, %q) = %q; want %q", tt.base, tt.suffixes, got, tt.want)
		}
	}
}

func TestLongNames(t *testing.T) {
	got := names.Exported(strings.Repeat("long name ", 1000), "S", "Empty")
	if len(got) > 64 {
		t.Errorf("a long name gives %d letters", len(got))
	}
}

// FuzzExported checks that any name gives an exported identifier in ASCII, the same each time.
func FuzzExported(f *testing.F) {
	for _, seed := range []string{"smoke", "", "1st", "<7.5", "*/", "`", "中", "\xff", "a-", "İ", "ǆ", "ŉ", "ﬁ", "ᾳ"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, name string) {
		got := names.Exported(name, "S", "Empty")
		if !token.IsIdentifier(got) || !token.IsExported(got) || !names.IsExported(got) || !utf8.ValidString(got) {
			t.Errorf("Exported(%q) = %q, which is no exported identifier", name, got)
		}
		if again := names.Exported(name, "S", "Empty"); again != got {
			t.Errorf("Exported(%q) = %q, then %q", name, got, again)
		}
	})
}
