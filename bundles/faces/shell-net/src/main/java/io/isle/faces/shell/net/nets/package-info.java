/** Commands of nets and their apps. */
package io.isle.faces.shell.net.nets;
