/** What a kernel is given: its arguments, extents and work-groups, checked against the kernel. */
package io.isle.apps.jobs.kernel;
