/**
 * The owner of the memory, sockets, programs and routes of nets, which outlive the tiles that use
 * them.
 */
package io.isle.net.xdp;
