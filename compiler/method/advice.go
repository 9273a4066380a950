package method

import "github.com/pgmc-go/pgmc/ir/diag"

// By returns the option that selects the method of that name, as an argument of messages.
func By(name string) diag.Option { return diag.Option{Name: "method", Value: name} }

// ConstParams is the advice of methods that do not support variable parameters.
var ConstParams = diag.Errorf("leave out %v", diag.Option{Name: "params", Value: "var"})
