/** Which version of a native driver is used: what is trusted, known and proven. */
package io.isle.core.drivers.versions;
