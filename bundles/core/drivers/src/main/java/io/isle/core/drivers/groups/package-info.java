/** A device whose groups have processes of their own. */
package io.isle.core.drivers.groups;
