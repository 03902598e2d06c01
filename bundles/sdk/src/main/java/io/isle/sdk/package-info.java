/** The tools of the driver SDK that are written in Java. */
package io.isle.sdk;
