/** Capture files as ports. */
package io.isle.net.ports.pcap;
