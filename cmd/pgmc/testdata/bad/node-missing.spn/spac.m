spac 1
n 0 * -1
1
0
