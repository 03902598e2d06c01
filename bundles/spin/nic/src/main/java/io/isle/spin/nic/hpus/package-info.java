/** The HPUs of an execution context: its memory, its rings, and how it is attached. */
package io.isle.spin.nic.hpus;
