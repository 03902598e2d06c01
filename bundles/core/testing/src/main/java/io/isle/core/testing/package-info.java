/** Services of the core for tests of the bundles that use them. */
package io.isle.core.testing;
