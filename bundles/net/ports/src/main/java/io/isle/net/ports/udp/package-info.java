/** Sockets of UDP as ports: datagrams with headers around them. */
package io.isle.net.ports.udp;
