/** Sockets of AF_XDP: their memory of frames, their rings, what was wished and what is in force. */
package io.isle.net.xdp.socket;
