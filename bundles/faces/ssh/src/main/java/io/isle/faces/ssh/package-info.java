/** What the platform adds to Karaf's ssh console. */
package io.isle.faces.ssh;
