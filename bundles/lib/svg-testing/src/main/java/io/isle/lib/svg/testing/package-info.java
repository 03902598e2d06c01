/** What tests of pictures share. */
package io.isle.lib.svg.testing;
