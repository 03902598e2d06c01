kernel void takes_a_pipe(read_only pipe uint p, global uint *y) { y[0] = 1; }
kernel void beside_a_pipe(global uint *y) { y[0] = 1; }
