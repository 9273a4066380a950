module example.com/clinic

go 1.24
