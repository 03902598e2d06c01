/** The work of an interface's agent: frames, tasks of handlers, and what these have done. */
package io.isle.spin.nic.engine;
