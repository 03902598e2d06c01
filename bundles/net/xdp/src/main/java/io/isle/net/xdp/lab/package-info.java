/** Labs: two network namespaces with a pair of interfaces, held by descriptors alone. */
package io.isle.net.xdp.lab;
