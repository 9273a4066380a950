spac 2
n 0 * -1
1
0
n 1 * 0
0
0
