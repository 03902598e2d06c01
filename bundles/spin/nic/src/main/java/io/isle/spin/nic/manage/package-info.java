/** All network interfaces and contexts: those of the settings, and those of tenants. */
package io.isle.spin.nic.manage;
