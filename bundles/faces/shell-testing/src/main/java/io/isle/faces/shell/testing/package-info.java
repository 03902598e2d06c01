/** What the tests of the shell bundles share: services and devices that remember what was asked. */
package io.isle.faces.shell.testing;
