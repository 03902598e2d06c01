/** Ports of frames by their schemes: {@code pcap}, {@code udp}, {@code packet}. */
package io.isle.net.ports;
