/** Commands for links in plain files. */
package io.isle.faces.shell.net.link;
