/** Shell commands on drivers. */
package io.isle.faces.shell.driver;
