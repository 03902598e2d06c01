/** Shell commands on what happened: the audit book. */
package io.isle.faces.shell.observe;
