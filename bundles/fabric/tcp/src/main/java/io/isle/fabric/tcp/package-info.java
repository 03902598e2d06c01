/** Paths between nodes of a ring by TCP: sockets only; links and their protocols are the ring's. */
package io.isle.fabric.tcp;
