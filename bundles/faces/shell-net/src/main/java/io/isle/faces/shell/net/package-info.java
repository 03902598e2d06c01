/** Shell commands of nets and of links between tiles. */
package io.isle.faces.shell.net;
