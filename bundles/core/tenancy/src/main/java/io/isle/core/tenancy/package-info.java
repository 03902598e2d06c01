/**
 * Capabilities: the table of rights, with delegation and revocation. Groups: reads {@code
 * io.isle.group-NAME.cfg}, has the controllers of all areas check each change, then apply it.
 */
package io.isle.core.tenancy;
