/** The checked workload: tenants whose results the CPU computes too. */
package io.isle.apps.chaos.work;
