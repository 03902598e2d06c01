/** Shell commands on what happens: the audit book, metrics. */
package io.isle.faces.shell.observe;
