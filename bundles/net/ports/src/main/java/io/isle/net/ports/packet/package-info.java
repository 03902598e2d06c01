/** Network interfaces of the kernel as ports, by sockets of AF_PACKET. */
package io.isle.net.ports.packet;
