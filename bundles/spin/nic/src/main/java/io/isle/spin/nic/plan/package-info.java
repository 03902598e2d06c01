/** What a programmable network interface and its contexts are made with. */
package io.isle.spin.nic.plan;
