/** What the platform says of the files in its folder {@code deploy}. */
package io.isle.faces.deploy;
