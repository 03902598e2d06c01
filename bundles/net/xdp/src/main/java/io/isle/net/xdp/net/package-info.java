/**
 * Nets: what outlives a tile (memory, sockets, program, routes), the agents that run tiles, and the
 * settings files.
 */
package io.isle.net.xdp.net;
