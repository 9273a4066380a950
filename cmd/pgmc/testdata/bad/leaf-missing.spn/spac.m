spac 1
n 0 ac -1
0
