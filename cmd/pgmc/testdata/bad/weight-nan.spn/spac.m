spac 2
n 0 + -1
1
nan
0
n 1 ac 0
0
