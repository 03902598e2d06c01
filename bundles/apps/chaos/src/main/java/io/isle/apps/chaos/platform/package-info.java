/** The platform as a run sees it from outside: services, devices and bundles that come and go. */
package io.isle.apps.chaos.platform;
