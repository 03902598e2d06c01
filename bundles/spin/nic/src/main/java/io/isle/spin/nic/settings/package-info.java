/** Settings of network interfaces and of their contexts. */
package io.isle.spin.nic.settings;
