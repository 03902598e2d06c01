/** Commands of the scope {@code display}. */
package io.isle.faces.shell.display;
