module example.com/imported

go 1.26.0

require github.com/pgmc-go/pgmc v0.0.0

replace github.com/pgmc-go/pgmc => ../../..
