/** A network interface at work: its agent, its ports, and the contexts on it. */
package io.isle.spin.nic.live;
