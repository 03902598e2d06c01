/** Which faults a run meets, and when. Pure. */
package io.isle.apps.chaos.plan;
