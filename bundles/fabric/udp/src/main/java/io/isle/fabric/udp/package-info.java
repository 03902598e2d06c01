/** Paths between nodes of a ring by UDP: sockets only; links and their protocols are the ring's. */
package io.isle.fabric.udp;
