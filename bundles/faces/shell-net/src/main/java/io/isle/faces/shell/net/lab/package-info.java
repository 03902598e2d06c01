/** Commands on labs: two network namespaces with a pair of interfaces. */
package io.isle.faces.shell.net.lab;
