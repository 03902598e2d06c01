/** The command of the chaos run. */
package io.isle.faces.shell.chaos;
