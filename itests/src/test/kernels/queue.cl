kernel void takes_a_queue(queue_t q, global uint *y) { y[0] = 1; }
