/** Capabilities: the table of rights, with delegation and revocation. */
package io.isle.core.tenancy;
