spac 2
n 0 * -1
1
0
