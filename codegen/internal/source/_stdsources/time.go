package time

type Time struct{}
