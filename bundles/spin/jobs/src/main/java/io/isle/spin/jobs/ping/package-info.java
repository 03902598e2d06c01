/** Steps of jobs that send echo requests to handlers on an interface made for the step. */
package io.isle.spin.jobs.ping;
