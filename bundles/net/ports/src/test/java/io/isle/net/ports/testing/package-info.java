/** What tests of several packages use. */
package io.isle.net.ports.testing;
