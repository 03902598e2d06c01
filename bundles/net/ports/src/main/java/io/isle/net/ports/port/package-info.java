/** What all ports have: calls that a close may cross, counters, one frame to send. */
package io.isle.net.ports.port;
